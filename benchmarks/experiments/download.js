/**
 * Downloads a file from chapter 14's files(), twice, and looks at the
 * server's memory for each so many bytes that came:
 *
 *     node benchmarks/experiments/download.js [--mebibytes 1024] [--machine NAME]
 *
 * Exits with 1 if the server's memory grew by more than a tenth of the file.
 * Linux only: it reads /proc.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine } from "../lib/machine.js";

const SERVER = fileURLToPath(new URL("download-server.js", import.meta.url));
const RESULTS = new URL("../results/", import.meta.url);
const MEBIBYTE = 1024 ** 2;
/** How often the memory is looked at while a file comes. */
const LOOKS = 32;
/** How much the memory may grow, as a share of the file. */
const FLAT = 1 / 10;

/** @param {number} pid */
function residentBytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/**
 * @param {string} path
 * @param {number} mebibytes
 */
async function writeMebibytes(path, mebibytes) {
  const chunk = Buffer.alloc(MEBIBYTE, "0123456789abcdef");
  const file = await open(path, "w");
  for (let written = 0; written < mebibytes; written += 1) await file.writeFile(chunk);
  await file.close();
}

/**
 * @param {number} pid the server's
 * @param {number} port
 * @param {number} bytes that should come
 */
async function download(pid, port, bytes) {
  /** @type {{ gotMebibytes: number, rssBytes: number }[]} */
  const samples = [];
  let got = 0;
  const look = () => samples.push({ gotMebibytes: got / MEBIBYTE, rssBytes: residentBytes(pid) });
  look();
  const start = performance.now();
  const [res] = await once(get({ host: "127.0.0.1", port, path: "/file" }), "response");
  for await (const chunk of res) {
    got += chunk.length;
    if (got >= (samples.length * bytes) / LOOKS) look();
  }
  const seconds = (performance.now() - start) / 1000;
  if (res.statusCode !== 200 || got !== bytes) {
    throw new Error(`${res.statusCode}, and ${got} bytes of ${bytes}`);
  }
  return { seconds, mostBytes: Math.max(...samples.map(({ rssBytes }) => rssBytes)), samples };
}

/** @param {number} mebibytes */
async function downloadTwice(mebibytes) {
  const folder = mkdtempSync(join(tmpdir(), "velocy-download-"));
  await writeMebibytes(join(folder, "file"), mebibytes);
  const server = fork(SERVER, [folder]);
  try {
    const pid = Number(server.pid);
    const [port] = await once(server, "message");
    const first = await download(pid, port, mebibytes * MEBIBYTE);
    return { first, again: await download(pid, port, mebibytes * MEBIBYTE) };
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

const { values } = parseArgs({
  options: {
    mebibytes: { type: "string", default: "1024" },
    machine: { type: "string" },
  },
});
const mebibytes = Number(values.mebibytes);
const startedAt = new Date().toISOString();
const where = describeMachine();
const runs = await downloadTwice(mebibytes);
const restBytes = runs.first.samples[0].rssBytes;
for (const [name, { mostBytes, seconds }] of Object.entries(runs)) {
  const [rest, most] = [restBytes, mostBytes].map((bytes) => (bytes / MEBIBYTE).toFixed(0));
  console.log(`${name}: from ${rest} to at most ${most} MiB, ${seconds.toFixed(1)} s`);
}
const mostBytes = Math.max(runs.first.mostBytes, runs.again.mostBytes);
const growthBytes = mostBytes - restBytes;
const isFlat = growthBytes < mebibytes * MEBIBYTE * FLAT;
if (!isFlat) process.exitCode = 1;
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/download.js --machine ${values.machine}`;
  const result = {
    suite: "download",
    startedAt,
    command,
    node: process.version,
    where,
    mebibytes,
    isFlat,
    restBytes,
    growthBytes,
    runs,
  };
  const file = new URL("download.json", folder);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}
