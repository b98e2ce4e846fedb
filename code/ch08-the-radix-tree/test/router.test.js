import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";
import { startProgram } from "../../contracts/http/index.js";
import { ask } from "../../contracts/router/ask.js";
import { testRouter } from "../../contracts/router/index.js";
import { testServer } from "../../contracts/router/server.js";
import { createServer, Router } from "../index.js";
import { Node } from "../lib/router/node.js";
import { parsePattern } from "../lib/router/pattern.js";

const folder = new URL("..", import.meta.url);
const handler = () => {};

describe("Chains, pressed together", () => {
  it("splits where a new text leaves an old one", () => {
    assert.equal(
      printed("/users/me", "/things"),
      lines("/", "├─ things  GET", "└─ users/me  GET"),
    );
  });

  it("splits nothing where a new text goes on", () => {
    assert.equal(
      printed("/users/me", "/users/me/posts"),
      lines("/users/me  GET", "└─ /posts  GET"),
    );
  });

  it("ends a route in the middle of what was one text", () => {
    assert.equal(
      printed("/users/me", "/users"),
      lines("/users  GET", "└─ /me  GET"),
    );
  });

  it("keeps what hung from the node that is split", () => {
    const router = new Router()
      .get("/users/me", handler)
      .post("/users/me", handler)
      .get("/users/me/posts", handler)
      .get("/users/me/:thing", handler);
    const node = new Node("").ensureText("/users/me");
    const hung = { route: router.find("GET", "/users/me")?.route };
    Object.assign(node, { ...hung, parameter: new Node("") });
    const { parameter, children, route } = node;
    const upper = node.splitAt(6);
    assert.equal(upper.prefix, "/users");
    assert.equal(node.prefix, "/me");
    assert.equal(upper.parameter, null);
    assert.equal(upper.route, null);
    assert.equal(node.parameter, parameter);
    assert.equal(node.children, children);
    assert.equal(node.route, route);

    router.get("/users", handler);
    assert.equal(
      String(router),
      lines(
        "/users  GET",
        "└─ /me  GET, POST",
        "   └─ /",
        "      ├─ posts  GET",
        "      └─ :thing  GET",
      ),
    );
  });

  it("is the same tree, in whatever order it grew", () => {
    const patterns = ["/a", "/ab", "/abc/:x", "/abd", "/b", "/ab/:y/c"];
    const expected = printed(...patterns);
    for (const order of shuffles(patterns)) {
      assert.equal(printed(...order), expected);
    }
  });

  it("never has two children that begin alike, nor an empty text", () => {
    const root = new Node("");
    const syllables = ["a", "ab", "b", "ba", ":x"];
    for (const a of syllables) {
      for (const b of syllables) root.ensure(parsePattern(`/${a}/y${b}`));
    }
    checkNode(root);
  });
});

describe("See it grow", () => {
  it("cuts a pattern at its parameters, and nowhere else", () => {
    assert.deepEqual(parsePattern("/users/:id/posts/new"), [
      { kind: "static", text: "/users/" },
      { kind: "parameter", text: "id" },
      { kind: "static", text: "/posts/new" },
    ]);
    assert.deepEqual(parsePattern("/"), [{ kind: "static", text: "/" }]);
  });

  it("prints text before a parameter, and the methods of each", () => {
    assert.equal(
      printed("/users/:id", "/users/:id/posts", "/users/me"),
      lines("/users/", "├─ me  GET", "└─ :id  GET", "   └─ /posts  GET"),
    );
  });

  it("prints all names of a parameter that has several", () => {
    const router = new Router()
      .get("/users/:id", handler)
      .post("/users/:user", handler);
    assert.equal(
      String(router),
      lines("/users/", "└─ :id|:user  GET, POST"),
    );
  });

  it("keeps a space at the end of a text", () => {
    assert.equal(
      printed("/a b", "/a c"),
      lines("/a ", "├─ b  GET", "└─ c  GET"),
    );
  });

  it("prints nothing for a router without routes", () => {
    assert.equal(String(new Router()), "");
  });

  it("is what console.log shows of a router", () => {
    const router = new Router().get("/users/me", handler);
    assert.equal(inspect(router), "Router\n/users/me  GET");
    assert.equal(`${router}`, "/users/me  GET");
  });

  it("counts the parameters above one to find its name", () => {
    assert.equal(
      printed("/:a/:b/:c", "/:a/x"),
      lines(
        "/",
        "└─ :a",
        "   └─ /",
        "      ├─ x  GET",
        "      └─ :b",
        "         └─ /",
        "            └─ :c  GET",
      ),
    );
  });

  it("grows before one's eyes", async () => {
    const run = promisify(execFile);
    const args = ["grow.js", "/users/me", "/things"];
    const cwd = fileURLToPath(folder);
    const { stdout } = await run(process.execPath, args, { cwd });
    assert.equal(
      stdout,
      "+ /users/me\n/users/me  GET\n\n" +
        "+ /things\n/\n├─ things  GET\n└─ users/me  GET\n\n",
    );
  });
});

