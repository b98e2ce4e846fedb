import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, before, describe, it } from "node:test";
import { startProgram } from "../../contracts/http/index.js";
import { ask, listen, portOf } from "../../contracts/router/ask.js";
import { testServer } from "../../contracts/router/server.js";
import { testTargets } from "../../contracts/targets/index.js";
import { createServer, Router } from "../index.js";

const folder = new URL("..", import.meta.url);

describe("One path, one meaning", () => {
  /** @type {Awaited<ReturnType<ReturnType<typeof startProgram>>>} */
  let program;
  before(async () => {
    program = await startProgram(folder)({ limits: {} });
  });
  after(() => program?.close());

  for (const [path, expected] of /** @type {[string, number][]} */ ([
    ["/files/hello.txt", 200],
    ["/files/h%65llo.txt", 200],
    ["/files/100%25.txt", 200],
    ["/files/private/salaries.txt", 403],
    ["/files/%70rivate/salaries.txt", 403],
    ["/files/private%2Fsalaries.txt", 404],
    ["/files/private%252Fsalaries.txt", 404],
    ["/files//private/salaries.txt", 400],
    ["/files/x/../private/salaries.txt", 400],
    ["/files/%2e/private/salaries.txt", 400],
  ])) {
    it(`answers ${path} with ${expected}, and tells no salary`, async () => {
      const { statusCode, body } = await ask(program.port, "GET", path);
      assert.equal(statusCode, expected);
      assert.doesNotMatch(body, /more than yours/);
    });
  }
});

describe("One host", () => {
  for (const [what, fields] of /** @type {[string, string][]} */ ([
    ["two lines", "Host: a.example\\r\\nHost: b.example"],
    ["two equal lines", "Host: a.example\\r\\nhost: a.example"],
    ["userinfo", "Host: u@a.example"],
    ["a path", "Host: a.example/x"],
    ["a list", "Host: a.example, b.example"],
    ["a broken escape", "Host: a%zz"],
    ["no address", "Host: [:::::]"],
  ])) {
    it(`is not ${what}`, async (t) => {
      const router = new Router().get("/*", (_req, res) => res.end());
      const port = await listen(t, createServer(router));
      const head = await headFor(port, fields.replaceAll("\\r\\n", "\r\n"));
      assert.match(head, /^HTTP\/1\.1 400 /);
    });
  }

  // From a thousand fields on a list may have lost a Host. (Many versions of
  // Node.js refuse more than a thousand themselves, with a 431.)
  for (const [count, expected] of /** @type {[number, RegExp][]} */ ([
    [900, /^HTTP\/1\.1 200 /],
    [997, /^HTTP\/1\.1 400 /],
    [1100, /^HTTP\/1\.1 4(00|31) /],
  ])) {
    it(`is known if there are ${count} other fields`, async (t) => {
      const router = new Router().get("/*", (_req, res) => res.end());
      const port = await listen(t, createServer(router));
      const others = "a:\r\n".repeat(count);
      const head = await headFor(port, `Host: a.example\r\n${others}b: c`);
      assert.match(head, expected);
      const twice = `Host: a.example\r\n${others}Host: b.example`;
      assert.match(await headFor(port, twice), /^HTTP\/1\.1 4(00|31) /);
    });
  }

  it("is asked of a whole address, too", async (t) => {
    const router = new Router().get("/*", (_req, res) => res.end());
    const port = await listen(t, createServer(router));
    for (const [host, statusCode] of [
      ["a.example", 200],
      ["a,b:x", 400],
      ["[:::::]", 400],
      [":80", 400],
    ]) {
      const socket = net.connect(port, "127.0.0.1").setEncoding("latin1");
      socket.write(`GET http://${host}/ HTTP/1.0\r\n\r\n`);
      const answer = (await socket.toArray()).join("");
      assert.equal(Number(answer.split(" ")[1]), statusCode, `${host}`);
    }
  });

  it("may stand in any letters, once", async (t) => {
    const router = new Router().get("/*", (_req, res) => res.end());
    const port = await listen(t, createServer(router));
    for (const fields of ["hOsT: [::1]:80", "Host:", "Host: A.example"]) {
      assert.match(await headFor(port, fields), /^HTTP\/1\.1 200 /);
    }
  });
});

/**
 * @param {number} port
 * @param {string} fields
 * @returns {Promise<string>} what comes back
 */
async function headFor(port, fields) {
  const socket = net.connect(port, "127.0.0.1").setEncoding("latin1");
  socket.write(`GET / HTTP/1.1\r\n${fields}\r\nConnection: close\r\n\r\n`);
  return (await socket.toArray()).join("");
}

describe("The table", () => {
  testTargets(async (routes) => {
    const router = new Router();
    for (const { pattern, handler } of routes) router.get(pattern, handler);
    const server = createServer(router).listen(0, "127.0.0.1");
    await once(server, "listening");
    return { port: portOf(server), close: () => server.close() };
  });
});

describe("Case and slashes, if you must", () => {
  it("shows everybody the path that the router went by", async (t) => {
    const router = new Router({
      ignoreCase: true,
      ignoreTrailingSlash: true,
    });
    router.get("/Private/*", (req, res) => res.end(req.path));
    const port = await listen(t, createServer(router));
    for (const path of ["/private/x", "/PRIVATE/X/", "/%50rivate/x"]) {
      const { body } = await ask(port, "GET", path);
      assert.equal(body, "/private/x", path);
    }
  });
});

describe("What comes behind the question mark", () => {
  testServer({
    Router,
    createServer,
    can: ["onError", "parameters", "queryParams"],
  });

  it("is read once, when it is asked for", async (t) => {
    const router = new Router().get("/", (req, res) => {
      const { queryParams } = req;
      assert.equal(req.queryParams, queryParams);
      queryParams.set("a", "2");
      res.end(req.queryParams.get("a"));
    });
    const port = await listen(t, createServer(router));
    assert.equal((await ask(port, "GET", "/?a=1")).body, "2");
    assert.equal((await ask(port, "GET", "/?b=1")).body, "2");
  });
});
