import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { it } from "node:test";
import { milestonesFolder } from "../../benchmarks/lib/paths.js";
import { buildGo } from "../../code/contracts/database/go.js";
import { lacks } from "../../tools/lib/programs.js";

it("ends a build of the Go server whose modules never come, and says so", {
  skip: lacks("go"),
  timeout: 30_000,
}, async (t) => {
  const place = mkdtempSync(path.join(tmpdir(), "no-modules-"));
  // It takes connections and answers nothing.
  const silent = net.createServer(() => {}).listen(0, "127.0.0.1");
  const { GOPROXY, GOMODCACHE, GOFLAGS } = process.env;
  t.after(() => {
    silent.close();
    for (const [name, value] of Object.entries({ GOPROXY, GOMODCACHE, GOFLAGS })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(place, { recursive: true, force: true });
  });
  await new Promise((resolve) => silent.once("listening", () => resolve(undefined)));
  const { port } = /** @type {net.AddressInfo} */ (silent.address());
  Object.assign(process.env, {
    GOPROXY: `http://127.0.0.1:${port}`,
    GOMODCACHE: path.join(place, "modules"),
    GOFLAGS: "-modcacherw",
  });
  const program = path.join(place, "users-go");
  const folder = path.join(milestonesFolder, "ch29-database/go");
  await assert.rejects(buildGo(folder, program, 2), /hasn't ended after 2 s.*go mod download/);
  assert.equal(existsSync(program), false);
});
