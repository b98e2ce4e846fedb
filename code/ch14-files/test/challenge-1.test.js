import assert from "node:assert/strict";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, files, Router } from "../index.js";

/** @import { TestContext } from "node:test" */

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

const ORIGINAL = { open: promises.open };
let opened = 0;
/** Is called before a file is opened. @type {() => Promise<unknown>} */
let beforeOpen = async () => {};

/** @param {TestContext} t @param {string} content */
async function start(t, content) {
  const root = await promises.mkdtemp(join(tmpdir(), "files-"));
  const path = join(root, "a.txt");
  await promises.writeFile(path, content);
  t.after(() => promises.rm(root, { recursive: true }));
  const router = new Router().get("/*", files(root));
  const server = createServer(router, { onError: () => {} });
  const port = await listen(t, server);
  const read = async () => (await ask(port, "GET", "/a.txt")).body;
  opened = 0;
  beforeOpen = async () => {};
  return { path, port, read };
}

describe("Challenges", { skip }, () => {
  before(() => {
    promises.open = async (...args) => {
      opened += 1;
      await beforeOpen();
      return ORIGINAL.open(...args);
    };
    syncBuiltinESMExports();
  });
  after(() => {
    Object.assign(promises, ORIGINAL);
    syncBuiltinESMExports();
  });

  it("reads a file once for all who come while it is read", async (t) => {
    const { read } = await start(t, "hello");
    /** @type {(value?: unknown) => void} */
    let goOn = () => {};
    const isHeldUp = new Promise((resolve) => {
      goOn = resolve;
    });
    beforeOpen = () => isHeldUp;
    const all = Array.from({ length: 50 }, read);
    while (opened === 0) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 300));
    goOn();
    assert.deepEqual(new Set(await Promise.all(all)), new Set(["hello"]));
    assert.equal(opened, 1);
  });

  it("reads it again for who comes after a change", async (t) => {
    const { path, read } = await start(t, "old");
    const opens = [];
    beforeOpen = () => new Promise((resolve) => opens.push(resolve));
    const first = read();
    while (opens.length < 1) await new Promise(setImmediate);
    await promises.rm(path);
    beforeOpen = async () => {};
    await promises.writeFile(path, "newer");
    assert.equal(await read(), "newer");
    opens.forEach((goOn) => void goOn(undefined));
    await first;
  });

  it("forgets what has failed", async (t) => {
    const { port, read } = await start(t, "hello");
    beforeOpen = () => Promise.reject(new Error("no"));
    assert.equal((await ask(port, "GET", "/a.txt")).statusCode, 503);
    beforeOpen = async () => {};
    assert.equal(await read(), "hello");
  });
});
