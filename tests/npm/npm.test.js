/**
 * npm's own middleware, on the newest milestone. The packages have a folder of
 * their own, so that nothing of the book can depend on them; the first test
 * run installs them.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { ensureDependencies } from "../../tools/lib/setup.js";
import { newestServers } from "../contracts/newest-velocy.js";
import { PACKAGES } from "./packages.js";
import { serve } from "./serve.js";

const servers = await newestServers();
const hasMiddleware = servers.some(({ velocy }) => typeof velocy.connect === "function");
const skip = !hasMiddleware && "no milestone has middleware yet";

before(async () => {
  if (skip) return;
  const folder = fileURLToPath(new URL(".", import.meta.url));
  await ensureDependencies(folder, "Installing npm's middleware for tests/npm");
});

for (const { name, use, how = "doesn't run", note, onEngine, check } of PACKAGES) {
  const what = use ? `${name} ${note}` : `${name} ${how}: it ${note}`;
  /** What was answered, on each server. @type {Answered[][]} */
  const answered = [];
  for (const { server, velocy } of servers) {
    test(`on ${server}, ${what}`, { skip }, async (t) => {
      const module = await import(name);
      /** @type {unknown[]} */
      const errors = [];
      /** @type {Answered[]} */
      const all = [];
      const ask = async (/** @type {any} */ router) => {
        const send = await serve(t, velocy, router, errors);
        return async (/** @type {Parameters<typeof send>} */ ...args) => {
          const answer = await send(...args);
          all.push(asAnswered(answer));
          return answer;
        };
      };
      await check({ velocy, serve: ask, load: module.default ?? module });
      assert.deepEqual(errors, [], "nothing went wrong on the side");
      answered.push(all);
    });
  }

  const same = onEngine ?? "sends the same fields on each server";
  test(`${name} ${same}`, { skip }, () => {
    const [onNodeHttp, ...others] = answered;
    assert.equal(answered.length, servers.length);
    const isSame = others.every((all) => isDeepStrictEqual(all, onNodeHttp));
    // A difference that is told in the table has to be there, too.
    if (onEngine === undefined)
      assert.deepEqual(
        others,
        others.map(() => onNodeHttp),
      );
    else assert.equal(isSame, false, "it is the same on the engine");
  });
}

/**
 * What two servers have to agree on: the status, and the names of the fields
 * as they are written. Their order isn't part of it (RFC 9110, section 5.3).
 *
 * @typedef {{ statusCode: number, names: string[], length: number | string }} Answered
 *
 * @param {Awaited<ReturnType<import("./packages.js").Ask>>} answer
 * @returns {Answered}
 */
function asAnswered({ statusCode, rawHeaders, headers }) {
  const names = rawHeaders.filter((_, i) => i % 2 === 0).sort();
  return { statusCode, names, length: headers["content-length"] ?? "none" };
}
