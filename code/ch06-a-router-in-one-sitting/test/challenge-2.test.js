import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ask, listen } from "../../contracts/router/ask.js";
import { Visitor } from "../../contracts/visitor.js";
import { createServer, Router } from "../index.js";

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { TestContext } from "node:test" */

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

/** How long handlers may take in these tests, in milliseconds. */
const LIMIT = 60;

describe("Challenges", { skip, concurrency: true }, () => {
  it("answers 503 for a handler that forgets to", async (t) => {
    const { port, told } = await start(t, () => {});
    const { statusCode, body } = await ask(port, "GET", "/slow");
    assert.equal(statusCode, 503);
    assert.doesNotMatch(body, /ERR_|at /);
    assert.deepEqual(codesOf(told), ["ERR_ANSWER_TIMEOUT"]);
    assert.ok(told[0] instanceof Error, `${told[0]} is no Error`);
  });

  it("answers 503 for a promise that is never kept", async (t) => {
    const { port, told } = await start(t, () => new Promise(() => {}));
    const { statusCode } = await ask(port, "GET", "/slow");
    assert.equal(statusCode, 503);
    assert.deepEqual(codesOf(told), ["ERR_ANSWER_TIMEOUT"]);
  });

  it("does not send what the handler had prepared", async (t) => {
    const { port } = await start(t, (_req, res) => {
      res.statusCode = 201;
      res.setHeader("content-length", 1000);
      res.setHeader("set-cookie", "a=1");
    });
    const { statusCode, headers } = await ask(port, "GET", "/slow");
    assert.equal(statusCode, 503);
    assert.equal(headers["set-cookie"], undefined);
  });

  it("leaves an answer alone that has begun", async (t) => {
    const { port, told } = await start(t, async (_req, res) => {
      res.write("begun, ");
      await sleep(3 * LIMIT);
      res.end("done\n");
    });
    const { statusCode, body } = await ask(port, "GET", "/slow");
    assert.deepEqual([statusCode, body], [200, "begun, done\n"]);
    assert.deepEqual(told, []);
  });

  it("has nothing to say once a handler has answered", async (t) => {
    const { port, told } = await start(t, () => {});
    assert.equal((await ask(port, "GET", "/fast")).statusCode, 200);
    // When this one is over, so is the time that the first one had.
    assert.equal((await ask(port, "GET", "/slow")).statusCode, 503);
    assert.deepEqual(codesOf(told), ["ERR_ANSWER_TIMEOUT"]);
  });

  it("has no limit unless it is given one", async (t) => {
    const router = new Router().get("/slow", async (_req, res) => {
      await sleep(3 * LIMIT);
      res.end("slow\n");
    });
    const port = await listen(t, createServer(router));
    assert.equal((await ask(port, "GET", "/slow")).body, "slow\n");
  });

  it("keeps no process waiting for a timer", async () => {
    const run = promisify(execFile);
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    const options = { cwd, timeout: 10_000 };
    const args = ["--input-type=module", "--eval", PROGRAM];
    const { stdout } = await run(process.execPath, args, options);
    assert.equal(stdout, "fast\n");
  });

  /** @type {[what: string, answer: (res: ServerResponse) => void][]} */
  const late = [
    ["res.end", (res) => res.end("late\n")],
    [
      "res.writeHead and res.end",
      (res) => res.writeHead(200).end("late\n"),
    ],
    [
      "res.setHeader and res.end",
      (res) => {
        res.statusCode = 200;
        res.setHeader("content-type", "text/plain");
        res.end("late\n");
      },
    ],
    [
      "res.write and res.end",
      (res) => {
        res.write("late, ");
        res.end("later\n");
      },
    ],
  ];
  for (const [what, answer] of late) {
    it(`is not disturbed by ${what} in a late promise`, async (t) => {
      await checkLateAnswer(t, async (res, isTime) => {
        await isTime;
        answer(res);
      });
    });

    it(`is not disturbed by ${what} in a late callback`, async (t) => {
      await checkLateAnswer(t, (res, isTime) => {
        isTime.then(() => setImmediate(() => answer(res)));
      });
    });
  }

  it("decides for one of them when it is a close call", async (t) => {
    const { port, told } = await start(t, (_req, res) => {
      setTimeout(() => res.writeHead(200).end("just so\n"), LIMIT);
    });
    const asked = Array.from({ length: 20 }, () =>
      ask(port, "GET", "/slow"),
    );
    const answers = await Promise.all(asked);
    const late = answers.filter(({ statusCode }) => statusCode !== 200);
    for (const { statusCode } of late) assert.equal(statusCode, 503);
    assert.equal(told.length, late.length);
    assert.equal((await ask(port, "GET", "/fast")).statusCode, 200);
  });
});

/** Answers one request in time, and is done. */
const PROGRAM = `
import { once } from "node:events";
import { createServer, Router } from "velocy";

const router = new Router().get("/", (_req, res) => res.end("fast\\n"));
const server = createServer(router, { answerTimeout: 600_000 }).listen(0);
await once(server, "listening");
const response = await fetch("http://localhost:" + server.address().port);
process.stdout.write(await response.text());
server.closeAllConnections();
server.close();
`;

/**
 * Lets a handler come back after its 503.
 *
 * @param {TestContext} t
 * @param {(res: ServerResponse, isTime: Promise<void>) => unknown} handler
 */
async function checkLateAnswer(t, handler) {
  let itIsTime = () => {};
  /** @type {Promise<void>} */
  const isTime = new Promise((resolve) => {
    itIsTime = resolve;
  });
  const { port, told } = await start(t, (_req, res) =>
    handler(res, isTime),
  );
  const address = { port, host: "127.0.0.1" };
  const visitor = await Visitor.connect(address);
  t.after(() => visitor.leave());
  await visitor.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  assert.equal((await visitor.response()).status, 503);
  itIsTime();
  // What goes wrong now does so before this one is answered.
  assert.equal((await ask(port, "GET", "/never")).statusCode, 503);
  assert.equal(visitor.responses.length, 1);
  const both = ["ERR_ANSWER_TIMEOUT", "ERR_ANSWER_TIMEOUT"];
  assert.deepEqual(codesOf(told), both);
}

/**
 * @param {TestContext} t
 * @param {(req: IncomingMessage, res: ServerResponse) => unknown} slow
 */
async function start(t, slow) {
  const router = new Router()
    .get("/slow", slow)
    .get("/never", () => {})
    .get("/fast", (_req, res) => res.end("fast\n"));
  /** @type {unknown[]} */
  const told = [];
  const options = {
    answerTimeout: LIMIT,
    onError: (/** @type {unknown} */ err) => told.push(err),
  };
  const port = await listen(t, createServer(router, options));
  return { port, told };
}

/** @param {unknown[]} errors */
function codesOf(errors) {
  return errors.map((err) => /** @type {any} */ (err).code ?? `${err}`);
}
