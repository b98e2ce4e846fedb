import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { makeBook, problemsIn, problemsOf } from "./book.js";

/** @import { Problem } from "../../tools/book/problem.js" */

describe("a listing", () => {
  it("makes a file, and a later one replaces it", async (t) => {
    const root = makeBook(t, {
      "chapters/ch01-one.md": `<!-- milestone: ch01-one -->
~~~js file=lib/a.js
export const a = 1;
~~~

~~~js file=lib/a.js
export const a = 2;
~~~
`,
    });
    assert.deepEqual(await problemsOf(root, { write: true }), []);
    assert.equal(
      readFileSync(join(root, "code/ch01-one/lib/a.js"), "utf8"),
      "export const a = 2;\n",
    );
  });

  it("may be JSON or HTML too", async (t) => {
    const text = `~~~json file=package.json
{ "type": "module" }
~~~

~~~html file=public/index.html
<p>Hello
~~~
`;
    assert.deepEqual(await problemsIn(t, text), []);
  });

  it("of package.json with dependencies gives the sessions the repository's packages", async (t) => {
    const session = (/** @type {string} */ listing, /** @type {string} */ printed) =>
      `~~~json file=package.json\n${listing}\n~~~\n` +
      `~~~console\n$ ls node_modules || echo none\n${printed}\n~~~\n`;
    const files = { "node_modules/one/index.js": "" };
    const withOne = session('{ "dependencies": { "one": "1.0.0" } }', "one");
    assert.deepEqual(await problemsIn(t, withOne, files), []);
    const without = session('{ "type": "module" }', "none").replace("ls", "ls 2>/dev/null");
    assert.deepEqual(await problemsIn(t, without, files), []);
  });

  it("is refused when it doesn't parse, at the line where it doesn't", async (t) => {
    const [problem] = await problemsIn(t, "\n~~~js file=a.js\nconst a = 1;\nconst = 2;\n~~~\n");
    assert.match(problem, /^chapters\/ch01-one\.md:5: a\.js doesn't parse: Unexpected token/);
    assert.match(problem, /const = 2;\n {10}\^/);
  });

  it("is refused when its JSON isn't valid", async (t) => {
    const [problem] = await problemsIn(t, "~~~json file=a.json\n{,}\n~~~\n");
    assert.match(problem, /^chapters\/ch01-one\.md:2: a\.json isn't valid JSON/);
  });

  it("without a file only has to parse, be it a statement, an object or a method", async (t) => {
    const text = `~~~js
return await next();
~~~

~~~js
{ method: "GET", target: "/" }
~~~

~~~js
get(path) {
  return path;
}
~~~
`;
    assert.deepEqual(await problemsIn(t, text), []);
    const [problem] = await problemsIn(t, "~~~js\nlet a = ;\n~~~\n");
    assert.match(problem, /ch01-one\.md:3: this listing doesn't parse: Unexpected token/);
  });

  it("can't leave the milestone's folder", async (t) => {
    const [problem] = await problemsIn(t, "~~~js file=../a.js\n1;\n~~~\n");
    assert.match(problem, /ch01-one\.md:2: `file=` takes a path .* stays inside the folder/);
  });

  it("is refused when its info string has a slip", async (t) => {
    const [problem] = await problemsIn(t, "~~~js flie=a.js\n1;\n~~~\n");
    assert.match(problem, /ch01-one\.md:2: `flie=a\.js` is nothing that a js fence knows: file=/);
  });

  it("is found in a list, a quotation and a fold as well", async (t) => {
    const text = `
1. Make it:

   ~~~js file=a.js
   const a = 1;
   ~~~

> ~~~js file=b.js
> const b = 1;
> ~~~

<details><summary>Hint</summary>

~~~js file=c.js
const c = 1;
~~~

</details>
`;
    const root = makeBook(t, { "chapters/ch01-one.md": `<!-- milestone: ch01-one -->\n${text}` });
    assert.deepEqual(await problemsOf(root, { write: true }), []);
    for (const name of ["a", "b", "c"]) {
      const made = readFileSync(join(root, `code/ch01-one/${name}.js`), "utf8");
      assert.equal(made, `const ${name} = 1;\n`);
    }
  });
});

describe("a diff", () => {
  const before = `~~~js file=a.js
const a = 1;

function one() {
  return a;
}

function two() {
  return a;
}
~~~
`;

  it("changes the file in each of its hunks", async (t) => {
    const root = makeBook(t, {
      "chapters/ch01-one.md": `<!-- milestone: ch01-one -->
${before}
~~~diff file=a.js
@@ at the top @@
-const a = 1;
+const a = 2;
+const b = 3;

@@ in two @@
 function two() {
-  return a;
+  return b;
 }
~~~
`,
    });
    assert.deepEqual(await problemsOf(root, { write: true }), []);
    assert.equal(
      readFileSync(join(root, "code/ch01-one/a.js"), "utf8"),
      "const a = 2;\nconst b = 3;\n\nfunction one() {\n  return a;\n}\n\n" +
        "function two() {\n  return b;\n}\n",
    );
  });

  it("is refused when its context isn't there: the line, what it is and what it should be", async (t) => {
    const diff = "~~~diff file=a.js\n function one() {\n-  return b;\n+  return 1;\n }\n~~~\n";
    const [problem] = await problemsIn(t, `${before}\n${diff}`);
    assert.match(problem, /^chapters\/ch01-one\.md:16: the context of this hunk isn't in a\.js/);
    assert.match(problem, /expected {4}return b;\n {4}got {9}return a;/);
    assert.match(problem, /line 4, from chapters\/ch01-one\.md:6/);
  });

  it("is refused when nothing of its context is there", async (t) => {
    const [problem] = await problemsIn(t, `${before}\n~~~diff file=a.js\n-let x;\n+let y;\n~~~\n`);
    assert.match(problem, /:15: the context of this hunk isn't in a\.js\n {4}expected {2}let x;/);
  });

  it("is refused when its context stands there twice", async (t) => {
    const [problem] = await problemsIn(
      t,
      `${before}\n~~~diff file=a.js\n-  return a;\n+  return 1;\n~~~\n`,
    );
    assert.match(problem, /^chapters\/ch01-one\.md:15: .* stands 2 times in a\.js/);
    assert.match(problem, /the file's lines 4, 8/);
  });

  it("is refused when it doesn't say where", async (t) => {
    const [problem] = await problemsIn(t, `${before}\n~~~diff file=a.js\n+let x;\n~~~\n`);
    assert.match(problem, /:15: this hunk doesn't say where in a\.js it goes/);
  });

  it("is refused when a line has no sign, when it changes nothing, when it names no file", async (t) => {
    const [noSign] = await problemsIn(t, `${before}\n~~~diff file=a.js\nlet x;\n~~~\n`);
    assert.match(noSign, /:15: a diff's line begins with a space, `-`, `\+` or `@@`/);
    const [nothing] = await problemsIn(t, `${before}\n~~~diff file=a.js\n const a = 1;\n~~~\n`);
    assert.match(nothing, /:14: this diff changes nothing in a\.js/);
    const [noName] = await problemsIn(t, `${before}\n~~~diff\n-let x;\n~~~\n`);
    assert.match(noName, /:14: a diff says which file it changes/);
    const [noFile] = await problemsIn(t, "~~~diff file=b.js\n-let x;\n+let y;\n~~~\n");
    assert.match(noFile, /:2: there is no b\.js here to change/);
  });

  it("is refused when its result doesn't parse", async (t) => {
    const [problem] = await problemsIn(
      t,
      `${before}\n~~~diff file=a.js\n@@ at the top @@\n-const a = 1;\n+const a = ;\n~~~\n`,
    );
    assert.match(problem, /^chapters\/ch01-one\.md:17: a\.js doesn't parse: Unexpected token/);
  });
});

describe("a chapter", () => {
  const one = "<!-- milestone: ch01-one -->\n~~~js file=a.js\nconst a = 1;\n~~~\n";
  const two = `<!-- milestone: ch02-two from: ch01-one -->
~~~diff file=a.js
-const a = 1;
+const a = 2;
~~~
`;

  it("starts with the files of the one before", async (t) => {
    const root = makeBook(t, { "chapters/ch01-one.md": one, "chapters/ch02-two.md": two });
    assert.deepEqual(await problemsOf(root, { write: true }), []);
    assert.equal(readFileSync(join(root, "code/ch01-one/a.js"), "utf8"), "const a = 1;\n");
    assert.equal(readFileSync(join(root, "code/ch02-two/a.js"), "utf8"), "const a = 2;\n");
  });

  it("passes a change on to the milestones after it", async (t) => {
    const root = makeBook(t, {
      "chapters/ch01-one.md": one.replace("const a", "const b = 0;\nconst a"),
      "chapters/ch02-two.md": two,
    });
    assert.deepEqual(await problemsOf(root, { write: true, names: ["ch02"] }), []);
    assert.equal(
      readFileSync(join(root, "code/ch02-two/a.js"), "utf8"),
      "const b = 0;\nconst a = 2;\n",
    );
    assert.ok(!existsSync(join(root, "code/ch01-one")), "only ch02 was asked for");
  });

  it("is refused when the milestone that it starts from isn't there", async (t) => {
    const root = makeBook(t, { "chapters/ch02-two.md": two });
    const [problem] = await problemsOf(root);
    assert.match(problem, /^chapters\/ch02-two\.md:1: starts from ch01-one, a milestone that no/);
  });

  it("is refused when the one before it has a problem, which is named", async (t) => {
    const broken = one.replace("const a = 1", "const a = ");
    const root = makeBook(t, { "chapters/ch01-one.md": broken, "chapters/ch02-two.md": two });
    const [problem] = await problemsOf(root, { names: ["ch02"] });
    assert.match(problem, /ch02-two\.md:1: starts from ch01-one, which has a problem of its own/);
    assert.match(problem, /ch01-one\.md:3: a\.js doesn't parse/);
  });

  it("is named with those that start from it, which aren't walked", async (t) => {
    const three = two
      .replaceAll("ch01-one", "ch02-two")
      .replace("milestone: ch02", "milestone: ch03");
    const root = makeBook(t, {
      "chapters/ch01-one.md": one.replace("const a = 1", "const a = "),
      "chapters/ch02-two.md": two,
      "chapters/ch03-two.md": three,
    });
    const problems = await problemsOf(root);
    assert.equal(problems.length, 1);
    assert.match(problems[0], /^chapters\/ch01-one\.md:3: a\.js doesn't parse/);
    assert.match(problems[0], /\n {4}not walked, because of this: ch02, ch03$/);
    const [third] = await problemsOf(root, { names: ["ch03"] });
    assert.match(
      third,
      /ch03-two\.md:1: starts from ch01-one, which .*\n {4}chapters\/ch01-one\.md:3/,
    );
  });

  it("that can't be read is the cause for those that start from it", async (t) => {
    for (const slip of ["~~~js file=../a.js\n~~~\n", "~~~console flies\n~~~\n"]) {
      const root = makeBook(t, { "chapters/ch01-one.md": one + slip, "chapters/ch02-two.md": two });
      const problems = await problemsOf(root);
      assert.equal(problems.length, 1);
      assert.match(problems[0], /not walked, because of this: ch02/);
    }
  });

  it("tells which others have changed when it alone is written", async (t) => {
    const root = makeBook(t, { "chapters/ch01-one.md": one, "chapters/ch02-two.md": two });
    await problemsOf(root, { write: true });
    writeFileSync(join(root, "chapters/ch01-one.md"), one.replace("const a", "let b;\nconst a"));
    /** @type {string[]} */
    const stale = [];
    const onStale = (/** @type {Problem[]} */ problems) => stale.push(...problems.map(String));
    await problemsOf(root, { write: true, names: ["ch01"], onStale });
    assert.equal(stale.length, 1);
    assert.match(stale[0], /code\/ch02-two\/a\.js, line 1, is not what this listing makes/);
    stale.length = 0;
    writeFileSync(join(root, "chapters/ch01-one.md"), one.replace("const a", "const b"));
    await problemsOf(root, { write: true, names: ["ch01"], onStale });
    assert.match(stale.join("\n"), /^chapters\/ch02-two\.md:3: the context of this hunk isn't in/);
    stale.length = 0;
    writeFileSync(join(root, "chapters/ch01-one.md"), one);
    await problemsOf(root, { write: true, onStale });
    assert.deepEqual(stale, []);
  });

  it("is refused when it starts from itself, by way of another", async (t) => {
    const root = makeBook(t, {
      "chapters/ch01-one.md": "<!-- milestone: ch01-one from: ch02-two -->\n",
      "chapters/ch02-two.md": two,
    });
    const problems = await problemsOf(root);
    assert.match(problems.join("\n"), /which starts from this chapter/);
  });

  it("is refused when two lead to one milestone", async (t) => {
    const root = makeBook(t, { "chapters/ch01-one.md": one, "chapters/ch01-uno.md": one });
    const [problem] = await problemsOf(root);
    assert.match(problem, /ch01-one\.md:1: chapters\/ch01-uno\.md leads to the milestone ch01-one/);
  });

  it("is refused when its first line has a slip", async (t) => {
    const root = makeBook(t, {
      "chapters/ch02-two.md": "<!-- milestone: ch02-two form: ch01 -->\n",
    });
    const [problem] = await problemsOf(root);
    assert.match(problem, /^chapters\/ch02-two\.md:1: the first line isn't a milestone comment/);
  });

  it("makes no files when it has no milestone", async (t) => {
    const root = makeBook(t, { "chapters/preface.md": "# Preface\n\n~~~js file=a.js\n1;\n~~~\n" });
    const [problem] = await problemsOf(root);
    assert.match(problem, /preface\.md:3: this page has no milestone to put a file in/);
  });

  it("is named when nobody knows the one that was asked for", async (t) => {
    const root = makeBook(t, { "chapters/ch01-one.md": one });
    await assert.rejects(
      problemsOf(root, { names: ["ch7"] }),
      /begins with ch7; there are: ch01-one/,
    );
  });
});

describe("a milestone", () => {
  const chapters = {
    "chapters/ch01-one.md":
      "<!-- milestone: ch01-one -->\n\n~~~js file=a.js\nconst a = 1;\nconst b = 2;\n~~~\n",
  };

  it("is equal to what the listings make, tests and solutions aside", async (t) => {
    const root = makeBook(t, {
      ...chapters,
      "code/ch01-one/a.js": "const a = 1;\nconst b = 2;\n",
      "code/ch01-one/test/a.test.js": "",
      "code/ch01-one/solutions/1-more/a.js": "",
    });
    assert.deepEqual(await problemsOf(root), []);
  });

  it("that was edited by hand is refused, naming the listing to edit", async (t) => {
    const root = makeBook(t, { ...chapters, "code/ch01-one/a.js": "const a = 1;\nconst b = 3;\n" });
    const [problem] = await problemsOf(root);
    assert.match(problem, /^chapters\/ch01-one\.md:5: code\/ch01-one\/a\.js, line 2, is not what/);
    assert.match(problem, /expected {2}const b = 2;\n {4}got {7}const b = 3;/);
    assert.match(problem, /npm run walk -- ch01 --write/);
  });

  it("with a file that no listing made is refused", async (t) => {
    const root = makeBook(t, {
      ...chapters,
      "code/ch01-one/a.js": "const a = 1;\nconst b = 2;\n",
      "code/ch01-one/lib/c.js": "",
    });
    const [problem] = await problemsOf(root);
    assert.match(problem, /^code\/ch01-one\/lib\/c\.js:1: no listing makes this file/);
  });

  it("without a file that a listing makes is refused", async (t) => {
    const root = makeBook(t, { ...chapters, "code/ch01-one/test/a.test.js": "" });
    const [problem] = await problemsOf(root);
    assert.match(problem, /^chapters\/ch01-one\.md:4: code\/ch01-one\/a\.js is missing/);
  });

  it("that isn't there is refused", async (t) => {
    const [problem] = await problemsOf(makeBook(t, chapters));
    assert.match(problem, /ch01-one\.md:1: there is no code\/ch01-one yet/);
  });

  it("loses what no listing makes when it is written, but not its tests", async (t) => {
    const root = makeBook(t, {
      ...chapters,
      "code/ch01-one/old.js": "",
      "code/ch01-one/test/a.test.js": "",
    });
    assert.deepEqual(await problemsOf(root, { write: true }), []);
    assert.ok(!existsSync(join(root, "code/ch01-one/old.js")));
    assert.ok(existsSync(join(root, "code/ch01-one/test/a.test.js")));
    assert.deepEqual(await problemsOf(root), []);
  });
});
