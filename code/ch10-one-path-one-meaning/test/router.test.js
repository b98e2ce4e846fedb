import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askedByTarget, testRouter } from "../../contracts/router/index.js";
import { createServer, Router } from "../index.js";
import {
  canonicalPath,
  isHost,
  pathOf,
  segmentValue,
} from "../lib/router/path.js";

const handler = () => {};

describe("Decode after splitting", () => {
  /** @type {[given: string, canonical: string][]} */
  const paths = [
    ["/", "/"],
    ["/a/b", "/a/b"],
    ["/%61dmin", "/admin"],
    ["/a%2fb/%63", "/a%2Fb/c"],
    ["/100%25", "/100%25"],
    ["/%2561", "/%2561"],
    ["/caf%C3%A9/", "/café/"],
    ["/.a/..b/c.", "/.a/..b/c."],
    ["/a%5Cb", "/a\\b"],
    ["/%2Fetc", "/%2Fetc"],
  ];
  for (const [given, canonical] of paths) {
    it(`makes ${canonical} of ${given}`, () => {
      assert.equal(canonicalPath(given), canonical);
    });
  }

  for (const path of ["/a//b", "/a/../b", "/a/%2E%2e", "/%zz", "/a\\b"]) {
    it(`refuses ${path}`, () => {
      assert.throws(() => canonicalPath(path), { message: /./ });
    });
  }

  for (const path of ["/%00", "/%1F", "/%7f", "/%C2%9F", "/%E2%80%A8"]) {
    it(`refuses ${path}, which could end a name or a line`, () => {
      const message = "a control character";
      assert.throws(() => canonicalPath(path), { message });
    });
  }
});

describe("The target around the path", () => {
  it("compares hosts as texts, without regard to capitals", () => {
    const target = "http://localhost/a";
    assert.equal(pathOf(target, "LOCALHOST"), "/a");
    for (const host of ["localhost:80", "localhost.", "other.example"]) {
      assert.throws(() => pathOf(target, host), {
        message: /another host/,
      });
    }
  });

  it("refuses an address without a host, also with a port", () => {
    for (const target of ["http:///a", "http://:80/a", "http://:"]) {
      const message = "an unknown form";
      assert.throws(() => pathOf(target), { message });
      assert.throws(() => pathOf(target, ":80"), { message });
    }
    assert.equal(pathOf("http://x:80/a", "x:80"), "/a");
    assert.equal(pathOf("http://x/a", "x"), "/a");
  });

  it("cuts off the query, and the host that the Host field names", () => {
    assert.equal(pathOf("/a?b=/c/../d"), "/a");
    assert.equal(pathOf("http://x.example/a?b", "X.example"), "/a");
    assert.equal(pathOf("https://x.example", "x.example"), "/");
    assert.equal(pathOf("http://x.example/a"), "/a");
  });

  for (const target of ["", "a", "*", "http://y/a", "http://u@x/a", "/ü"]) {
    it(`refuses ${target || "nothing"}`, () => {
      assert.throws(() => pathOf(target, "x"), { message: /./ });
    });
  }
});

describe("What a value says", () => {
  it("gives a handler what a segment means", () => {
    assert.equal(segmentValue("a%2Fb"), "a/b");
    assert.equal(segmentValue("%252F"), "%2F");
    const router = new Router().get("/:a/*rest", handler);
    const { params } = router.find("GET", "/a%2Fb/c%2Fd/100%25") ?? {};
    assert.deepEqual({ ...params }, { a: "a/b", rest: "c%2Fd/100%25" });
  });

  it("takes a pattern in any spelling", () => {
    const router = new Router()
      .get("/café", handler)
      .get("/%61dmin", handler);
    assert.notEqual(router.match("GET", "/café"), null);
    assert.notEqual(router.find("GET", "/caf%c3%a9"), null);
    assert.notEqual(router.find("GET", "/admin"), null);
    assert.throws(() => router.get("/caf%c3%a9", handler), {
      code: "ERR_ROUTE_CONFLICT",
    });
  });

  it("says why a pattern can't match any path", () => {
    const router = new Router();
    for (const pattern of ["/a/../b", "/a//b", "/a?b", "/\ud800"]) {
      assert.throws(() => router.get(pattern, handler), {
        code: "ERR_PATTERN_INVALID",
        message: /can't be used: no path has ./,
      });
    }
  });
});

