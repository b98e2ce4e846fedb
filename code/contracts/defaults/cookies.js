import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { start } from "./visit.js";

/**
 * What comes in a Cookie field, and what `req.cookies` has of it (RFC 6265,
 * sections 4.2 and 5.4).
 *
 * @type {[field: string, cookies: Record<string, string>][]}
 */
const FIELDS = [
  ["", {}],
  ["a=1", { a: "1" }],
  ["a=1; b=2", { a: "1", b: "2" }],
  ["a=1;b=2", { a: "1", b: "2" }],
  [" a = 1 ;\tb=2 ", { a: "1", b: "2" }],
  ["a=1; a=2", { a: "1" }],
  ["a=; b", { a: "" }],
  ["=1; b=2", { b: "2" }],
  ["a=b=c==", { a: "b=c==" }],
  [";;; a=1;;", { a: "1" }],
  ['a="1"', { a: "1" }],
  ['a="1', { a: '"1' }],
  ['a="', { a: '"' }],
  ["a=caf%C3%A9", { a: "café" }],
  ["a=%zz; b=50%", { a: "%zz", b: "50%" }],
  ["a=%ff", { a: "%ff" }],
  ["__proto__=1; constructor=2", { ["__proto__"]: "1", constructor: "2" }],
  // What trim() would take away: then this would be a __Host- cookie.
  ["\u00a0__Host-a=evil", { "\u00a0__Host-a": "evil" }],
  ["A=1; a=2", { A: "1", a: "2" }],
];

/** @param {any} velocy */
export function testCookieFields(velocy) {
  for (const [field, cookies] of FIELDS) {
    it(`reads ${JSON.stringify(field)}`, async (t) => {
      /** @type {any} */
      let got;
      const { get } = await start(t, velocy, (router) => {
        router.get("/", (/** @type {any} */ req) => {
          got = req.cookies;
          return "";
        });
      });
      await get("/", field === "" ? {} : { cookie: field });
      for (const name of ["constructor", "toString", "__proto__"]) {
        if (!Object.hasOwn(cookies, name)) assert.ok(!(name in got), name);
      }
      const list = (/** @type {any} */ each) => Object.entries(each).sort();
      assert.deepEqual(list(got), list(cookies));
    });
  }

  it("reads no more cookies than browsers send", async (t) => {
    const { get } = await start(t, velocy, (router) => {
      router.get(
        "/",
        (/** @type {any} */ req) => Object.keys(req.cookies).length,
      );
    });
    const cookie = Array.from({ length: 1500 }, (_, i) => `c${i}=`).join(
      ";",
    );
    assert.ok(
      Number((await get("/", { cookie })).body) <= 300,
      "there are more",
    );
  });
}

const SECURE = { secure: true };
const DAY = 24 * 60 * 60;

