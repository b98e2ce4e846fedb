import assert from "node:assert/strict";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { HttpError } from "../index.js";
import { parsePartHead } from "../lib/request/part-head.js";
import { Coverage } from "../lib/testing/coverage.js";
import { Choices, fuzz } from "../testing.js";

const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
after(() => rmSync(folder, { recursive: true }));

const RIGHT = '\r\ncontent-disposition: form-data; name="a"';

/** @param {string} name @param {string} text */
async function load(name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return import(pathToFileURL(file).href);
}

/** A copy of lib/ with a bug in it. */
async function plant(name, file, from, to) {
  const lib = join(folder, name);
  cpSync(fileURLToPath(new URL("../lib", import.meta.url)), lib, {
    recursive: true,
  });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const path = join(lib, file);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(from), `${file} has no ${from}`);
  writeFileSync(path, text.replace(from, to));
  const errors = await import(pathToFileURL(join(lib, "errors.js")).href);
  return { ...(await import(pathToFileURL(path).href)), ...errors };
}

/** @param {(bytes: Buffer) => unknown} parse @param {Function} Refusal */
function readOrRefuse(parse, Refusal) {
  return (bytes) => {
    try {
      parse(bytes);
    } catch (err) {
      if (!(err instanceof Refusal)) throw err;
    }
  };
}