describe("One host", () => {
  for (const host of [
    "",
    "example.com",
    "example.com:",
    "EXAMPLE.com:8080",
    "127.0.0.1:3000",
    "[::1]",
    "[2001:db8::7]:443",
    "caf%C3%A9.example",
    "example.com:99999",
    "[::1]:99999",
  ]) {
    it(`takes ${host || "an empty field"}`, () => {
      assert.equal(isHost(host), true);
    });
  }

  for (const host of [
    "a b",
    "u@example.com",
    "example.com/x",
    "a.example, b.example",
    "a.example,b.example",
    "a%zz",
    "[:::::]",
    "[::1",
    "::1",
    "example.com:80:80",
    "example.com:http",
    "http://example.com",
  ]) {
    it(`refuses ${host}, whatever is asked`, () => {
      assert.equal(isHost(host), false);
      const router = new Router().get("/*", handler);
      for (const [method, target] of [
        ["GET", "/"],
        ["OPTIONS", "*"],
      ]) {
        const { statusCode, reason } = router.judge(method, target, host);
        assert.equal(statusCode, 400);
        assert.match(reason, /Host field/);
        const explained = router.explain(method, target, host);
        assert.equal(explained.statusCode, 400);
        assert.equal(explained.reason, reason);
      }
    });
  }
});

describe("Which methods take a target?", () => {
  const router = new Router()
    .get("/users/:id", handler)
    .post("/users/:name", handler);

  it("asks with a target, and gets what a request would get", () => {
    for (const target of [
      "/users/7",
      "/%75sers/7?page=2",
      "http://x/users/7",
    ]) {
      const { route, params } = router.find("GET", target) ?? {};
      assert.equal(route?.pattern, "/users/:id");
      assert.deepEqual({ ...params }, { id: "7" });
      assert.deepEqual(router.allowedMethods(target), [
        "GET",
        "HEAD",
        "OPTIONS",
        "POST",
      ]);
      assert.equal(
        router.explain("GET", target).route?.pattern,
        "/users/:id",
      );
    }
  });

  it("finds nothing with a target that is refused", () => {
    for (const target of ["/users//7", "/users/../users/7", "*", "users"]) {
      assert.equal(router.find("GET", target), null);
      assert.deepEqual(router.allowedMethods(target), []);
      assert.equal(router.explain("GET", target).statusCode, 400);
    }
  });

  it("hands a path that has been read to match", () => {
    const { params } = router.match("GET", "/users/7?page=2") ?? {};
    assert.deepEqual({ ...params }, { id: "7?page=2" });
  });

  it("reads no path twice in match", () => {
    const { path } = router.judge("GET", "/users/7%3Fx%252F");
    const { params } = router.match("GET", path) ?? {};
    assert.deepEqual({ ...params }, { id: "7?x%2F" });
  });
});