/** @type {[args: any[], line: string][]} */
const TAKEN = [
  [["a", "1"], "a=1; Path=/; HttpOnly; SameSite=Lax"],
  [["a", ""], "a=; Path=/; HttpOnly; SameSite=Lax"],
  [["a", "b=c/d+e=="], "a=b=c/d+e==; Path=/; HttpOnly; SameSite=Lax"],
  [
    ["a", "x; Domain=evil"],
    "a=x%3B%20Domain%3Devil; Path=/; HttpOnly; SameSite=Lax",
  ],
  [
    ["a", "1\r\nset-cookie: b=2"],
    "a=1%0D%0Aset-cookie%3A%20b%3D2; Path=/; HttpOnly; SameSite=Lax",
  ],
  [["a", "☃"], "a=%E2%98%83; Path=/; HttpOnly; SameSite=Lax"],
  [["a", "100%"], "a=100%25; Path=/; HttpOnly; SameSite=Lax"],
  [["a", '"q"'], "a=%22q%22; Path=/; HttpOnly; SameSite=Lax"],
  [["a", "1", { httpOnly: false }], "a=1; Path=/; SameSite=Lax"],
  [
    ["a", "1", { path: "/x", domain: "example.com" }],
    "a=1; Path=/x; Domain=example.com; HttpOnly; SameSite=Lax",
  ],
  [
    ["a", "1", { domain: ".example.com" }],
    "a=1; Path=/; Domain=.example.com; HttpOnly; SameSite=Lax",
  ],
  [
    ["a", "1", { maxAge: 400 * DAY }],
    `a=1; Path=/; Max-Age=${400 * DAY}; HttpOnly; SameSite=Lax`,
  ],
  [
    ["a", "1", { expires: new Date(0) }],
    "a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax",
  ],
  [
    ["a", "1", { sameSite: "None", ...SECURE }],
    "a=1; Path=/; HttpOnly; Secure; SameSite=None",
  ],
  [
    ["a", "1", { sameSite: "Strict" }],
    "a=1; Path=/; HttpOnly; SameSite=Strict",
  ],
  [["__Host-a", "1"], "__Host-a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
  [
    ["__Secure-a", "1", { path: "/x" }],
    "__Secure-a=1; Path=/x; HttpOnly; Secure; SameSite=Lax",
  ],
  // Draft layered-cookies-02, section 4.1.3.
  [["__Http-a", "1"], "__Http-a=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
  [
    ["__Http-a", "1", { path: "/x", domain: "a.com" }],
    "__Http-a=1; Path=/x; Domain=a.com; HttpOnly; Secure; SameSite=Lax",
  ],
  [
    ["__Host-Http-a", "1"],
    "__Host-Http-a=1; Path=/; HttpOnly; Secure; SameSite=Lax",
  ],
  // Not prefixes.
  [
    ["__Host", "1", { path: "/x", httpOnly: false }],
    "__Host=1; Path=/x; SameSite=Lax",
  ],
  [
    ["a__Http-", "1", { httpOnly: false }],
    "a__Http-=1; Path=/; SameSite=Lax",
  ],
  // Draft partitioned-cookies-01, section 2.1.
  [
    ["a", "1", { partitioned: true, sameSite: "None", ...SECURE }],
    "a=1; Path=/; Partitioned; HttpOnly; Secure; SameSite=None",
  ],
  [
    ["__Host-a", "1", { partitioned: true }],
    "__Host-a=1; Path=/; Partitioned; HttpOnly; Secure; SameSite=Lax",
  ],
  [
    ["a", "1", { partitioned: false }],
    "a=1; Path=/; HttpOnly; SameSite=Lax",
  ],
  [
    ["a", "x".repeat(4095)],
    `a=${"x".repeat(4095)}; Path=/; HttpOnly; SameSite=Lax`,
  ],
];

/** @type {[args: any[], code: string][]} */
const REFUSED = [
  [["", "1"], "ERR_COOKIE_INVALID"],
  [["a b", "1"], "ERR_COOKIE_INVALID"],
  [["a=b", "1"], "ERR_COOKIE_INVALID"],
  [["a;b", "1"], "ERR_COOKIE_INVALID"],
  [["é", "1"], "ERR_COOKIE_INVALID"],
  [["a\r\nb", "1"], "ERR_COOKIE_INVALID"],
  [["a\n", "1"], "ERR_COOKIE_INVALID"],
  [[undefined, "1"], "ERR_COOKIE_INVALID"],
  [[7, "1"], "ERR_COOKIE_INVALID"],
  [["a", 1], "ERR_COOKIE_INVALID"],
  [["a"], "ERR_COOKIE_INVALID"],
  [["a", "\ud800"], "ERR_COOKIE_INVALID"],
  [["a", "x".repeat(4096)], "ERR_COOKIE_INVALID"],
  [["a", "☃".repeat(460)], "ERR_COOKIE_INVALID"],
  [["a", "1", { path: "x" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { path: "/;x" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { path: "/\r\n" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { path: "/\n" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { path: `/${"x".repeat(1024)}` }], "ERR_COOKIE_INVALID"],
  [["a", "1", { domain: "a_b.com" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { domain: "a.com; Secure" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { domain: "" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { domain: "-a.com" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { domain: "a.com\n" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { maxAge: 1.5 }], "ERR_COOKIE_INVALID"],
  [["a", "1", { maxAge: -1 }], "ERR_COOKIE_INVALID"],
  [["a", "1", { maxAge: "60" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { maxAge: 7 * DAY * 1000 }], "ERR_COOKIE_INVALID"],
  [["a", "1", { expires: new Date(Number.NaN) }], "ERR_COOKIE_INVALID"],
  [["a", "1", { expires: "tomorrow" }], "ERR_COOKIE_INVALID"],
  [
    ["a", "1", { expires: new Date(Date.UTC(12_000, 1)) }],
    "ERR_COOKIE_INVALID",
  ],
  [
    ["a", "1", { expires: new Date(Date.now() + 401 * DAY * 1000) }],
    "ERR_COOKIE_INVALID",
  ],
  [
    ["a", "1", { expires: new Date(Date.UTC(1500, 0)) }],
    "ERR_COOKIE_INVALID",
  ],
  [["a", "1", { sameSite: "lax; Domain=x" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { sameSite: "None" }], "ERR_COOKIE_INVALID"],
  [["__Host-a", "1", { secure: false }], "ERR_COOKIE_INVALID"],
  [["__Secure-a", "1", { secure: false }], "ERR_COOKIE_INVALID"],
  [["__secure-a", "1", { secure: false }], "ERR_COOKIE_INVALID"],
  [["__Host-a", "1", { path: "/x" }], "ERR_COOKIE_INVALID"],
  [["__hOsT-a", "1", { domain: "a.com" }], "ERR_COOKIE_INVALID"],
  // Draft layered-cookies-02, section 4.1.3.
  [["__Http-a", "1", { secure: false }], "ERR_COOKIE_INVALID"],
  [["__Http-a", "1", { httpOnly: false }], "ERR_COOKIE_INVALID"],
  [["__hTTP-a", "1", { httpOnly: false }], "ERR_COOKIE_INVALID"],
  [["__Host-Http-a", "1", { secure: false }], "ERR_COOKIE_INVALID"],
  [["__Host-Http-a", "1", { httpOnly: false }], "ERR_COOKIE_INVALID"],
  [["__Host-Http-a", "1", { path: "/x" }], "ERR_COOKIE_INVALID"],
  [["__Host-Http-a", "1", { domain: "a.com" }], "ERR_COOKIE_INVALID"],
  // Draft partitioned-cookies-01, section 2.1.
  [["a", "1", { partitioned: true }], "ERR_COOKIE_INVALID"],
  [["a", "1", { partitioned: "yes", ...SECURE }], "ERR_COOKIE_INVALID"],
  [["a", "1", { httponly: false }], "ERR_OPTION_UNKNOWN"],
  [["a", "1", { secure: "false" }], "ERR_COOKIE_INVALID"],
  [["a", "1", { httpOnly: 0 }], "ERR_COOKIE_INVALID"],
];

/** @param {any} velocy */
export function testSetCookie(velocy) {
  /** @param {import("node:test").TestContext} t @param {(res: any) => void} set */
  const linesOf = async (t, set) => {
    const { get, errors } = await start(t, velocy, (router) => {
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) => {
        set(res);
        return "";
      });
    });
    const { headers } = await get("/");
    return { lines: headers["set-cookie"] ?? [], errors, headers };
  };

  for (const [args, line] of TAKEN) {
    it(`sets ${line.slice(0, 70)}`, async (t) => {
      const { lines, headers } = await linesOf(t, (res) => {
        res.setCookie(...args);
      });
      assert.deepEqual(lines, [line]);
      assert.equal(headers["content-type"], "text/plain; charset=utf-8");
    });
  }

  for (const [args, code] of REFUSED) {
    const shown = (JSON.stringify(args) ?? "").slice(0, 60);
    it(`refuses ${shown}`, async (t) => {
      const { lines, errors } = await linesOf(t, (res) => {
        res.setCookie(...args);
      });
      assert.deepEqual(lines, []);
      assert.equal(errors[0]?.code, code);
    });
  }

  it("names a prefix as it was written", async (t) => {
    const { errors } = await linesOf(t, (res) => {
      res.setCookie("__Host-a", "1", { secure: false });
    });
    assert.match(errors[0]?.message, /__Host- needs secure/);
  });

  it("names all of a long prefix", async (t) => {
    const { errors } = await linesOf(t, (res) => {
      res.setCookie("__Host-Http-a", "1", { httpOnly: false });
    });
    assert.match(errors[0]?.message, /__Host-Http- needs httpOnly/);
  });

  it("clears a cookie beside the partitioned one of its name", async (t) => {
    const partitioned = { partitioned: true, secure: true };
    const { lines } = await linesOf(t, (res) => {
      res.clearCookie("a").setCookie("a", "1", partitioned);
      res.setCookie("a", "2", partitioned);
    });
    assert.deepEqual(lines, [
      "a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
      "a=2; Path=/; Partitioned; HttpOnly; Secure; SameSite=Lax",
    ]);
  });

  it("sends the last one of a name, path and domain", async (t) => {
    const { lines } = await linesOf(t, (res) => {
      res.setCookie("a", "1").setCookie("b", "1", { path: "/b" });
      res.setCookie("a", "2").setCookie("b", "1", { path: "/c" });
      res.appendHeader("set-cookie", "other=1");
      res.setCookie("b", "2", { path: "/b" });
    });
    const short = lines.map((line) => line.replace(/; HttpOnly.*/, ""));
    assert.deepEqual(short, [
      "a=2; Path=/",
      "b=1; Path=/c",
      "other=1",
      "b=2; Path=/b",
    ]);
  });

  it("has a cookie forgotten", async (t) => {
    const { lines } = await linesOf(t, (res) => {
      res.clearCookie("__Host-a").clearCookie("b", { path: "/b" });
    });
    assert.deepEqual(lines, [
      "__Host-a=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax",
      "b=; Path=/b; Max-Age=0; HttpOnly; SameSite=Lax",
    ]);
  });

  it("keeps what middleware has set when the handler fails", async (t) => {
    const { get } = await start(t, velocy, (router) => {
      router.use(
        (
          /** @type {any} */ _req,
          /** @type {any} */ res,
          /** @type {any} */ next,
        ) => {
          res.setCookie("a", "1");
          return next();
        },
      );
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) => {
        res.setCookie("b", "1");
        throw new velocy.HttpError(418);
      });
    });
    const { statusCode, headers } = await get("/");
    assert.equal(statusCode, 418);
    assert.deepEqual(headers["set-cookie"], [
      "a=1; Path=/; HttpOnly; SameSite=Lax",
    ]);
  });
}

const OLD = "an old secret of thirty-two bytes";
const NEW = "a new secret, also thirty-two bytes";

/** @param {any} velocy */
export function testSigner({ signer }) {
  describe("signer", () => {
    it("knows what it has signed", () => {
      const { sign, verify } = signer([NEW]);
      for (const value of ["", "a", "a.b", "☃", "x".repeat(3000)]) {
        assert.equal(verify("name", sign("name", value)), value);
      }
    });

    it("signs with the first secret, and knows all", () => {
      const before = signer([OLD]);
      const both = signer([NEW, OLD]);
      const after = signer([NEW]);
      assert.equal(both.verify("a", before.sign("a", "1")), "1");
      assert.equal(after.verify("a", both.sign("a", "1")), "1");
      assert.equal(after.verify("a", before.sign("a", "1")), null);
    });

    it("refuses what was changed", () => {
      const { sign, verify } = signer([NEW]);
      const signed = sign("a", "7");
      const dot = signed.lastIndexOf(".");
      const mac = signed.slice(dot + 1);
      const forged = [
        `8.${mac}`,
        "7",
        "7.",
        ".",
        "",
        `7.${mac}=`,
        `7.${mac} `,
        `7.${mac.slice(0, -1)}`,
        `7.${mac}A`,
        `7.${mac.toLowerCase()}`,
        `7.${"é".repeat(43)}`,
        `7..${mac}`,
        mac,
      ];
      for (const each of forged)
        assert.equal(verify("a", each), null, each);
    });

    it("knows no signature of a cookie that isn't there", () => {
      assert.equal(signer([NEW]).verify("name", undefined), null);
    });

    it("knows no signature of another cookie", () => {
      const { sign, verify } = signer([NEW]);
      assert.equal(verify("role", sign("user", "admin")), null);
      // The border between name and value counts.
      assert.equal(
        verify("a=b", sign("a", "b=c").replace(/^b=/, "")),
        null,
      );
    });

    it("refuses secrets that can be guessed", () => {
      const bad = [
        undefined,
        [],
        "x".repeat(40),
        ["short"],
        [NEW, ""],
        [7],
      ];
      for (const secrets of bad) {
        assert.throws(
          () => signer(secrets),
          (/** @type {any} */ err) => {
            assert.equal(err.code, "ERR_OPTION_INVALID");
            assert.ok(!err.message.includes("short"), "shows no secret");
            return true;
          },
        );
      }
    });
  });
}
