/**
 * The contract for a 304 (RFC 9110, section 15.4.5): it has the tag and the
 * Vary that the 200 has, whatever stands between the handler and the client.
 *
 *     testNotModified(async () => ({ port, close }), [["/a.txt", {}]]);
 */
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, describe, it } from "node:test";

/**
 * A path whose answer has a tag. A handler that answers 304 before it knows
 * what it would send can only go by the tag that it is shown.
 *
 * @typedef {[path: string, options: { isUntold?: boolean }]} TaggedPath
 */

/** @type {(string | undefined)[]} */
const CODINGS = [undefined, "identity", "gzip", "br", "gzip;q=0, br"];

/**
 * @param {() => Promise<{ port: number, close: () => unknown }>} start
 * @param {TaggedPath[]} paths
 */
export function testNotModified(start, paths) {
  /** @type {Awaited<ReturnType<typeof start>>} */
  let server;
  before(async () => {
    server = await start();
  });
  after(() => server.close());

  for (const [path, { isUntold = false }] of paths) {
    describe(`the 304 of ${path} has the tag of the 200`, () => {
      for (const coding of CODINGS) {
        for (const method of ["GET", "HEAD"]) {
          it(`${method} with Accept-Encoding: ${coding ?? "(none)"}`, async () => {
            /** @type {Record<string, string>} */
            const fields = {};
            if (coding !== undefined) fields["accept-encoding"] = coding;
            // What a handler sends by pieces has no other fields for HEAD.
            const { statusCode, headers } = await ask(server.port, path, {
              headers: fields,
            });
            assert.equal(statusCode, 200);
            const { etag = "", vary, "last-modified": date } = headers;
            assert.match(etag, /^(?:W\/)?"/);
            for (const condition of conditionsFor(etag, date, isUntold)) {
              const again = await ask(server.port, path, {
                method,
                headers: { ...fields, ...condition },
              });
              const what = JSON.stringify(condition);
              assert.equal(again.statusCode, 304, what);
              assert.equal(again.headers.etag, etag, what);
              if (!isUntold) assert.equal(again.headers.vary, vary, what);
              if (vary !== undefined)
                assert.equal(again.headers.vary, vary);
              for (const name of ["type", "length", "encoding"]) {
                assert.equal(again.headers[`content-${name}`], undefined);
              }
            }
          });
        }
      }
    });
  }
}

/**
 * @param {string} etag
 * @param {string | undefined} date
 * @param {boolean} isUntold
 * @returns {Record<string, string>[]}
 */
function conditionsFor(etag, date, isUntold) {
  const shown = [
    { "if-none-match": etag },
    { "if-none-match": `"other", ${etag}` },
  ];
  if (isUntold) return shown;
  const dated = date === undefined ? [] : [{ "if-modified-since": date }];
  const weak = `W/${etag.replace(/^W\//, "")}`;
  return [
    ...shown,
    ...dated,
    { "if-none-match": "*" },
    { "if-none-match": weak },
    { "if-none-match": weak.slice("W/".length) },
  ];
}

/**
 * @param {number} port
 * @param {string} path
 * @param {{ method?: string, headers: Record<string, string> }} options
 * @returns {Promise<http.IncomingMessage>}
 */
function ask(port, path, { method = "GET", headers }) {
  return new Promise((resolve, reject) => {
    const options = { port, path, method, headers, agent: false };
    const req = http.request(options, (res) => {
      res.resume();
      res.on("end", () => resolve(res));
      res.on("error", reject);
    });
    req.on("error", reject).end();
  });
}
