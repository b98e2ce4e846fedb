import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export const MILESTONE = fileURLToPath(new URL("..", import.meta.url));

process.env.PORT = "0";

/** @param {string} file @param {(origin: string) => any} work */
export async function withServer(file, work, execArgv = []) {
  const args = [...execArgv, join(MILESTONE, file)];
  const child = spawn(process.execPath, args, { cwd: MILESTONE });
  const [stderr, exited] = [text(child.stderr), once(child, "exit")];
  let stdout = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  let value;
  try {
    while (!stdout.includes("\n")) {
      const [data] = await Promise.race([
        once(child.stdout, "data"),
        exited,
      ]);
      if (typeof data !== "string") throw new Error(await stderr);
    }
    const [, origin] = /^listening on (\S+)/.exec(stdout) ?? [];
    value = await work(origin);
  } finally {
    child.kill();
    await exited;
  }
  return { value, stdout, stderr: await stderr };
}

/** Runs a program of the milestone in a folder of its own. */
export async function run(args) {
  const folder = mkdtempSync(join(tmpdir(), "ch27-"));
  try {
    const child = spawn(
      process.execPath,
      args.map((each) =>
        each.endsWith(".js") ? resolve(MILESTONE, each) : each,
      ),
      { cwd: folder },
    );
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    const flame = join(folder, "flame.svg");
    const svg = existsSync(flame) ? readFileSync(flame, "utf8") : null;
    return { stdout, stderr, code, svg };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {import("node:http").RequestListener} listener */
export async function listen(listener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}/`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, close };
}
