/**
 * What cookies, sessions and limits take beside npm's packages, in processor
 * time: functions alone, and whole requests to a server in memory.
 *
 *     node benchmarks/experiments/cookies.js [--machine NAME]
 *
 * The two take turns. What is compared is the ratio within a round.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureDependencies } from "../../tools/lib/setup.js";
import { describeMachine } from "../lib/machine.js";
import { estimate } from "../lib/statistics.js";

const ROUNDS = 15;
const CALLS = 20_000;
const RESULTS = new URL("../results/", import.meta.url);
const VELOCY = new URL("../../code/ch18-tests/", import.meta.url);
const NPM = new URL("../../tests/npm/", import.meta.url);

const { parseCookies } = await import(new URL("lib/cookies/parse.js", VELOCY).href);
const { formatCookie } = await import(new URL("lib/cookies/format.js", VELOCY).href);
const velocy = await import(new URL("index.js", VELOCY).href);
const { openConnection } = await import(new URL("lib/testing/inject.js", VELOCY).href);
const { createServer, MemoryLimits, MemoryStore, rateLimit, Router, sessions, signer } = velocy;

/** They are for newer Nodes than the oldest that the tools run on. */
const names = { cookie: "cookie", signature: "cookie-signature" };
const cookie = await import(names.cookie);
const { default: signature } = await import(names.signature);
const parseTheirs = cookie.parseCookie ?? cookie.parse;
const formatTheirs = cookie.stringifySetCookie ?? cookie.serialize;

const SECRET = "a secret of at least thirty-two bytes";
const ours = signer([SECRET]);
const id = "abcdefghijklmnopqrstuvwx";
const options = { httpOnly: true, path: "/", sameSite: /** @type {const} */ ("lax") };
const one = `id=${id}`;
const ten = Array.from({ length: 10 }, (_, i) => `name${i}=value%20${i}`).join("; ");
const signedByUs = ours.sign("id", id);
const signedByThem = signature.sign(id, SECRET);
const limits = new MemoryLimits();
const limit = { requests: 1e6, seconds: 1 };
let client = 0;

await ensureDependencies(fileURLToPath(NPM), "Installing npm's packages for tests/npm");
const expressSession = createRequire(new URL("package.json", NPM))("express-session");

/**
 * Makes a server in memory, and what asks it once on a kept connection.
 *
 * @param {unknown[]} middleware
 */
async function serve(...middleware) {
  const router = new Router();
  for (const each of middleware) router.use(each);
  router.get("/login", (/** @type {any} */ req) => {
    req.session.user = "ada";
    return "ok";
  });
  router.get("/", () => "ok");
  const connection = openConnection(createServer(router, { keepAliveTimeout: 0 })).setEncoding(
    "latin1",
  );
  /** @param {string} path @param {string} fields @returns {Promise<string>} */
  const ask = (path, fields) =>
    new Promise((resolve) => {
      let answer = "";
      const take = (/** @type {string} */ piece) => {
        answer += piece;
        if (!answer.endsWith("\r\n\r\nok")) return;
        connection.off("data", take);
        resolve(answer);
      };
      connection.on("data", take);
      connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`);
    });
  return ask;
}

/** @param {unknown} middleware keeps sessions: every request has one */
async function visiting(middleware) {
  const ask = await serve(middleware);
  const [, cookie] = /set-cookie: ([^;]*)/i.exec(await ask("/login", "")) ?? [];
  return () => ask("/", `Cookie: ${cookie}\r\n`);
}

const askBare = await serve();
const askLimited = await serve(rateLimit(limit));
const theirs = { secret: SECRET, resave: false, saveUninitialized: false };
const visitUs = await visiting(sessions({ secrets: [SECRET], store: new MemoryStore() }));
const visitThem = await visiting(expressSession(theirs));

/** @type {Record<string, { velocy: () => unknown, other?: () => unknown }>} */
const works = {
  "parse-one": { velocy: () => parseCookies(one), other: () => parseTheirs(one) },
  "parse-ten-escaped": { velocy: () => parseCookies(ten), other: () => parseTheirs(ten) },
  format: {
    velocy: () => formatCookie("id", id),
    other: () => formatTheirs("id", id, options),
  },
  sign: { velocy: () => ours.sign("id", id), other: () => signature.sign(id, SECRET) },
  verify: {
    velocy: () => ours.verify("id", signedByUs),
    other: () => signature.unsign(signedByThem, SECRET),
  },
  "limit-in-memory": { velocy: () => limits.take(`${client++ % 10_000}`, limit) },
  "request-bare": { velocy: () => askBare("/", "") },
  "request-limited": { velocy: () => askLimited("/", "") },
  // The other is express-session, on velocy as well.
  "request-session": { velocy: visitUs, other: visitThem },
};

/**
 * @param {() => unknown} work
 * @returns {Promise<number>} nanoseconds for each call
 */
async function measure(work) {
  const first = work();
  const isLater = first instanceof Promise;
  await first;
  const start = process.cpuUsage();
  if (isLater) for (let i = 0; i < CALLS; i += 1) await work();
  else for (let i = 0; i < CALLS; i += 1) work();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / CALLS;
}

const { values } = parseArgs({ options: { machine: { type: "string" } } });
const startedAt = new Date().toISOString();
const where = describeMachine();
/** @type {Record<string, Record<string, ReturnType<typeof estimate>>>} */
const derived = {};
for (const [name, { velocy, other }] of Object.entries(works)) {
  /** @type {{ velocy: number[], other: number[] }} */
  const times = { velocy: [], other: [] };
  // The first three rounds warm up.
  for (let round = -3; round < ROUNDS; round += 1) {
    const mine = await measure(velocy);
    const its = other ? await measure(other) : 0;
    if (round < 0) continue;
    times.velocy.push(mine);
    times.other.push(its);
  }
  derived[name] = { velocy: estimate(times.velocy) };
  let said = `${name.padEnd(18)} velocy ${derived[name].velocy.median.toFixed(0)} ns`;
  if (other) {
    derived[name].other = estimate(times.other);
    derived[name].ratio = estimate(times.velocy.map((time, i) => time / times.other[i]));
    said += `, other ${derived[name].other.median.toFixed(0)} ns`;
    said += `, ratio ${derived[name].ratio.median.toFixed(2)}`;
  }
  console.log(said);
}
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/cookies.js --machine ${values.machine}`;
  const settings = { rounds: ROUNDS, calls: CALLS };
  const node = process.version;
  const result = { suite: "cookies", startedAt, command, node, where, settings, derived };
  writeFileSync(new URL("cookies.json", folder), `${JSON.stringify(result, null, 2)}\n`);
}
