import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { linesOf } from "../../contracts/log/index.js";
import { makeFolder, read, runProgram } from "../../contracts/log/run.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

const INDEX = new URL("../index.js", import.meta.url).href;

describe("Challenges", { skip }, () => {
  for (const how of ["throw err", "Promise.reject(err)"]) {
    it(`has the error in its last line at ${how}`, async (t) => {
      const path = join(makeFolder(t), "a.log");
      const source = `
        const logger = createLogger({ destination, lastWord: true });
        logger.info("before");
        const err = new Error("nobody catches this");
        setTimeout(() => { ${how}; }, 100);`;
      const { code, errors } = await runProgram(INDEX, source, path);
      assert.equal(code, 1);
      assert.match(errors, /nobody catches this/);
      const [before, last, ...others] = linesOf(read(path));
      assert.deepEqual(others, []);
      assert.equal(before.message, "before");
      assert.equal(last.level, "fatal");
      assert.equal(last.message, "nobody catches this");
      assert.match(last.err.stack, /Error: nobody catches this\n {4}at /);
    });
  }

  it("says nothing where somebody catches it", async (t) => {
    const path = join(makeFolder(t), "a.log");
    const source = `
      createLogger({ destination, lastWord: true }).info("only");
      try { throw new Error("caught"); } catch {}`;
    assert.equal((await runProgram(INDEX, source, path)).code, 0);
    assert.equal(linesOf(read(path)).length, 1);
  });
});