describe("Inputs that find their way", () => {
  it("sees code that runs for the first time, and only that", async () => {
    const { f } = await load(
      "ways.mjs",
      `export function f(a) {
        if (a === 1) return "one";
        return a > 5 ? "more" : "less";
      }`,
    );
    const coverage = new Coverage(/ways\.mjs$/);
    const seen = (a) => {
      f(a);
      return [coverage.hasNews(), f(a), coverage.takeNews()];
    };
    assert.deepEqual(seen(3), [true, "less", true]);
    assert.deepEqual(seen(4), [false, "less", false]);
    assert.deepEqual(seen(1), [true, "one", true]);
    assert.deepEqual(seen(9), [true, "more", true]);
    assert.deepEqual(seen(7), [false, "more", false]);
  });

  it("opens a door of four bytes, and the deaf don't", async () => {
    const bytes = [0x6f, 0x70, 0x65, 0x6e];
    const { open } = await load(
      "door.mjs",
      `export function open(input) {
        ${bytes.map((byte, i) => `if (input[${i}] !== ${byte}) return;`).join("\n")}
        throw new Error("open");
      }`,
    );
    const source = /door\.mjs$/;
    await assert.rejects(fuzz(open, { source, runs: 100_000 }), {
      message: 'the input "open" fails',
    });
    const deaf = await fuzz(open, { source: /nothing/, runs: 20_000 });
    assert.equal(deaf.length, 1);
  });

  it("finds a check that is missing in chapter 13's heads", async () => {
    const check = 'if (name === undefined) refuse("a part has no name");';
    const planted = await plant("name", "request/part-head.js", check, "");
    const read = readOrRefuse(planted.parsePartHead, planted.HttpError);
    const options = { source: /request\//, inputs: [RIGHT], runs: 5000 };
    await assert.rejects(fuzz(read, options), ({ message, cause }) => {
      assert.match(message, /content-disposition:form-data" fails/);
      assert.equal(cause.name, "TypeError");
      return true;
    });
    // What is handed in is tried first.
    const inputs = [RIGHT, "\r\ncontent-disposition:form-data"];
    await assert.rejects(fuzz(read, { ...options, inputs, runs: 0 }));
    const mended = readOrRefuse(parsePartHead, HttpError);
    await fuzz(mended, { ...options, runs: 500 });
  });

  it("listens again after a run that has found something", async () => {
    const { open } = await load(
      "twice.mjs",
      `export function open(input) {
        if (input[0] !== 111) return;
        if (input[1] !== 112) return;
        if (input[2] !== 101) return;
        throw new Error("open");
      }`,
    );
    const options = { source: /twice\.mjs$/, runs: 20_000 };
    const failure = { message: 'the input "ope" fails' };
    await assert.rejects(fuzz(open, { ...options, seed: 3 }), failure);
    await assert.rejects(fuzz(open, { ...options, seed: 4 }), failure);
  });

  it("keeps what has found something, and begins with it", async () => {
    const { f } = await load(
      "letters.mjs",
      `export function f(input) {
        if (input[0] === 97) { if (input[1] === 98) return 2; return 1; }
        return 0;
      }`,
    );
    const options = { source: /letters\.mjs$/, runs: 30_000 };
    const corpus = await fuzz(f, options);
    const found = corpus.map((input) => f(input));
    assert.ok(found.includes(2), `found ${found}`);
    const inputs = corpus.slice(1);
    const later = await fuzz(f, { ...options, inputs, runs: 500 });
    assert.deepEqual(later, corpus);
  });

  it("hears every file, also by an expression with a g", async () => {
    const coverage = new Coverage(/heard\d\.mjs$/g);
    for (const number of [1, 2, 3, 4]) {
      const text = 'export const f = () => "heard";';
      const { f } = await load(`heard${number}.mjs`, text);
      f();
    }
    coverage.takeNews();
    const heard = coverage.words().filter((word) => word === "heard");
    assert.equal(heard.length, 4);
  });

  it("doesn't keep the choices of all its runs", async (t) => {
    const byChance = t.mock.method(Choices, "byChance");
    await fuzz(() => {}, { source: /nothing/, runs: 1000 });
    const made = byChance.mock.calls[0].result?.made ?? [];
    assert.notEqual(made.length, 0);
    assert.ok(made.length < 100, `${made.length} choices`);
  });

  it("listens to files, and not to Node's own modules", async () => {
    const heard = [];
    const note = (bytes) => heard.push(Buffer.from(bytes, "latin1").length);
    await fuzz(note, { source: /^node:/, runs: 20 });
    assert.ok(heard.length > 20, `${heard.length} inputs`);
  });

  it("takes a character of a string for a byte", async () => {
    const read = (input) => assert.notDeepEqual([...input], [0, 0xff]);
    const options = { source: /nothing/, inputs: ["\0\xff"], runs: 0 };
    await assert.rejects(fuzz(read, options), {
      message: 'the input "\\u0000\\u00ff" fails',
    });
  });

  it("shows also what a terminal doesn't", async () => {
    const fail = (input) => assert.notEqual(input[0], 0x88);
    const options = { source: /nothing/, inputs: ["\x88\x81"], runs: 0 };
    await assert.rejects(fuzz(fail, options), {
      message: 'the input "\\u0088" fails',
    });
  });

  it("keeps its inputs from a target that changes them", async () => {
    const seen = [];
    const spoil = (input) => {
      seen.push(input.toString());
      input.fill("x");
    };
    const options = { source: /nothing/, inputs: ["ab"], runs: 50 };
    const corpus = await fuzz(spoil, options);
    assert.equal(corpus[1].toString(), "ab");
    assert.match(seen.slice(2).join(), /[ab]/);
  });

  it("tells what the input that it names fails with", async () => {
    const fail = (input) => {
      if (input.length > 0) throw new Error(`fails with ${input}`);
    };
    const options = { source: /nothing/, inputs: ["long"], runs: 0 };
    await assert.rejects(fuzz(fail, options), ({ message, cause }) => {
      assert.equal(message, 'the input "\\u0000" fails');
      assert.equal(cause.message, "fails with \0");
      return true;
    });
  });

  it("refuses options and seeds that would do nothing", async () => {
    for (const [options, code] of /** @type {[any, string][]} */ ([
      [{ source: /a/, run: 5 }, "ERR_OPTION_UNKNOWN"],
      [{ source: /a/, folder: "corpus" }, "ERR_OPTION_UNKNOWN"],
      [{ source: /a/, seed: 0 }, "ERR_OPTION_INVALID"],
      [{ source: /a/, runs: Number("lots") }, "ERR_OPTION_INVALID"],
      [{ source: /a/, runs: -1 }, "ERR_OPTION_INVALID"],
      [{}, "ERR_OPTION_INVALID"],
      [{ source: "lib/" }, "ERR_OPTION_INVALID"],
      [undefined, "ERR_OPTIONS_INVALID"],
    ])) {
      await assert.rejects(
        fuzz(() => {}, options),
        { code },
      );
    }
  });

  it("tries the same inputs with the same seed", async () => {
    const run = async (seed) => {
      const inputs = [];
      const note = (input) => inputs.push(input.toString("hex"));
      await fuzz(note, { source: /nothing/, runs: 200, seed });
      return inputs.join();
    };
    assert.equal(await run(5), await run(5));
    assert.notEqual(await run(5), await run(6));
  });
});
