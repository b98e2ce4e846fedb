import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { check } from "../../tools/check/check.js";
import { listMilestones } from "../../tools/lib/milestones.js";
import { root as repository } from "../../tools/lib/setup.js";
import { makeWorkbench } from "../../tools/lib/workbench.js";
import { listFiles } from "../../tools/walk/milestone.js";
import { makeBook } from "../walk/book.js";

/** A book of two chapters, and a reader's folder beside it. */
const BOOK = {
  "chapters/ch01-one.md": `# The first

## Adding

\`\`\`js file=add.js
export function add(a, b) {
  return a + b;
}
\`\`\`

## Greeting \`you\`

\`\`\`js file=greet.js
export const greet = (name) => \`Hello \${name}\`;
\`\`\`

## Challenges
`,
  "chapters/ch02-two.md": "# The second\n\n## Subtracting\n",
  "code/ch01-one/add.js": "export function add(a, b) {\n  return a + b;\n}\n",
  "code/ch01-one/greet.js": "export const greet = (name) => `Hello ${name}`;\n",
  "code/ch01-one/package.json": '{ "type": "module" }\n',
  "code/ch01-one/test/add.test.js": `
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { add } from "../add.js";
import { greet } from "../greet.js";
import { two } from "../../contracts/two.js";

describe("Adding", () => {
  it("adds one and one", () => assert.equal(add(1, 1), two));
  it("adds a thousand", () => assert.equal(add(1000, 0), 1000));
});

describe("Greeting you", () => {
  it("says hello", () => assert.equal(greet("Zoë"), "Hello Zoë"));
});
`,
  "code/ch01-one/test/challenge-2.test.js": `
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { add } from "../add.js";

describe("Challenges", { skip: process.env.CHALLENGE !== "2" && "challenge 2" }, () => {
  it("adds three numbers", () => assert.equal(add(1, 1, 1), 3));
});
`,
  "code/ch01-one/test/hints.json": '{ "Adding": "Look at the sign." }\n',
  "code/ch02-two/subtract.js": "export const subtract = (a, b) => a - b;\n",
  "code/ch02-two/package.json": '{ "type": "module" }\n',
  "code/ch02-two/test/subtract.test.js": "",
  "code/contracts/package.json": '{ "type": "module" }\n',
  "code/contracts/two.js": "export const two = 2;\n",
};

const MINE = {
  "mine/add.js": BOOK["code/ch01-one/add.js"],
  "mine/greet.js": BOOK["code/ch01-one/greet.js"],
  "mine/package.json": BOOK["code/ch01-one/package.json"],
};

/**
 * Checks the folder `mine` of a book.
 *
 * @param {import("node:test").TestContext} t
 * @param {Record<string, string>} files  beside those of the book
 * @param {Partial<Parameters<typeof check>[0]>} [options]
 */
async function checkMine(t, files, options = {}) {
  const root = makeBook(t, { ...BOOK, ...files });
  /** @type {string[]} */
  const lines = [];
  const code = await check({
    root,
    chapter: "ch01",
    folder: join(root, "mine"),
    print: (line) => lines.push(line),
    ...options,
  });
  return { code, text: lines.join("\n"), root };
}

