import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { problemsIn } from "./book.js";

/** A server whose handler has a mistake in its sixth line, the chapter's ninth. */
const SERVER = `
~~~js file=lib/handler.js
/** What a request gets. */
export function handle(req, res) {
  if (req.url === "/") return res.end("Hello\\n");
  const { url } = req;
  // Never defined.
  res.end(greeting + url);
}
~~~

~~~js file=server.js
import { createServer } from "node:http";
import { handle } from "./lib/handler.js";

const server = createServer(handle);
server.listen(process.env.PORT, () => console.log("listening"));
~~~

~~~json file=package.json
{ "type": "module" }
~~~

~~~console
$ node server.js
listening
~~~
`;

/** @param {string[]} paths */
const requests = (...paths) =>
  paths
    .map((path) => `~~~console terminal=2\n$ curl localhost:3000${path}\nHello\n~~~\n`)
    .join("\n");

describe("a server that dies", () => {
  it("is the first problem, by the listing's line that threw, and the last", async (t) => {
    const text = `${SERVER}\n${requests("/", "/a", "/b", "/c", "/d", "/e", "/f", "/g")}`;
    const problems = await problemsIn(t, text);
    assert.match(
      problems[0],
      /^chapters\/ch01-one\.md:9: `node server\.js` of line 26 ended with exit code 1 by itself/,
    );
    assert.match(problems[0], /ReferenceError: greeting is not defined/);
    assert.match(
      problems[0],
      /at .*handle \(.*lib\/handler\.js:6:11\) {2}\[chapters\/ch01-one\.md:9\]/,
    );
    assert.equal(problems.length, 2, "what the client saw, and nothing after it");
    assert.match(problems[1], /:37: `curl localhost:3000\/a` didn't print what stands here/);
  });

  it("is found after the last request too", async (t) => {
    const last = requests("/a").replace("console terminal=2", "console terminal=2 fails");
    const [problem] = await problemsIn(
      t,
      SERVER + last.replace("Hello", "curl: (52) Empty reply from server"),
    );
    assert.match(problem, /^chapters\/ch01-one\.md:9: `node server\.js` of line 26 ended/);
  });

  it("at its start shows why, and the listing's line", async (t) => {
    const broken = SERVER.replace("createServer(handle)", "createServer(handel)");
    const problems = await problemsIn(t, `${broken}\n${requests("/", "/")}`);
    assert.equal(problems.length, 1);
    assert.match(problems[0], /:27: `node server\.js` didn't print what stands here/);
    assert.match(problems[0], /server\.js:4.* {2}\[chapters\/ch01-one\.md:17\]/);
    assert.match(problems[0], /ReferenceError: handel is not defined/);
  });

  it("is no cause when the book goes on to show it", async (t) => {
    const text = `${SERVER}
~~~console terminal=2 fails
$ curl localhost:3000/a
Something else
~~~

~~~console fails
file:///home/you/velocy/lib/handler.js:6
  res.end(greeting + url);
          ^

ReferenceError: greeting is not defined
    at Server.handle (file:///home/you/velocy/lib/handler.js:6:11)
    at Server.emit (node:events:508:28)

Node.js v24.1.0
~~~
`;
    const problems = await problemsIn(t, text);
    assert.equal(problems.length, 1);
    assert.match(problems[0], /got {7}curl: \(52\) Empty reply from server/);
  });
});

describe("a server that logs an error and goes on", () => {
  it("explains what its client got, by the listing's line", async (t) => {
    const logging = SERVER.replace(
      "createServer(handle)",
      `createServer((req, res) => {
  try {
    handle(req, res);
  } catch (err) {
    console.error(err);
    res.end("Sorry\\n");
  }
})`,
    );
    const [problem] = await problemsIn(t, `${logging}\n${requests("/a")}`);
    assert.match(problem, /expected {2}Hello\n {4}got {7}Sorry/);
    assert.match(problem, /`node server\.js` of line \d+ printed meanwhile:\n {4}ReferenceError: /);
    assert.match(problem, /handler\.js:6:11\) {2}\[chapters\/ch01-one\.md:9\]/);
  });
});
