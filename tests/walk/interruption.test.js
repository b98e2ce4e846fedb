import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { lacks } from "../../tools/lib/programs.js";
import { makeBook } from "./book.js";

const options = { timeout: 20_000, skip: lacks("ps") };
it("an interrupted walk leaves no process and no folder behind", options, async (t) => {
  const walker = new URL("../../tools/walk/walk.js", import.meta.url);
  const main = new URL("../../tools/lib/main.js", import.meta.url);
  const root = makeBook(t, {
    "run.mjs": `
      import { walk } from ${JSON.stringify(walker.href)};
      import { runMain } from ${JSON.stringify(main.href)};
      await runMain(async () => {
        await walk({ root: process.argv[2], node: process.execPath });
        return 0;
      });`,
    "chapters/ch01-one.md": `<!-- milestone: ch01-one -->
~~~console
$ trap '' INT; echo $$ $TMPDIR > ../contracts/started; sleep 60
never
~~~
`,
    // What a chapter sees of the repository.
    "code/contracts/README": "",
  });
  const started = join(root, "code/contracts/started");
  const child = spawn(process.execPath, [join(root, "run.mjs"), root]);
  /** @type {string[]} */
  const printed = [];
  child.stderr.on("data", (text) => printed.push(text));
  while (!existsSync(started) || readFileSync(started, "utf8") === "") {
    assert.equal(child.exitCode, null, printed.join(""));
    await sleep(20);
  }
  const [pid, folder] = readFileSync(started, "utf8").trim().split(" ");
  assert.ok(existsSync(folder));

  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  assert.equal(code, 130);
  assert.ok(!existsSync(folder), "the temporary folder is gone");
  for (let tries = 0; isRunning(pid) && tries < 50; tries++) await sleep(20);
  assert.ok(!isRunning(pid), "the command is gone");
});

/**
 * Whether a process runs. One that was killed may be listed as a zombie for as
 * long as nobody asks for its end.
 *
 * @param {string} pid
 */
function isRunning(pid) {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}