describe("Walking without cutting", () => {
  /** @type {Awaited<ReturnType<ReturnType<typeof startProgram>>>} */
  let program;
  before(async () => {
    program = await startProgram(folder)({ limits: {} });
  });
  after(() => program?.close());

  for (const [path, expected] of [
    ["/users/7", "user 7\n"],
    ["/users/me", "it is you\n"],
    ["/users/7/posts/12", "post 12 of user 7\n"],
  ]) {
    it(`answers ${path} as the chapter's server`, async () => {
      const { body } = await ask(program.port, "GET", path);
      assert.equal(body, expected);
    });
  }

  it("finds nothing for what does not begin with a slash", () => {
    const router = new Router().get("/users/:id", handler);
    for (const path of ["", "*", "*users/7", "users/7"]) {
      assert.equal(router.find("GET", path), null, path);
      assert.deepEqual(router.allowedMethods(path), [], path);
    }
  });

  it("takes no empty segment for a parameter", () => {
    const router = new Router().get("/users/:id/posts", handler);
    for (const path of ["/users//posts", "/users/", "/users/7/posts/"]) {
      assert.equal(router.find("GET", path), null, path);
    }
  });

  testRouter({
    name: "velocy 0.8.0",
    can: [
      "head",
      "all",
      "allowedMethods",
      "errors",
      "conflicts",
      "onlyPaths",
      "parameters",
      "ownNames",
      "anyName",
      "text",
    ],
    create: () => new Router(),
  });

  testServer({ Router, createServer, can: ["onError", "parameters"] });
});

describe("Comparing by hand", () => {
  it("keeps the numbers of a text together with the text", () => {
    const node = new Node("/users/mé");
    const upper = node.splitAt(7);
    for (const { prefix, codes } of [node, upper]) {
      const expected = [...prefix].map((letter) => letter.charCodeAt(0));
      assert.deepEqual(codes, expected);
    }
  });
});

describe("What it gets wrong", () => {
  it("loses who begins like another, until chapter 9", () => {
    const router = new Router()
      .get("/users/:id", handler)
      .get("/users/me", handler)
      .get("/users/mia", handler);
    assert.equal(router.find("GET", "/users/max"), null);
    assert.deepEqual(router.find("GET", "/users/zoe")?.params, {
      id: "zoe",
    });
  });

  it("loses who begins with the whole of a word, until chapter 9", () => {
    const router = new Router()
      .get("/users/:id", handler)
      .get("/users/me", handler);
    assert.equal(router.find("GET", "/users/meg"), null);
    assert.deepEqual(router.find("GET", "/users/max")?.params, {
      id: "max",
    });
  });

  it("doesn't take the beginning of a text for a segment", () => {
    const router = new Router()
      .get("/:x", handler)
      .get("/ab/abc/", handler);
    assert.deepEqual(router.find("GET", "/ab")?.params, { x: "ab" });
  });
});

/** @param {string[]} patterns */
function printed(...patterns) {
  const router = new Router();
  for (const pattern of patterns) router.get(pattern, handler);
  return String(router);
}

/** @param {string[]} all */
function lines(...all) {
  return all.join("\n");
}

/**
 * Some orders of a list: each rotation, forwards and backwards.
 *
 * @param {string[]} list
 */
function shuffles(list) {
  const rotations = list.map((_, i) => [
    ...list.slice(i),
    ...list.slice(0, i),
  ]);
  return [...rotations, ...rotations.map((order) => order.toReversed())];
}

/** @param {Node} node whose children have to be in order */
function checkNode({ children, parameter }) {
  for (const [code, child] of children.entries()) {
    if (child === undefined) continue;
    assert.notEqual(child.prefix, "");
    assert.equal(child.prefix.charCodeAt(0), code);
    checkNode(child);
  }
  if (parameter !== null) checkNode(parameter);
}

describe("Break it", () => {
  it("makes at most two nodes for a route without parameters", () => {
    const router = new Router();
    for (let i = 0; i < 1_024; i += 1) {
      const before = countNodes(router);
      router.get(`/${i.toString(2).padStart(10, "0")}`, handler);
      const added = countNodes(router) - before;
      assert.ok(added <= 2, `route ${i} added ${added} nodes`);
    }
    assert.equal(countNodes(router), 2_047);
  });

  it("goes down further than the stack would let it call itself", () => {
    const root = new Node("");
    let lowest = root;
    for (let i = 0; i < 20_000; i += 1) lowest = lowest.ensureText("a");
    assert.equal(root.ensureText("a".repeat(20_000)), lowest);
  });
});

/** @param {Router} router */
function countNodes(router) {
  return String(router).split("\n").filter(Boolean).length;
}