describe("Case and slashes, if you must", () => {
  it("refuses an option that is neither true nor false", () => {
    for (const option of ["ignoreCase", "ignoreTrailingSlash"]) {
      const options = /** @type {any} */ ({ [option]: "no" });
      assert.throws(() => new Router(options), {
        code: "ERR_OPTION_INVALID",
        message: RegExp(`${option} .*"no"`),
      });
    }
  });

  it("refuses an option that isn't there, and names the near one", () => {
    for (const [option, meant] of [
      ["ignoreTrailingSlashes", /did you mean ignoreTrailingSlash\?/],
      ["ingoreCase", /did you mean ignoreCase\?/],
      ["strict", /strict, only ignoreCase and ignoreTrailingSlash/],
    ]) {
      const options = /** @type {any} */ ({ [`${option}`]: true });
      assert.throws(() => new Router(options), {
        code: "ERR_OPTION_UNKNOWN",
        message: meant,
      });
    }
  });

  it("refuses options that aren't in an object, and says whose", () => {
    for (const [given, shown] of /** @type {[any, string][]} */ ([
      [null, "null"],
      [5, "5"],
      ["ignoreCase", '"ignoreCase"'],
      [[], "an array"],
      [() => {}, "a function"],
    ])) {
      const code = "ERR_OPTIONS_INVALID";
      const rest = `needs its options in an object, not ${shown}`;
      assert.throws(() => new Router(given), {
        code,
        message: `Router ${rest}`,
      });
      assert.throws(() => createServer(new Router(), given), {
        code,
        message: `createServer ${rest}`,
      });
    }
    new Router(undefined);
  });

  it("normalizes a path as it normalizes its patterns", () => {
    const router = new Router({
      ignoreCase: true,
      ignoreTrailingSlash: true,
    });
    router.get("/Users/:Name/", handler).get("/", handler);
    const { path, match } = router.judge("GET", "/USERS/Ada/");
    assert.equal(path, "/users/ada");
    assert.deepEqual({ ...match?.params }, { Name: "Ada" });
    assert.equal(router.judge("GET", "/").path, "/");
    assert.notEqual(router.match("GET", "/USERS/Ada"), null);
  });

  it("gives the same path and values for both spellings", () => {
    const router = new Router({ ignoreTrailingSlash: true });
    router.get("/files/*path", handler).get("/:a/:b", handler);
    for (const [path, values] of /** @type {const} */ ([
      ["/files/private", ["private"]],
      ["/files/a%2Fb/c%2F", ["a%2Fb/c%2F"]],
      ["/files", [""]],
      ["/x/y", ["x", "y"]],
      ["/x/%2F", ["x", "/"]],
    ])) {
      for (const target of [path, `${path}/`]) {
        const verdict = router.judge("GET", target);
        const params = verdict.match?.params ?? {};
        assert.equal(verdict.path, path);
        assert.deepEqual(Object.values(params), values, target);
        const explained = router.explain("GET", target).params;
        assert.deepEqual({ ...explained }, { ...params });
        const again = router.match("GET", verdict.path);
        assert.deepEqual({ ...again?.params }, { ...params });
      }
    }
  });

  it("tells the capitals by the target alone, not by req.path", () => {
    const router = new Router({ ignoreCase: true });
    router.get("/Files/*path", handler);
    const { path, match } = router.judge("GET", "/Files/Private/Pay.txt");
    assert.equal(path, "/files/private/pay.txt");
    assert.equal(match?.params.path, "Private/Pay.txt");
    const again = router.match("GET", path);
    assert.equal(again?.params.path, "private/pay.txt");
  });

  it("explains what it finds under those options, too", () => {
    const router = new Router({ ignoreTrailingSlash: true });
    router.get("/files/*", handler);
    const { route, params } = router.explain("GET", "/files");
    assert.equal(route?.pattern, "/files/*");
    assert.deepEqual({ ...params }, { "*": "" });
  });
});

describe("How good is it?", () => {
  testRouter({
    name: "velocy 0.10.0",
    can: [
      "head",
      "all",
      "allowedMethods",
      "errors",
      "questions",
      "conflicts",
      "onlyPaths",
      "parameters",
      "wildcards",
      "namedWildcards",
      "backtracking",
      "ownNames",
      "anyName",
      "text",
      "escapes",
      "ignoreCase",
      "ignoreTrailingSlash",
    ],
    create: (options) => askedByTarget(new Router(options)),
  });
});
