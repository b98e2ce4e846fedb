import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import {
  hashMilestone,
  listContenders,
  prepare,
  readContender,
  velocyMilestones,
} from "../../benchmarks/lib/contenders.js";
import { asDocumented, benchmarkContract } from "../../benchmarks/lib/contract.js";
import { suites } from "../../benchmarks/lib/suites.js";
import { pinnedVersion } from "../../tools/lib/node-version.js";

describe("a contender", () => {
  for (const id of listContenders()) {
    it(`${id} has a title, a runtime and a program`, () => {
      const { title, stack, runtime, single, folder } = readContender(id);
      assert.ok(title && stack && runtime);
      if (runtime !== "native" && !readContender(id).runsMilestone) {
        assert.ok(existsSync(path.join(folder, single)), `${single} is not in ${folder}`);
      }
    });
    it(`${id} says what it was written after`, () => {
      const readme = path.join(readContender(id).folder, "README.md");
      assert.match(readFileSync(readme, "utf8"), /^# .+\n\n.+/);
    });
  }

  it("that serves as documented is named as the source of its form", () => {
    const documented = listContenders()
      .map(readContender)
      .filter(({ form }) => form);
    assert.ok(documented.length >= 9);
    for (const { id, folder, single, runtime } of documented) {
      const readme = readFileSync(path.join(folder, "README.md"), "utf8");
      const name = runtime === "native" ? id : single;
      assert.match(readme, new RegExp(`\\| \`${name}\`.*\\| .{10,} \\| .{10,} \\|`), id);
    }
  });

  it("that is another one with another runtime takes the rest from there", () => {
    const [base, variant] = ["express", "express-node-20"].map(readContender);
    assert.equal(variant.folder, base.folder);
    assert.equal(variant.single, base.single);
    assert.equal(variant.package, base.package);
    assert.deepEqual([base.runtime, variant.runtime], ["node-26", "node-20"]);
    assert.notEqual(variant.title, base.title);
    assert.equal(variant.id, "express-node-20");
  });

  it("of today runs on the Node.js that the book pins", async () => {
    const contender = readContender("node-http");
    const { runtimeVersion } = await prepare(contender, { workers: 1 }, () => {});
    assert.equal(runtimeVersion, pinnedVersion);
  });

  it("as documented is held to what documentation writes, and only it", async () => {
    const use = { workers: 1, contract: benchmarkContract };
    const raw = readContender("node-http");
    const documented = { ...raw, form: /** @type {const} */ ("documented") };
    assert.equal((await prepare(raw, use, () => {})).contract, undefined);
    assert.deepEqual(
      (await prepare(documented, use, () => {})).contract,
      asDocumented(benchmarkContract),
    );
  });

  it("is told of the suite by its environment", async () => {
    const use = { name: "connection-each", workers: 2, isClosing: true };
    const { program } = await prepare(readContender("node-http"), use, () => {});
    const { WORK, WORKERS, CLOSING, TLS_KEY } = program.env;
    assert.deepEqual([WORK, WORKERS, CLOSING, TLS_KEY], ["connection-each", "2", "1", undefined]);
  });

  it("finds the files that its suite asks for, and only then", async () => {
    const file = suites.find(({ name }) => name === "file");
    assert.ok(file);
    const { program } = await prepare(readContender("node-http"), file, () => {});
    const { FILES = "", WORK } = program.env;
    assert.equal(WORK, "file");
    assert.equal(readFileSync(path.join(FILES, "page.txt"), "utf8").length, 16 * 1024);
    assert.ok(existsSync(path.join(FILES, "../secret.txt")));
    const other = await prepare(readContender("node-http"), { workers: 1 }, () => {});
    assert.equal(other.program.env.FILES, undefined);
  });

  it("is left out, by name and reason, on a system that it can't run on", async () => {
    const contender = { ...readContender("node-http"), systems: ["plan9"] };
    await assert.rejects(
      prepare(contender, { workers: 1 }, () => {}),
      { code: "ERR_BENCH_CONTENDER", message: /plan9 only, and this is / },
    );
  });

  it("that needs a program of the system says which, where it is missing", async () => {
    const contender = { ...readContender("files-nginx"), package: "no-such-program" };
    await assert.rejects(
      prepare(contender, { workers: 1 }, () => {}),
      { code: "ERR_BENCH_MISSING", message: /apt-get install no-such-program/ },
    );
  });

  for (const [id, what] of [
    ["go-http", /^Go is not on this machine: apt-get install golang/],
    ["c-floor", /^A C compiler, cc, is not on this machine: apt-get install gcc/],
  ]) {
    it(`${id} says what builds it, where that is missing`, async () => {
      const contender = { ...readContender(String(id)), systems: undefined };
      const { PATH } = process.env;
      process.env.PATH = "/nowhere";
      try {
        await assert.rejects(
          prepare(contender, { workers: 1 }, () => {}),
          { code: "ERR_BENCH_MISSING", message: what },
        );
      } finally {
        process.env.PATH = PATH;
      }
    });
  }

  it("is known when a suite names it", () => {
    for (const { name, contenders } of suites) {
      for (const id of contenders()) assert.ok(readContender(id), `${name}: ${id}`);
    }
  });
});

describe("the milestones that are measured", () => {
  it("are those of velocy", () => {
    const names = velocyMilestones();
    assert.ok(names.some((name) => name.startsWith("ch10-")));
    assert.ok(!names.some((name) => name.startsWith("ch24-")));
  });
  it("have a hash that sees a change in any file of theirs", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "milestone-"));
    try {
      const milestone = velocyMilestones().find((name) => name.startsWith("ch10-")) ?? "";
      cpSync(path.join("code", milestone), folder, { recursive: true });
      const before = hashMilestone(folder);
      assert.equal(hashMilestone(path.join("code", milestone)), before);
      writeFileSync(path.join(folder, "lib/router/node.js"), "// changed");
      assert.notEqual(hashMilestone(folder), before);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
