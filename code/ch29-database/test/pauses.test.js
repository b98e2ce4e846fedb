import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { readPauses } from "../pauses.js";
import {
  add,
  database,
  FOLDER,
  NO_POSTGRES,
  nodeServer,
  query,
} from "./rig.js";

const run = promisify(execFile);
const ADA = { email: "ada@example.org", password: "x" };

/** @param {import("node:test").TestContext} t */
function fileIn(t) {
  const folder = mkdtempSync(path.join(tmpdir(), "pauses-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return path.join(folder, "pauses.csv");
}

/** Collects young objects twice, then all, and waits to be told of them. */
const COLLECTS = `
  gc({ type: "minor" });
  gc({ type: "minor" });
  gc();
  setTimeout(() => {}, 300);
`;

/** Asks V8 where the functions are that velocy sets for a body. */
const LOOKS = `
  import { createServer, Router } from "velocy";
  const place = (fn) => (%InYoungGeneration(fn) ? "young" : "old");
  const router = new Router();
  router.post("/", async (req, res) => {
    const { onUnheard, socket } = req;
    const { destroySoon } = socket;
    const isOwn = Object.hasOwn(socket, "destroySoon");
    const words = ["onUnheard", place(onUnheard) + ",", "destroySoon"];
    console.log(...words, isOwn ? place(destroySoon) : "not set");
    await req.text();
    return "";
  });
  const server = createServer(router).listen(0, async () => {
    const url = "http://127.0.0.1:" + server.address().port;
    await fetch(url, { method: "POST", body: "x" });
    process.exit();
  });
`;

const COUNT_CONNECTIONS = `SELECT count(*)::int FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;

describe("One in a hundred", () => {
  it("writes down each pause: when, of which kind, and how long", async (t) => {
    const file = fileIn(t);
    const start = Date.now();
    const words = [
      "--expose-gc",
      "--import",
      "./pauses.js",
      "-e",
      COLLECTS,
    ];
    const env = { ...process.env, PAUSES: file };
    await run(process.execPath, words, { cwd: FOLDER, env });
    const pauses = readPauses(file);
    const short = pauses.filter(({ isShort }) => isShort);
    assert.ok(short.length >= 2, readFileSync(file, "utf8"));
    assert.ok(pauses.length > short.length, readFileSync(file, "utf8"));
    for (const { at, ms } of pauses) {
      assert.ok(at > start - 100 && at < Date.now() + 100, `${at}`);
      assert.ok(ms > 0 && ms < 5_000, `${ms}`);
    }
  });

  it("leaves a program alone that isn't asked to write", async () => {
    const words = ["--import", "./pauses.js", "-p", "1"];
    const env = { ...process.env, PAUSES: "" };
    const { stdout } = await run(process.execPath, words, {
      cwd: FOLDER,
      env,
    });
    assert.equal(stdout, "1\n");
  });

  it("makes no function of a request in the old generation", async () => {
    const words = ["--allow-natives-syntax", "--input-type=module", "-e"];
    const { stdout } = await run(process.execPath, [...words, LOOKS], {
      cwd: FOLDER,
    });
    assert.equal(stdout, "onUnheard young, destroySoon young\n");
  });

  it("tells of the last seconds alone", async (t) => {
    const file = fileIn(t);
    const lines = ["1000,1,90", "12000,1,2", "13000,1,4.04", "14000,1,3"];
    writeFileSync(file, `${[...lines, "15000,4,9"].join("\n")}\n`);
    const words = ["pauses.js", "10", file];
    const { stdout } = await run(process.execPath, words, { cwd: FOLDER });
    assert.equal(
      stdout,
      "scavenges: 3, median 3.0 ms, at most 4.0\n" +
        "others: 1, median 9.0 ms, at most 9.0\n",
    );
  });

  it("tells of none", async (t) => {
    const file = fileIn(t);
    writeFileSync(file, "");
    const words = ["pauses.js", "10", file];
    const { stdout } = await run(process.execPath, words, { cwd: FOLDER });
    assert.equal(stdout, "scavenges: none\nothers: none\n");
  });

  it("closes idle connections after POOL_IDLE_MS, and never for 0", {
    skip: NO_POSTGRES,
  }, async (t) => {
    const { url } = await database(t);
    for (const [POOL_IDLE_MS, left] of /** @type {const} */ ([
      ["0", 1],
      ["100", 0],
    ])) {
      const server = await nodeServer(t, {
        DATABASE_URL: url,
        POOL_IDLE_MS,
      });
      assert.equal((await add(server.port, ADA)).status, 201);
      await sleep(1_000);
      const [{ count }] = await query(url, COUNT_CONNECTIONS);
      assert.equal(count, left, `after POOL_IDLE_MS=${POOL_IDLE_MS}`);
      await server.close();
    }
  });
});
