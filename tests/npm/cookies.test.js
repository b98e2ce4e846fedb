/**
 * What the newest milestone sets as a cookie, kept by a browser's rules as
 * tough-cookie has them, and read back.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "../../tools/lib/setup.js";
import { newestServers } from "../contracts/newest-velocy.js";

const servers = await newestServers();
const hasCookies = servers.some(({ velocy }) => typeof velocy.sessions === "function");
const skip = !hasCookies && "no milestone has cookies yet";

before(async () => {
  if (skip) return;
  const folder = fileURLToPath(new URL(".", import.meta.url));
  await ensureDependencies(folder, "Installing npm's middleware for tests/npm");
});

const NAMES = ["a", "__Host-a", "__Secure-a", "$x", "a.b", "__host-a", "__Http-a"];
const OPTIONS = [
  {},
  { maxAge: 60 },
  { maxAge: 400 * 24 * 60 * 60 },
  { expires: new Date(Date.now() + 60_000) },
  { sameSite: "Strict" },
  { sameSite: "None", secure: true },
  { sameSite: "None", secure: true, partitioned: true },
  { httpOnly: false },
];
const LETTERS = [...'ab=;, "%\\\t/+é☃\r\n\u0000𝄞{}[]()@:~'];

/** @param {number} seed */
function makeValue(seed) {
  let state = seed + 1;
  const next = (/** @type {number} */ most) => {
    state = (state * 48271) % 2147483647;
    return state % most;
  };
  return Array.from({ length: next(20) }, () => LETTERS[next(LETTERS.length)]).join("");
}

/** The name isn't there yet when types are looked at. */
const oracle = "tough-cookie";

for (const { server, velocy } of servers) {
  const what = "tough-cookie keeps what velocy sets, and velocy reads it back";
  test(`${what}, on ${server}`, { skip }, (t) => checkCookies(t, velocy));
}

/** @param {import("node:test").TestContext} t @param {any} velocy */
async function checkCookies(t, velocy) {
  const { CookieJar } = await import(oracle);
  const router = new velocy.Router();
  router.get("/set/:seed", (/** @type {any} */ req, /** @type {any} */ res) => {
    const seed = Number(req.params.seed);
    const name = NAMES[seed % NAMES.length];
    const options = OPTIONS[seed % OPTIONS.length];
    // No script may read a cookie with this prefix.
    const chosen = name.startsWith("__Http-") ? { ...options, httpOnly: true } : options;
    return res.setCookie(name, makeValue(seed), chosen).text("");
  });
  router.get("/read", (/** @type {any} */ req) => req.cookies);
  const server = velocy.createServer(router);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address();
  for (let seed = 0; seed < 500; seed += 1) {
    const { headers } = await get(port, `/set/${seed}`);
    const jar = new CookieJar(undefined, { prefixSecurity: "strict" });
    const [line] = headers["set-cookie"] ?? [];
    await jar.setCookie(line, "https://example.com/a/b");
    const cookie = await jar.getCookieString("https://example.com/read");
    const { body } = await get(port, "/read", { cookie });
    assert.deepEqual(JSON.parse(body), { [NAMES[seed % NAMES.length]]: makeValue(seed) }, line);
  }
}

/**
 * @param {number} port
 * @param {string} path
 * @param {Record<string, string>} [headers]
 * @returns {Promise<{ headers: http.IncomingHttpHeaders, body: string }>}
 */
function get(port, path, headers = {}) {
  return new Promise((resolve, reject) => {
    const req = http.get({ host: "127.0.0.1", port, path, headers, agent: false }, async (res) => {
      resolve({ headers: res.headers, body: Buffer.concat(await res.toArray()).toString() });
    });
    req.on("error", reject);
  });
}
