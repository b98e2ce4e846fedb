import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { lacks } from "../../tools/lib/programs.js";
import { problemsIn } from "./book.js";

const server = `~~~js file=server.js
import { createServer } from "node:http";

const server = createServer((req, res) => {
  console.log(req.method, req.url);
  if (req.url === "/crash") throw new Error("a bug");
  res.end("Hello\\n");
});
server.listen(process.env.PORT ?? 3000, () => {
  console.log(\`listening on http://localhost:\${server.address().port}\`);
});
process.on("SIGINT", () => {
  console.log("closing");
  process.exit();
});
~~~

~~~json file=package.json
{ "type": "module" }
~~~
`;

const start = `~~~console
$ node server.js
listening on http://localhost:3000
~~~
`;

describe("a transcript", () => {
  it("shows what the commands print", async (t) => {
    const text = `~~~console
$ echo Hello
Hello
$ echo there \\
>   you; echo again
there you
again
$ echo 'two
lines'
two
lines
~~~
`;
    assert.deepEqual(await problemsIn(t, text), []);
  });

  it("that differs is refused, at the line that differs", async (t) => {
    const [problem] = await problemsIn(t, "~~~console\n$ printf 'a\\nb\\nc\\n'\na\nB\nc\n~~~\n");
    assert.match(problem, /^chapters\/ch01-one\.md:5: `printf 'a\\nb\\nc\\n'` didn't print what/);
    assert.match(problem, /expected {2}B\n {4}got {7}b\n/);
  });

  it("that lacks a line, or has one too many, is refused", async (t) => {
    const [lacks] = await problemsIn(t, "~~~console\n$ printf 'a\\nb\\n'\na\n~~~\n");
    assert.match(lacks, /:4: .*\n.*\n {4}expected {2}\(nothing more\)\n {4}got {7}b/);
    const [tooMany] = await problemsIn(t, "~~~console\n$ echo a\na\nb\n~~~\n");
    assert.match(tooMany, /:5: .*\n.*\n {4}expected {2}b\n {4}got {7}\(nothing more\)/);
    const [blank] = await problemsIn(t, "~~~console\n$ echo a\na\n\n~~~\n");
    assert.match(blank, /expected {2}\(an empty line\)/);
  });

  it("has both outputs in their order", async (t) => {
    const text = "~~~console\n$ echo a; echo b >&2; echo c\na\nb\nc\n~~~\n";
    assert.deepEqual(await problemsIn(t, text), []);
  });

  it("runs exactly where it stands", async (t) => {
    const text = `~~~js file=a.js
console.log(1);
~~~

~~~console
$ node a.js
1
~~~

~~~diff file=a.js
-console.log(1);
+console.log(2);
~~~

~~~console
$ node a.js
2
~~~
`;
    assert.deepEqual(await problemsIn(t, text), []);
  });

  it("moves, copies and deletes files, and later listings find them there", async (t) => {
    const text = `~~~js file=a.js
let a;
~~~

~~~js file=b.js
let b;
~~~

~~~console
$ mkdir -p lib
$ mv a.js lib/
$ cp lib/a.js lib/c.js
$ rm b.js && ls lib
a.js
c.js
~~~

~~~diff file=lib/c.js
-let a;
+let c;
~~~

~~~console
$ cat lib/c.js
let c;
~~~
`;
    assert.deepEqual(await problemsIn(t, text), []);
  });

  it("may not leave files behind, nor change them", async (t) => {
    const [left] = await problemsIn(t, "~~~console\n$ echo a > a.txt\n~~~\n");
    assert.match(left, /^chapters\/ch01-one\.md:2: a\.txt is left behind, and no listing made it/);
    const [changed] = await problemsIn(
      t,
      "~~~js file=a.js\nlet a;\n~~~\n\n~~~console\n$ echo 'let b;' >> a.js\n~~~\n",
    );
    assert.match(changed, /:3: a command changed a\.js/);
  });

  it("may come from a committed file instead of a run", async (t) => {
    const raw = { "benchmarks/results/load.txt": "Requests/sec: 1\n\nDone\n" };
    const fence = "~~~console raw=benchmarks/results/load.txt\n$ wrk http://there\n";
    assert.deepEqual(await problemsIn(t, `${fence}Requests/sec: 1\n\nDone\n~~~\n`, raw), []);
    const [differs] = await problemsIn(t, `${fence}Requests/sec: 2\n\nDone\n~~~\n`, raw);
    assert.match(differs, /:4: this isn't what benchmarks\/results\/load\.txt holds in line 1/);
    const [missing] = await problemsIn(t, `${fence}Requests/sec: 1\n~~~\n`);
    assert.match(missing, /:2: there is no benchmarks\/results\/load\.txt to show/);
  });

  it("with a command that isn't complete is refused", async (t) => {
    const [problem] = await problemsIn(t, "~~~console\n$ echo 'a\n~~~\n");
    assert.match(problem, /:3: this command isn't complete/);
  });

  it("runs in the reader's environment", async (t) => {
    const text = `~~~console
$ node -p 'process.cwd()'
/home/you/velocy
$ echo $NO_COLOR $TZ $LANG
1 UTC C.UTF-8
$ echo $PORT
3000
~~~
`;
    assert.deepEqual(await problemsIn(t, text), []);
  });
});

describe("a command", () => {
  it("that fails is refused unless the book says so", async (t) => {
    const [problem] = await problemsIn(t, "~~~console\n$ exit 3\n~~~\n");
    assert.match(problem, /^chapters\/ch01-one\.md:3: `exit 3` ended with exit code 3/);
    assert.match(problem, /```console fails/);
    assert.deepEqual(await problemsIn(t, "~~~console fails\n$ exit 3\n~~~\n"), []);
  });

  it("that should have failed and didn't is refused", async (t) => {
    const [ended] = await problemsIn(t, "~~~console fails\n$ echo a\na\n~~~\n");
    assert.match(ended, /:3: `echo a` should have failed, but it exited with code 0/);
    const [runs] = await problemsIn(t, "~~~console fails timeout=1\n$ sleep 9\n~~~\n");
    assert.match(runs, /:3: `sleep 9` should have failed, but it still runs after 1 s/);
  });

  it("has to end before the next one is typed, and only the last one may fail", async (t) => {
    const [problem] = await problemsIn(t, "~~~console fails\n$ exit 3\n$ exit 4\n~~~\n");
    assert.match(problem, /:3: `exit 3` ended with exit code 3/);
  });
});

describe("a server", () => {
  it("goes on while another terminal talks to it, and ^C ends it", {
    skip: lacks("curl"),
  }, async (t) => {
    const text = `${server}
${start}
~~~console terminal=2
$ curl http://localhost:3000/a
Hello
~~~

~~~console
GET /a
^C
closing
~~~
`;
    assert.deepEqual(await problemsIn(t, text), []);
  });

  it("is stopped before the command that starts it again", { skip: lacks("curl") }, async (t) => {
    const text = `${server}
${start}
~~~diff file=server.js
-  res.end("Hello\\n");
+  res.end("Goodbye\\n");
~~~

${start}
~~~console terminal=2
$ curl http://localhost:3000/
Goodbye
~~~
`;
    assert.deepEqual(await problemsIn(t, text), []);
  });

  it("that was not started again is named when its answer is the old one", {
    skip: lacks("curl"),
  }, async (t) => {
    const text = `${server}
${start}
~~~diff file=server.js
-  res.end("Hello\\n");
+  res.end("Goodbye\\n");
~~~

~~~console terminal=2
$ curl http://localhost:3000/
Goodbye
~~~
`;
    const [problem] = await problemsIn(t, text);
    assert.match(problem, /expected {2}Goodbye\n {4}got {7}Hello/);
    assert.match(problem, /`node server\.js` still runs .* from before server\.js .* changed/);
  });

  it("that never prints its line is refused, with what was still missing", async (t) => {
    const text = `~~~console timeout=1
$ echo soon; sleep 9
soon
listening on http://localhost:3000
~~~
`;
    const [problem] = await problemsIn(t, text);
    assert.match(problem, /^chapters\/ch01-one\.md:5: still waiting after 1 s for what `echo soon/);
    assert.match(
      problem,
      /expected {2}listening on http:\/\/localhost:3000\n {4}got {7}\(nothing more/,
    );
  });

  it("keeps its terminal busy", async (t) => {
    const text = `${server}\n${start}\n~~~console timeout=1\n$ echo a\na\n~~~\n`;
    const [problem] = await problemsIn(t, text);
    assert.match(problem, /terminal 1 is busy: `node server\.js` of line \d+ still runs/);
    assert.match(problem, /terminal=2/);
  });

  it("that ends by itself has to be seen to end", { skip: lacks("curl") }, async (t) => {
    const crash = `${server}
${start}
~~~console terminal=2 fails
$ curl http://localhost:3000/crash
curl: (52) Empty reply from server
~~~
`;
    const [problem] = await problemsIn(t, crash);
    assert.match(problem, /`node server\.js` of line \d+ ended with exit code 1 by itself, and/);
    assert.match(problem, /it printed:\n {4}GET \/crash/);
    const shown = `${crash}
~~~console fails
GET /crash
/home/you/velocy/server.js:5
  if (req.url === "/crash") throw new Error("a bug");
                            ^

Error: a bug
    at Server.<anonymous> (file:///home/you/velocy/server.js:5:35)
    at Server.emit (node:events:508:28)

Node.js v24.1.0
~~~
`;
    const problems = await problemsIn(t, shown.replace("/home/you", "file:///home/you"));
    assert.deepEqual(problems, []);
  });

  it("that finds its port taken is told apart from one that is broken", async (t) => {
    const other = createServer();
    other.listen(0);
    await once(other, "listening");
    t.after(() => other.close());
    const { port } = /** @type {import("node:net").AddressInfo} */ (other.address());
    const text = `${server}\n~~~console\n$ PORT=${port} node server.js\nlistening\n~~~\n`;
    const [problem] = await problemsIn(t, text);
    assert.match(
      problem,
      new RegExp(`port ${port} is taken: end the server that has it with \\^C`),
    );
  });

  it("isn't there to be stopped, or to go on, when nothing runs", async (t) => {
    const [stop] = await problemsIn(t, "~~~console\n^C\n~~~\n");
    assert.match(stop, /:3: \^C, but nothing runs in terminal 1/);
    const [goOn] = await problemsIn(t, "~~~console terminal=2\nmore\n~~~\n");
    assert.match(goOn, /:2: nothing runs in terminal 2/);
  });

  it("that ignores ^C is refused, and ended all the same", async (t) => {
    const text = `~~~js file=a.js
process.on("SIGINT", () => {});
console.log(process.env.PORT);
setInterval(() => {}, 1000);
~~~

~~~console timeout=1
$ node a.js
3000
^C
~~~
`;
    const [problem] = await problemsIn(t, text);
    assert.match(problem, /:11: `node a\.js` didn't end on \^C within 1 s/);
  });
});
