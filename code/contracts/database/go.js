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
 */
export async function buildGo(folder, target) {
  const place = mkdtempSync(path.join(tmpdir(), "build-go-"));
  try {
    cpSync(folder, place, { recursive: true });
    copyFileSync(SUMS, path.join(place, "go.sum"));
    await promisify(execFile)("go", ["build", "-o", target, "."], {
      cwd: place,
    });
  } finally {
    rmSync(place, { recursive: true });
  }
}
