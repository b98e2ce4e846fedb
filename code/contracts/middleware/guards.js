/**
 * The contract for which middleware runs, over raw sockets: a guard holds for
 * its path in every spelling, and where no route answers.
 *
 *     testGuards({ Router, createServer, HttpError });
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { portOf } from "../router/ask.js";
import { TARGET_GROUPS } from "../targets/cases.js";
import { Visitor } from "../visitor.js";
import { GUARD_GROUPS } from "./cases.js";
import { covers } from "./model.js";

/** @import { OnionUnderTest } from "./onion.js" */
/** @import { GuardGroup } from "./cases.js" */

/** @param {OnionUnderTest} underTest */
export function testGuards(underTest) {
  for (const group of GUARD_GROUPS) {
    describe(group.name, () => {
      const server = serverOf(underTest, () => marking(underTest, group));
      for (const [method, target, ran, status] of group.asked) {
        const what = ran.length === 0 ? "none" : ran.join(", ");
        test(`${method} ${target}: ${what}, ${status}`, async () => {
          const response = await send(server(), method, target);
          assert.deepEqual(response, { status, ran: ran.join(", ") });
        });
      }
    });
  }

  describe("a guard, for every target of chapter 10's collection", () => {
    const server = serverOf(underTest, () => guarded(underTest));
    for (const { targets, method = "GET", host } of TARGET_GROUPS) {
      for (const [target, statusCode, read = ""] of targets) {
        // What OPTIONS is asked for has no route to tell the path.
        const path = statusCode === 204 ? target : read;
        const isGuarded = statusCode !== 400 && covers("/admin", path);
        const status = isGuarded ? 403 : statusCode;
        test(`${method} ${JSON.stringify(target)} gives ${status}`, async () => {
          const response = await send(server(), method, target, host);
          assert.equal(response.status, status);
        });
      }
    }
  });
}

/**
 * A server for the tests of a group.
 *
 * @param {OnionUnderTest} underTest
 * @param {() => any} makeRouter
 */
function serverOf({ createServer }, makeRouter) {
  /** @type {any} */
  let server;
  before(async () => {
    server = createServer(makeRouter());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return () => server;
}

/**
 * A router whose middleware tell in a field that they ran.
 *
 * @param {OnionUnderTest} underTest
 * @param {GuardGroup} group
 */
function marking({ Router }, { options = {}, guards, routes }) {
  const router = new Router(options);
  for (const path of guards) {
    router.use(
      path,
      (
        /** @type {any} */ _req,
        /** @type {any} */ res,
        /** @type {any} */ next,
      ) => {
        res.appendHeader("x-ran", encodeURIComponent(path));
        return next();
      },
    );
  }
  for (const route of routes) {
    const [method, pattern] = route.split(" ");
    router.route(method, pattern, () => "ok");
  }
  return router;
}

/**
 * A router that lets nobody pass to /admin, and answers everywhere.
 *
 * @param {OnionUnderTest} underTest
 */
function guarded({ Router, HttpError }) {
  const router = new Router();
  router.use("/admin", () => {
    throw new HttpError(403);
  });
  router.get("/admin", () => "secret");
  router.get("/*", () => "ok");
  return router;
}

/**
 * @param {any} server
 * @param {string} method
 * @param {string} target
 * @param {string} [host]
 */
async function send(server, method, target, host = "example.com") {
  const address = { port: portOf(server) };
  const visitor = await Visitor.connect(address, {
    asksForHeads: method === "HEAD",
  });
  try {
    const head = `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n`;
    await visitor.send(`${head}Connection: close\r\n\r\n`);
    const { status, fields } = await visitor.response();
    // A field's value has its characters as bytes.
    const ran = (fields.get("x-ran") ?? []).join(", ");
    return { status, ran: decodeURIComponent(ran) };
  } finally {
    visitor.leave();
  }
}
