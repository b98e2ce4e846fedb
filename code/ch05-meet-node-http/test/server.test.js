import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { describe, it } from "node:test";
import {
  httpContract,
  startProgram,
  startServer,
} from "../../contracts/http/index.js";
import { Program } from "../../contracts/program.js";
import { ask } from "../../contracts/visitor.js";
import { describeRequest } from "../by-hand/lib/describe-request.js";
import { createServer } from "../by-hand/lib/server.js";

const folder = new URL("..", import.meta.url);

describe("The same things under other names", () => {
  httpContract({
    start: startProgram(folder),
    until: 3,
    // Where node:http does otherwise than the first three chapters.
    known: {
      "refuses the request of HTTP/0.9, which has no version":
        "it answers that version too",
      "refuses two spaces between method and target": "it passes over them",
      "refuses two spaces before the version": "it passes over them",
      "refuses a target with a fragment": "it hands the fragment on",
      "takes __proto__ for a name like any other":
        "req.headers is an ordinary object",
      "refuses a bare LF for the empty line before the request line":
        "it passes over line ends before a request",
      "lets no trailer change what the head has said":
        "it refuses such trailers",
      "refuses chunks that nothing has announced":
        "its refusal overtakes the answer before it",
      "answers nothing behind a request that says close":
        "it refuses what comes behind, and the request with it",
      "answers what comes before a request that says close":
        "it refuses what comes behind, and the requests with it",
      "closes when version 1.0 asks for both": "keep-alive wins",
      "gives a refusal a date and a length": "it sends neither",
    },
  }).checkTheRest();

  it("streams: it answers half a body before the other half", async (t) => {
    const server = await startProgram(folder, "streams.js")({ limits: {} });
    t.after(() => server.close());
    const upload = request({
      port: server.port,
      method: "POST",
      headers: { "content-length": 10 },
    });
    upload.write("hello");
    const [response] = await once(upload, "response");
    response.setEncoding("utf8");
    const [first] = await once(response, "data");
    assert.equal(first, "5\n");
    upload.end("world");
    let rest = "";
    for await (const text of response) rest += text;
    assert.equal(rest, "10\nthat was all\n");
  });
});

describe("Where the two disagree", () => {
  const start = startServer((options) =>
    createServer(describeRequest, options),
  );
  httpContract({
    start,
    until: 4,
  }).checkTheRest();

  it("still runs from its drawer", async (t) => {
    const server = await startProgram(new URL("by-hand/", folder))({
      limits: {},
    });
    t.after(() => server.close());
    const response = await fetch(`http://localhost:${server.port}/drawer`);
    const { target } = /** @type {any} */ (await response.json());
    assert.equal(target, "/drawer");
  });
});

describe("Break it", () => {
  it("answers 500 to a bug behind the body, and lives on", async (t) => {
    const boom = `JSON.stringify = ((stringify) => (value) => {
      if (value.target === "/boom") throw new Error("a bug of mine");
      return stringify(value);
    })(JSON.stringify);`;
    const { NODE_OPTIONS = "" } = process.env;
    const patch = `data:text/javascript,${encodeURIComponent(boom)}`;
    const server = await Program.start(folder, "server.js", {
      NODE_OPTIONS: `${NODE_OPTIONS} --import=${patch}`,
    });
    t.after(() => server.close());
    const request =
      "POST /boom HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n";
    const { status } = await ask(server, `${request}\r\nAda`);
    assert.equal(status, 500);
    await server.linesUntil((lines) => lines.includes("a bug of mine"));
    const after = await ask(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert.equal(after.status, 200);
  });
});
