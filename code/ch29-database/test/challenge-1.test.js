import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { look } from "../monitor.js";
import { NO_PROC } from "./rig.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

/** Holds a file's descriptors, and has a child that has one itself. */
const TREE = `
  const { fork } = require("node:child_process");
  const { openSync } = require("node:fs");
  for (let i = 0; i < 50; i += 1) openSync("/dev/null");
  const depth = Number(process.argv[1] ?? 0);
  const say = () => (process.send ? process.send("ready") : console.log("ready"));
  if (depth === 2) say();
  else {
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", process.env.TREE, depth + 1], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.on("message", say);
    process.on("SIGTERM", () => { child.kill(); process.exit(); });
  }
  setInterval(() => {}, 1000);
`;

/** Has a child that uses 300 ms of a core, and ends when it is told to. */
const ENDS = `
  const { spawn } = require("node:child_process");
  const child = spawn(process.execPath, ["-e", \`
    while (process.cpuUsage().user < 300_000);
    console.log("ready");
    setInterval(() => {}, 1000);
  \`], { stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.on("data", () => console.log("ready"));
  child.on("exit", () => console.log("ended"));
  process.on("SIGUSR2", () => child.kill());
`;

describe("Challenges", { skip: skip || NO_PROC }, () => {
  it("adds up a process, its child and its child's child", async (t) => {
    const child = spawn(process.execPath, ["-e", TREE, "0"], {
      env: { ...process.env, TREE },
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => child.kill());
    await once(child.stdout, "data");
    const { descriptors, threads, ram } = look(Number(child.pid));
    assert.ok(descriptors >= 150, `${descriptors} descriptors`);
    assert.ok(threads >= 15, `${threads} threads`);
    assert.ok(ram > 60_000, `${ram} KB`);
  });

  it("keeps the time of a child that has ended", async (t) => {
    const child = spawn(process.execPath, ["-e", ENDS], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => child.kill());
    await once(child.stdout, "data");
    const before = look(Number(child.pid));
    child.kill("SIGUSR2");
    await once(child.stdout, "data");
    const after = look(Number(child.pid));
    assert.ok(
      after.cpu >= before.cpu,
      `${before.cpu} ms, then ${after.cpu}`,
    );
  });
});
