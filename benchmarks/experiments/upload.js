/**
 * Uploads a file to chapter 13's velocy, which gathers it, or takes it as a
 * part, and writes it to the disk; and looks at the server's memory for each
 * so many bytes that were sent:
 *
 *     node benchmarks/experiments/upload.js [--mebibytes 1024] [--machine NAME]
 *
 * Exits with 1 if the memory of the server that takes parts grew by more
 * than a tenth of the file. Linux only: it reads /proc.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine } from "../lib/machine.js";

const SERVER = fileURLToPath(new URL("upload-server.js", import.meta.url));
const RESULTS = new URL("../results/", import.meta.url);
const MEBIBYTE = 1024 ** 2;
const BOUNDARY = "upload";
const HEAD =
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n` +
  "Content-Type: application/octet-stream\r\n\r\n";
const END = `\r\n--${BOUNDARY}--\r\n`;
/** How much the memory may grow, as a share of the file. */
const FLAT = 1 / 10;

/** @param {number} pid */
function residentBytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/**
 * @param {"whole" | "parts"} how
 * @param {number} mebibytes
 */
async function upload(how, mebibytes) {
  const path = join(tmpdir(), `velocy-upload-${process.pid}`);
  const server = fork(SERVER, [how, path]);
  const pid = Number(server.pid);
  const [port] = await once(server, "message");
  const chunk = Buffer.alloc(MEBIBYTE, "0123456789abcdef");
  const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
  const req = request({ host: "127.0.0.1", port, method: "POST", headers });
  /** @type {{ sentMebibytes: number, rssBytes: number }[]} */
  const samples = [{ sentMebibytes: 0, rssBytes: residentBytes(pid) }];
  const start = performance.now();
  req.write(HEAD);
  for (let sent = 1; sent <= mebibytes; sent += 1) {
    if (!req.write(chunk)) await once(req, "drain");
    if (sent % (mebibytes / 32) !== 0) continue;
    samples.push({ sentMebibytes: sent, rssBytes: residentBytes(pid) });
  }
  req.end(END);
  const [res] = await once(req, "response");
  res.resume();
  await once(res, "end");
  const seconds = (performance.now() - start) / 1000;
  samples.push({ sentMebibytes: mebibytes, rssBytes: residentBytes(pid) });
  server.kill();
  rmSync(path, { force: true });
  if (res.statusCode !== 200) throw new Error(`${how}: ${res.statusCode}`);
  const most = Math.max(...samples.map(({ rssBytes }) => rssBytes));
  const growthBytes = most - samples[0].rssBytes;
  console.log(
    `${how}: from ${(samples[0].rssBytes / MEBIBYTE).toFixed(0)} to at most ` +
      `${(most / MEBIBYTE).toFixed(0)} MiB, ${seconds.toFixed(1)} s`,
  );
  return { seconds, mostBytes: most, growthBytes, samples };
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
const runs = {
  whole: await upload("whole", mebibytes),
  parts: await upload("parts", mebibytes),
};
const isFlat = runs.parts.growthBytes < mebibytes * MEBIBYTE * FLAT;
if (!isFlat) process.exitCode = 1;
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/upload.js --machine ${values.machine}`;
  const node = process.version;
  const result = { suite: "upload", startedAt, command, node, where, mebibytes, isFlat, runs };
  const file = new URL("upload.json", folder);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}
