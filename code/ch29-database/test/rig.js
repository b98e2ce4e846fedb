import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { buildGo } from "../../contracts/database/go.js";
import { freePort } from "../../contracts/port.js";
import { Program } from "../../contracts/program.js";

export * from "../../contracts/database/needs.js";

import { startPostgres } from "../postgres.js";

export const FOLDER = fileURLToPath(new URL("..", import.meta.url));

/** @typedef {import("node:test").TestContext | { after: (fn: () => unknown) => void }} Test */

/** @param {Test} t */
export async function database(t) {
  const port = await freePort();
  const postgres = await startPostgres({ port, fsync: false });
  t.after(() => postgres.stop());
  return { ...postgres, port };
}

/**
 * The milestone's server, on its own.
 *
 * @param {Test} t
 * @param {Record<string, string>} env
 */
export async function nodeServer(t, env) {
  const program = await Program.start(FOLDER, "server.js", env);
  t.after(() => program.close());
  return program;
}

/** @type {Promise<string> | undefined} */
let goProgram;

/**
 * The same in Go, built once for all tests of a file.
 *
 * @param {Test} t
 * @param {Record<string, string>} env
 */
export async function goServer(t, env) {
  goProgram ??= build();
  const child = spawn(await goProgram, {
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  t.after(() => void child.kill());
  const [line] = await once(createInterface(child.stdout), "line");
  return { pid: child.pid, port: Number(line.split(":").at(-1)) };
}

async function build() {
  const place = mkdtempSync(path.join(tmpdir(), "users-go-"));
  process.once("exit", () => rmSync(place, { recursive: true }));
  const program = path.join(place, "users-go");
  await buildGo(path.join(FOLDER, "go"), program);
  return program;
}

/** @param {number} port @param {unknown} body */
export function add(port, body) {
  return fetch(`http://127.0.0.1:${port}/user`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** @param {string} url @param {string} text */
export async function query(url, text) {
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