describe("npm run check", () => {
  it("passes the chapter's own files, section by section", async (t) => {
    const { code, text } = await checkMine(t, MINE);
    assert.equal(code, 0);
    assert.match(text, /^Chapter 1, The first: /);
    assert.match(text, /✔ Adding: 2 of 2\n✔ Greeting you: 1 of 1\n/);
    assert.match(text, /3 passed, 0 failed$/);
  });

  it("has all that the tests of the book's chapters import", () => {
    const milestones = listMilestones(repository);
    assert.ok(milestones.length > 20);
    for (const milestone of milestones) {
      const { folder, remove } = makeWorkbench(repository, milestone, [milestone.folder]);
      for (const path of listFiles(folder).filter((each) => /^test\/.+\.js$/.test(each))) {
        const text = readFileSync(join(folder, path), "utf8");
        for (const [, name] of text.matchAll(/^(?:import|export)\b[^;]*? from "(\.[^"]+)";/gms)) {
          const file = join(folder, dirname(path), name);
          assert.ok(existsSync(file), `${milestone.name}/${path} imports ${name}`);
        }
      }
      remove();
    }
  });

  it("tells what fails, one hint, and where to read on", async (t) => {
    const add = "export function add(a, b) {\n  return a - b;\n}\n";
    const { code, text } = await checkMine(t, { ...MINE, "mine/add.js": add });
    assert.equal(code, 1);
    assert.match(text, /✖ Adding: 1 of 2\n\n {4}adds one and one\n/);
    assert.match(text, /expected {2}2\n {6}got {7}0\n/);
    assert.match(text, /Hint: Look at the sign\.\n {4}Read: .*\/chapters\/ch01-one\.md:3\n/);
    assert.match(text, /✔ Greeting you: 1 of 1/);
    assert.match(text, /2 passed, 1 failed\nAdd --diff/);
    assert.doesNotMatch(text, /node:internal|check-/, "nothing of how it is run");
  });

  it("links to the section in the published book, in the built one, or in the chapter", async (t) => {
    const files = { ...MINE, "mine/greet.js": 'export const greet = () => "Hi";\n' };
    const built = { "book/ch01-one.html": '<h2 id="greeting-you">Greeting you</h2>' };
    const published = { "package.json": '{ "homepage": "https://example.com/book/" }' };
    const read = async (/** @type {Record<string, string>} */ others) => {
      const { text, root } = await checkMine(t, { ...files, ...others });
      return /Read: (.*)/.exec(text)?.[1].replace(root, "ROOT");
    };
    assert.equal(
      await read({ ...built, ...published }),
      "https://example.com/book/ch01-one.html#greeting-you",
    );
    assert.equal(await read(built), "file://ROOT/book/ch01-one.html#greeting-you");
    assert.equal(await read({}), "ROOT/chapters/ch01-one.md:11");
    const stale = { "book/ch01-one.html": "<h2>Another</h2>" };
    assert.equal(await read(stale), "ROOT/chapters/ch01-one.md:11");
  });

  it("links to the page that holds the section, in a chapter of several", async (t) => {
    const chapter = BOOK["chapters/ch01-one.md"].replace(
      "## Greeting `you`",
      "<!-- page: And now you -->\n\n## Greeting `you`",
    );
    const files = {
      ...MINE,
      "chapters/ch01-one.md": chapter,
      "mine/greet.js": 'export const greet = () => "Hi";\n',
      "package.json": '{ "homepage": "https://example.com/book/" }',
    };
    const { text } = await checkMine(t, files);
    assert.match(text, /Read: https:\/\/example\.com\/book\/ch01-and-now-you\.html#greeting-you\n/);
  });

  it("has a hint of its own for a test, where the section's would mislead", async (t) => {
    const hints = JSON.stringify({ Adding: "The sign?", "Adding > thousand": "It is too large." });
    const wrong = async (/** @type {string} */ body) => {
      const add = `export function add(a, b) {\n  ${body}\n}\n`;
      const files = { ...MINE, "mine/add.js": add, "code/ch01-one/test/hints.json": hints };
      return /Hint: (.*)/.exec((await checkMine(t, files)).text)?.[1];
    };
    assert.equal(await wrong("return a > 999 ? 0 : a + b;"), "It is too large.");
    assert.equal(await wrong("return a - b;"), "The sign?");
  });

  it("shows a function as such, and not as undefined", async (t) => {
    const add = "export const add = () => function sum() {};\n";
    const { text } = await checkMine(t, { ...MINE, "mine/add.js": add });
    assert.match(text, /expected {2}2\n {6}got {7}\[Function: sum\]\n/);
  });

  it("shows the smallest difference to the book when asked", async (t) => {
    const files = {
      ...MINE,
      "mine/add.js": "export function add(a, b) {\n  return a - b;\n}\n",
      "mine/greet.js": "const a = 1;\nconst b = 2;\nexport const greet = () => a + b;\n",
    };
    const { text } = await checkMine(t, files, { showsDifference: true });
    assert.match(text, /in add\.js \(- yours, \+ the book's\):\n\n {2}line 1:\n/);
    assert.match(text, / {4}- {2}return a - b;\n {4}\+ {2}return a \+ b;\n/);
    assert.match(text, /Also different:\n {2}greet\.js, 4 lines$/);
    const same = await checkMine(t, MINE, { showsDifference: true });
    assert.match(same.text, /Your files are those of the book, byte for byte\.$/);
  });

  it("names an error's place in the reader's file", async (t) => {
    const add = "export function add(a, b) {\n  return a.b.c;\n}\n";
    const { text } = await checkMine(t, { ...MINE, "mine/add.js": add });
    assert.match(text, /Cannot read properties of undefined \(reading 'c'\)\n {6}at add\.js:2:14/);
  });

  it("names what keeps the files from loading", async (t) => {
    const broken = await checkMine(t, {
      ...MINE,
      "mine/add.js": "export function add(a, b {\n}\n",
    });
    assert.equal(broken.code, 1);
    assert.match(broken.text, /✖ Your files: 0 of 1/);
    assert.match(broken.text, /add\.js:1\n {6}export function add\(a, b \{/);
    const { "mine/greet.js": _, ...withoutGreet } = MINE;
    const missing = await checkMine(t, withoutGreet);
    assert.match(missing.text, /^\(It has no greet\.js\.\)$/m);
    assert.match(missing.text, /there is no greet\.js in your folder/);
    assert.match(
      missing.text,
      /Hint: greet\.js is written under "Greeting you"\.\n {4}Read: .*ch01-one\.md:11\n/,
    );
  });

  it("names an export that is missing, and where the book has it", async (t) => {
    const { text } = await checkMine(t, {
      ...MINE,
      "mine/add.js": "export const plus = (a, b) => a + b;\n",
    });
    assert.match(text, /add\.js exports no add, and the chapter's tests import it\n/);
    assert.match(text, /Hint: Look how add is spelled.* add\.js is written under "Adding"\.\n/);
    assert.match(text, /Read: .*ch01-one\.md:3\n/);
  });

  it("doesn't wait for files that come to no end", async (t) => {
    const add = "setInterval(() => {}, 1000);\nexport const add = () => 2;\n";
    const { code, text } = await checkMine(t, { ...MINE, "mine/add.js": add }, { limit: 1_000 });
    assert.equal(code, 1);
    assert.match(text, /✖ Your files: 0 of 1/);
    assert.match(text, /the tests came to no end/);
  });

  it("takes a folder that holds a challenge's own file and nothing else", async (t) => {
    const files = {
      "code/ch01-one/solutions/3-alone/alone.js": "export const alone = true;\n",
      "code/ch01-one/test/challenge-3.test.js": `
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { alone } from "../alone.js";

describe("Challenges", { skip: process.env.CHALLENGE !== "3" && "challenge 3" }, () => {
  it("is alone", () => assert.ok(alone));
});
`,
      "mine/alone.js": "export const alone = true;\n",
    };
    const { code, text } = await checkMine(t, files, { challenge: "3" });
    assert.match(text, /✔ Challenges: 1 of 1/);
    assert.equal(code, 0);
    await assert.rejects(checkMine(t, files), /has none of chapter 1's files/);
  });

  it("checks one challenge by its own test", async (t) => {
    const failing = await checkMine(t, MINE, { challenge: "2" });
    assert.equal(failing.code, 1);
    assert.match(failing.text, /✖ Challenges: 0 of 1/);
    const add = "export const add = (...all) => all.reduce((a, b) => a + b);\n";
    const { code, text } = await checkMine(t, { ...MINE, "mine/add.js": add }, { challenge: "2" });
    assert.equal(code, 0);
    assert.match(text, /✔ Challenges: 1 of 1/);
  });

  it("leaves the reader's folder alone, and its own tests out", async (t) => {
    const files = { ...MINE, "mine/test/add.test.js": "throw new Error();\n" };
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("check-"));
    const { code, root } = await checkMine(t, files);
    assert.equal(code, 0);
    assert.ok(!existsSync(join(root, "mine/node_modules")));
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith("check-"));
    assert.deepEqual(
      after.filter((name) => !before.includes(name)),
      [],
    );
  });

  /** What is said, by what was done wrong. @type {[string, RegExp, any][]} */
  const mistakes = [
    [
      "a chapter that isn't there",
      /There is no chapter 7 to check\. There are: ch01, ch02\./,
      { chapter: "ch07" },
    ],
    [
      "a folder in the chapter's place",
      /`velocy` is no chapter: the chapter comes first/,
      { chapter: "velocy" },
    ],
    [
      "a challenge that isn't there",
      /no challenge 9 with a test, but these: 2\./,
      { challenge: "9" },
    ],
    [
      "a chapter without challenges",
      /Chapter 2 has no challenges with a test\./,
      { chapter: "2", challenge: "1" },
    ],
    ["a folder that isn't there", /There is no folder \/nowhere\./, { folder: "/nowhere" }],
  ];
  for (const [mistake, message, options] of mistakes) {
    it(`has a sentence for ${mistake}`, async (t) => {
      await assert.rejects(checkMine(t, MINE, options), { name: "UserError", message });
    });
  }

  it("has a sentence for a file, an empty folder and somebody else's folder", async (t) => {
    const root = makeBook(t, { ...BOOK, ...MINE, "empty/node_modules/a.js": "", "other/a.py": "" });
    const options = { root, chapter: "1", print: () => {} };
    const checking = (/** @type {string} */ path) =>
      check({ ...options, folder: join(root, path) });
    await assert.rejects(checking("mine/add.js"), /add\.js is a file\. Name the folder/);
    await assert.rejects(checking("empty"), /empty is empty\. Name the folder in which you typed/);
    await assert.rejects(
      checking("other"),
      /has none of chapter 1's files \(add\.js, greet\.js or/,
    );
  });

  it("says which chapter a folder looks like", async (t) => {
    const checking = checkMine(t, MINE, { chapter: "ch02" });
    await assert.rejects(checking, /looks like chapter 1, not chapter 2: it has no subtract\.js\./);
    await assert.rejects(checking, /npm run check -- ch01 /);
  });
});
