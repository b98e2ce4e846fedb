import { execFile } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The hashes of the Go server's modules, which nobody types. */
const SUMS = fileURLToPath(new URL("go.sum", import.meta.url));

/**
 * Builds chapter 29's server in Go.
 *
 * @param {string} folder that of main.go
 * @param {string} target where to put the program
 * @param {number} [seconds] how long to wait for modules that have to be fetched
 * @throws {Error} what Go said, or that it is still waiting
 */
export async function buildGo(folder, target, seconds = 300) {
  const place = mkdtempSync(path.join(tmpdir(), "build-go-"));
  try {
    cpSync(folder, place, { recursive: true });
    copyFileSync(SUMS, path.join(place, "go.sum"));
    await promisify(execFile)("go", ["build", "-o", target, "."], {
      cwd: place,
      timeout: seconds * 1000,
    });
  } catch (err) {
    if (!(/** @type {any} */ (err).killed)) throw err;
    throw new Error(
      `go build hasn't ended after ${seconds} s: it waits, we think, for ` +
        "modules that this machine lacks and that `go env GOPROXY` doesn't " +
        `send. \`go mod download\` in ${folder} fetches them.`,
      { cause: err },
    );
  } finally {
    rmSync(place, { recursive: true });
  }
}
