/**
 * A connection in memory is as one over a socket: node:http passes and fails
 * the same cases of the contract for HTTP on both.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { newestVelocy } from "./newest-velocy.js";

const newest = await newestVelocy();
const socket = join(newest?.folder ?? "", "lib/testing/socket.js");
const contracts = new URL("../../code/contracts/", import.meta.url);

const IMPORTS = `
  import { describe } from "node:test";
  import { httpContract, startServer } from "${new URL("http/index.js", contracts)}";
  import { createServer } from "${new URL("http/node-http.js", contracts)}";
`;

const TAKE_AWAY = `
  import { takeNetworkAway } from "${new URL("in-memory.js", contracts)}";
  import { MemorySocket } from "${pathToFileURL(socket)}";
  takeNetworkAway(MemorySocket);
`;

const CONTRACT = `
  const start = startServer(createServer);
  describe("all", () => httpContract({ start, until: 4 }).checkTheRest());
`;

/** @param {string} text of the test @returns {Promise<string[]>} each case, and how it went */
async function outcomes(text) {
  const folder = mkdtempSync(join(tmpdir(), "in-memory-"));
  const file = join(folder, "some.test.mjs");
  writeFileSync(file, text);
  // Without its environment, which would make it a part of this run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ["--test", "--test-reporter=tap", file];
  const printed = await new Promise((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 26 }, (_err, stdout) =>
      resolve(stdout),
    );
  });
  rmSync(folder, { recursive: true });
  const lines = printed.matchAll(/^ {4,}((?:not )?ok) \d+ - (.*RFC.*)$/gm);
  const all = Array.from(lines, ([, outcome, name]) => `${outcome} ${name}`);
  // How a limit of time ends depends on how busy the machine is.
  return all.filter((line) => !/\b408\b|\btime\b/.test(line)).sort();
}

describe("a connection in memory", { skip: !existsSync(socket) && "none yet" }, () => {
  it("ends each case of the HTTP contract as a socket does", async () => {
    /** @type {string[] | undefined} */
    let differing;
    // On a busy machine a case with much to send may end otherwise once, and
    // then as well over a socket. What differs each time is a difference.
    for (let tries = 3; tries > 0 && differing?.length !== 0; tries -= 1) {
      const real = await outcomes(IMPORTS + CONTRACT);
      const inMemory = await outcomes(IMPORTS + TAKE_AWAY + CONTRACT);
      assert.ok(real.length > 300, `only ${real.length} cases`);
      assert.equal(inMemory.length, real.length);
      const now = inMemory.filter((outcome) => !real.includes(outcome));
      const nameOf = (/** @type {string} */ outcome) => outcome.replace(/^(not )?ok /, "");
      const before = differing?.map(nameOf);
      differing = now.filter((outcome) => before?.includes(nameOf(outcome)) ?? true);
    }
    assert.deepEqual(differing, []);
  });
});
