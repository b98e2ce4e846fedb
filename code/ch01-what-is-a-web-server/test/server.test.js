import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { exchange, startProgram } from "../../contracts/http/index.js";
import {
  rawToolContract,
  rawToolResets,
} from "../../contracts/raw-tool.js";

const folder = new URL("..", import.meta.url);
/** @type {import("../../contracts/http/start.js").RunningServer} */
let server;
before(async () => {
  server = await startProgram(folder)({ limits: {} });
});
after(() => server?.close());

/** What a browser sends, in short. */
const BROWSER = [
  "GET / HTTP/1.1",
  "Host: localhost:3000",
  "User-Agent: Mozilla/5.0",
  "Accept: text/html,*/*;q=0.8",
  "Connection: keep-alive",
  "",
  "",
].join("\r\n");

describe("A program that holds a socket open", () => {
  it("listens on the port that PORT names", async () => {
    assert.ok(server.port > 0, "it tells no port");
    await exchange(server, BROWSER);
  });

  it("waits for the next visitor when one has gone", async () => {
    for (let visit = 0; visit < 3; visit++) {
      const { responses } = await exchange(server, BROWSER);
      assert.equal(responses.length, 1);
    }
  });
});

describe("The smallest answer, found by getting it wrong", () => {
  it("greets a browser", async () => {
    const response = await fetch(`http://localhost:${server.port}/`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/plain");
    assert.equal(await response.text(), "Hello\n");
  });

  it("says how long its answer is, and that it will close", async () => {
    const { responses, ending } = await exchange(server, BROWSER);
    const [{ fields, framing, body }] = responses;
    assert.equal(framing, "length");
    assert.equal(body.toString(), "Hello\n");
    assert.deepEqual(fields.get("connection"), ["close"]);
    assert.equal(ending, "closed");
  });

  it("says what time it is", async () => {
    const { responses } = await exchange(server, BROWSER);
    const [date] = responses[0].fields.get("date") ?? [];
    assert.match(date, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    assert.ok(Math.abs(Date.now() - Date.parse(date)) < 5000, date);
  });

  it("says the same to somebody who wants a pizza", async () => {
    const { responses } = await exchange(server, "I would like a pizza");
    assert.equal(responses[0].body.toString(), "Hello\n");
  });
});

describe("A client that sends exactly what you say", () => {
  rawToolContract(folder);
});

describe("Two errors that you will meet again", () => {
  it("fails with EADDRINUSE where another server listens", async () => {
    const second = spawn(process.execPath, ["server.js"], {
      cwd: fileURLToPath(folder),
      env: { ...process.env, PORT: String(server.port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let printed = "";
    second.stderr.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
    const [code] = await once(second, "close");
    assert.notEqual(code, 0);
    assert.match(printed, /EADDRINUSE/);
  });

  it("goes on after a client has reset its connection", async () => {
    const raw = spawn(process.execPath, ["raw.js", "reset"], {
      cwd: fileURLToPath(folder),
      env: { ...process.env, PORT: String(server.port) },
    });
    await once(raw, "close");
    const { responses } = await exchange(server, BROWSER);
    assert.equal(responses[0].status, 200);
  });

  rawToolResets(folder);
});
