import assert from "node:assert/strict";
import { it } from "node:test";
import { start } from "./visit.js";

const OWN = "http://example.com";
const HOST = { host: "example.com" };

/**
 * What browsers and others send, and whether it may pass. After Go's
 * http.CrossOriginProtection, whose rules these are.
 *
 * @type {[method: string, fields: Record<string, string>, passes: boolean][]}
 */
const REQUESTS = [
  // Fetch Metadata Request Headers, Sec-Fetch-Site.
  ["POST", { "sec-fetch-site": "same-origin" }, true],
  ["POST", { "sec-fetch-site": "none" }, true],
  ["POST", { "sec-fetch-site": "cross-site" }, false],
  ["POST", { "sec-fetch-site": "same-site" }, false],
  ["POST", { "sec-fetch-site": "" }, false],
  ["POST", { "sec-fetch-site": "Same-Origin" }, false],
  ["POST", { "sec-fetch-site": "cross-site", origin: OWN }, false],
  [
    "POST",
    { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
    true,
  ],
  // RFC 6454, section 7, and RFC 9110, section 7.2 for the host.
  ["POST", {}, true],
  ["POST", { origin: OWN }, true],
  ["POST", { origin: "https://evil.example" }, false],
  ["POST", { origin: "null" }, false],
  ["POST", { origin: "" }, false],
  ["POST", { origin: OWN, host: "EXAMPLE.com" }, true],
  ["POST", { origin: OWN, host: "example.com:80" }, true],
  ["POST", { origin: OWN, host: "example.com:443" }, false],
  [
    "POST",
    { origin: "https://example.com", host: "example.com:443" },
    true,
  ],
  // A server behind a proxy doesn't know which of the two it was.
  ["POST", { origin: "https://example.com" }, true],
  ["POST", { origin: "example.com" }, false],
  ["POST", { origin: "http://example.com.evil.example" }, false],
  ["POST", { origin: "http://example.com:8080" }, false],
  ["POST", { origin: `${OWN}, https://evil.example` }, false],
  // RFC 6454, section 5: origins are the same or aren't.
  ["POST", { origin: "https://trusted.example" }, true],
  [
    "POST",
    { origin: "https://trusted.example", "sec-fetch-site": "cross-site" },
    true,
  ],
  [
    "POST",
    { origin: "http://trusted.example", "sec-fetch-site": "cross-site" },
    false,
  ],
  ["POST", { origin: "https://trusted.example.evil.example" }, false],
  // RFC 9110, section 9.2.1: what is safe changes nothing.
  ["PUT", { "sec-fetch-site": "cross-site" }, false],
  ["PATCH", { "sec-fetch-site": "cross-site" }, false],
  ["DELETE", { "sec-fetch-site": "cross-site" }, false],
  ["GET", { "sec-fetch-site": "cross-site" }, true],
  ["HEAD", { "sec-fetch-site": "cross-site" }, true],
  ["OPTIONS", { "sec-fetch-site": "cross-site" }, true],
];

/** @param {any} velocy */
export function testCsrf(velocy) {
  const add = (/** @type {any} */ router) => {
    const exempt = (/** @type {any} */ req) =>
      req.path.startsWith("/hooks/");
    router.use(
      velocy.csrf({ origins: ["https://trusted.example"], exempt }),
    );
    router.all("/", () => "done");
    router.post("/hooks/:name", () => "done");
  };
  for (const [method, fields, passes] of REQUESTS) {
    const what = passes ? "lets pass" : "refuses";
    it(`${what} ${method} ${JSON.stringify(fields)}`, async (t) => {
      const { send } = await starter(t, velocy, add);
      const { statusCode } = await send(method, "/", fields);
      assert.equal(statusCode, passes ? 200 : 403);
    });
  }

  it("lets pass what is exempt, by the path that the router reads", async (t) => {
    const { send } = await starter(t, velocy, add);
    const fields = { "sec-fetch-site": "cross-site" };
    const codes = [];
    for (const path of ["/hooks/a", "/hook%73/a", "/", "/nothing"]) {
      codes.push((await send("POST", path, fields)).statusCode);
    }
    assert.deepEqual(codes, [200, 200, 403, 403]);
  });

  it("lets nothing pass by a promise", async (t) => {
    const { send, errors } = await starter(t, velocy, (router) => {
      router.use(velocy.csrf({ exempt: async () => false }));
      router.all("/", () => "done");
    });
    const fields = { "sec-fetch-site": "cross-site" };
    assert.equal((await send("POST", "/", fields)).statusCode, 500);
    assert.equal(errors[0].code, "ERR_OPTION_INVALID");
    assert.equal((await send("GET", "/", fields)).statusCode, 200);
  });

  for (const origins of [
    ["https://a.example/"],
    ["a.example"],
    ["null"],
    ["*"],
    "https://a.example",
    [/a/],
  ]) {
    it(`refuses the origins ${String(origins)}`, () => {
      assert.throws(() => velocy.csrf({ origins }), {
        code: "ERR_OPTION_INVALID",
      });
    });
  }
}

const A = "https://a.example";
const ASKED = { "access-control-request-method": "PUT" };

/** @param {any} velocy */
export function testCors(velocy) {
  const options = {
    origins: [A, "https://b.example"],
    methods: ["GET", "PUT"],
    headers: ["authorization", "x-b"],
    expose: ["etag"],
    credentials: true,
  };
  const add = (/** @type {any} */ router) => {
    router.use("/some", velocy.cors(options));
    router.use("/all", velocy.cors({ origins: "*" }));
    for (const path of ["/some", "/all"]) router.get(path, () => "hello");
    router.get("/some/fails", () => {
      throw new velocy.HttpError(418);
    });
  };
  // Fetch Standard, HTTP CORS protocol. Vary: RFC 9110, section 12.5.5.
  /** @type {[method: string, path: string, fields: Record<string, string>, Record<string, string | number | undefined>][]} */
  const cases = [
    [
      "GET",
      "/some",
      { origin: A },
      {
        statusCode: 200,
        origin: A,
        credentials: "true",
        vary: "origin",
        expose: "etag",
      },
    ],
    ["GET", "/some", {}, { statusCode: 200, vary: "origin" }],
    [
      "GET",
      "/some",
      { origin: "https://evil.example" },
      { statusCode: 200, vary: "origin" },
    ],
    [
      "GET",
      "/some",
      { origin: "null" },
      { statusCode: 200, vary: "origin" },
    ],
    [
      "GET",
      "/some",
      { origin: `${A}.evil.example` },
      { statusCode: 200, vary: "origin" },
    ],
    [
      "GET",
      "/some",
      { origin: "https://A.example" },
      { statusCode: 200, vary: "origin" },
    ],
    [
      "GET",
      "/some",
      { origin: `${A}, https://evil.example` },
      { statusCode: 200, vary: "origin" },
    ],
    [
      "GET",
      "/some/fails",
      { origin: A },
      {
        statusCode: 418,
        origin: A,
        credentials: "true",
        vary: "origin, accept",
        expose: "etag",
      },
    ],
    [
      "GET",
      "/some/none",
      { origin: A },
      {
        statusCode: 404,
        origin: A,
        credentials: "true",
        vary: "origin, accept",
        expose: "etag",
      },
    ],
    [
      "OPTIONS",
      "/some",
      { origin: A, ...ASKED },
      {
        statusCode: 204,
        origin: A,
        credentials: "true",
        vary: "origin",
        methods: "GET, PUT",
        headers: "authorization, x-b",
        maxAge: "600",
      },
    ],
    [
      "OPTIONS",
      "/some/none",
      { origin: A, ...ASKED },
      {
        statusCode: 204,
        origin: A,
        credentials: "true",
        vary: "origin",
        methods: "GET, PUT",
        headers: "authorization, x-b",
        maxAge: "600",
      },
    ],
    [
      "OPTIONS",
      "/some",
      { origin: "https://evil.example", ...ASKED },
      { statusCode: 204, vary: "origin" },
    ],
    [
      "OPTIONS",
      "/some",
      { origin: A },
      {
        statusCode: 204,
        origin: A,
        credentials: "true",
        vary: "origin",
        expose: "etag",
      },
    ],
    ["OPTIONS", "/some", ASKED, { statusCode: 204, vary: "origin" }],
    ["GET", "/all", { origin: "null" }, { statusCode: 200, origin: "*" }],
    ["GET", "/all", {}, { statusCode: 200 }],
    [
      "OPTIONS",
      "/all",
      { origin: A, ...ASKED },
      {
        statusCode: 204,
        origin: "*",
        methods: "GET, HEAD, POST",
        maxAge: "600",
      },
    ],
  ];
  for (const [method, path, fields, expected] of cases) {
    it(`answers ${method} ${path} ${JSON.stringify(fields)}`, async (t) => {
      const { send } = await starter(t, velocy, add);
      const { statusCode, headers } = await send(method, path, fields);
      const got = {
        statusCode,
        origin: headers["access-control-allow-origin"],
        credentials: headers["access-control-allow-credentials"],
        vary: headers.vary,
        expose: headers["access-control-expose-headers"],
        methods: headers["access-control-allow-methods"],
        headers: headers["access-control-allow-headers"],
        maxAge: headers["access-control-max-age"],
      };
      const set = Object.entries(got).filter(
        ([, value]) => value !== undefined,
      );
      assert.deepEqual(Object.fromEntries(set), expected);
    });
  }

  const bad = [
    { origins: "*", credentials: true },
    { origins: ["*"] },
    { origins: ["null"] },
    { origins: true },
    { origins: /a/ },
    { origins: ["https://a.example/"] },
    { origins: [A], headers: ["*"] },
    { origins: [A], headers: "authorization" },
    { origins: [A], methods: ["GET, PUT"] },
    { origins: [A], methods: ["put"] },
    { origins: [A], expose: [undefined] },
    { origins: [A], maxAge: -1.5 },
    { origins: [A], maxAge: "600" },
    {},
    undefined,
  ];
  for (const each of bad) {
    it(`refuses ${JSON.stringify(each)}`, () => {
      assert.throws(() => velocy.cors(each), {
        code: /^ERR_OPTIONS?_INVALID$/,
      });
    });
  }
}

/** @param {any} velocy */
export function testSecureFields(velocy) {
  const openSite = (/** @type {any} */ t, /** @type {any} */ options) =>
    starter(t, velocy, (router) => {
      router.use(velocy.secureFields(options));
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) =>
        velocy.nonceOf(res),
      );
    });

  it("gives a nonce to an error's page", async (t) => {
    const { send } = await starter(t, velocy, (router) => {
      router.use(velocy.secureFields());
      router.onError(
        (
          /** @type {unknown} */ _err,
          /** @type {any} */ _req,
          /** @type {any} */ res,
        ) => velocy.nonceOf(res),
      );
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) => {
        velocy.nonceOf(res);
        throw new Error("a bug");
      });
    });
    const { headers, body } = await send("GET", "/");
    const policy = String(headers["content-security-policy"]);
    assert.ok(policy.includes(`'nonce-${body}'`), "the nonce isn't there");
  });

  it("gives a nonce again when the head is sent", async (t) => {
    const { send } = await starter(t, velocy, (router) => {
      router.use(velocy.secureFields());
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) => {
        const nonce = velocy.nonceOf(res);
        res.write(`${nonce} `);
        res.end(velocy.nonceOf(res));
      });
    });
    const [first, second] = (await send("GET", "/")).body.split(" ");
    assert.equal(second, first);
  });

  it("doesn't forbid with a nonce what 'unsafe-inline' allows", async (t) => {
    const policy = { "style-src": "'self' 'unsafe-inline'" };
    const { send } = await openSite(t, { policy });
    const { headers, body } = await send("GET", "/");
    const sent = String(headers["content-security-policy"]);
    assert.match(sent, /style-src 'self' 'unsafe-inline'(;|$)/);
    assert.ok(sent.includes(`script-src 'self' 'nonce-${body}'`), sent);
  });

  it("takes names in capitals, and directives without sources", async (t) => {
    const { send } = await openSite(t, {
      policy: { "Object-Src": "", "Upgrade-Insecure-Requests": true },
      fields: { "X-Frame-Options": "" },
    });
    const { headers } = await send("GET", "/");
    assert.equal(headers["x-frame-options"], undefined);
    const sent = String(headers["content-security-policy"]);
    assert.ok(!sent.includes("object-src"), "it is still there");
    assert.match(sent, /; upgrade-insecure-requests$/);
  });

  const add = (/** @type {any} */ router) => {
    router.use(velocy.secureFields());
    router.get("/", () => "hello");
    router.get(
      "/own",
      (/** @type {any} */ _req, /** @type {any} */ res) => {
        res.setHeader("x-frame-options", "SAMEORIGIN");
        return "hello";
      },
    );
    router.get(
      "/page",
      (/** @type {any} */ _req, /** @type {any} */ res) => {
        const nonce = velocy.nonceOf(res);
        assert.equal(velocy.nonceOf(res), nonce);
        return res.html(nonce);
      },
    );
    router.get(
      "/fails",
      (/** @type {any} */ _req, /** @type {any} */ res) => {
        velocy.nonceOf(res);
        throw new Error("secret");
      },
    );
  };

  it("sets the fields, on errors as well", async (t) => {
    const { send } = await starter(t, velocy, add);
    for (const path of ["/", "/nothing", "/fails", "/%zz"]) {
      const { headers } = await send("GET", path);
      if (path === "/%zz") continue;
      assert.equal(headers["x-content-type-options"], "nosniff", path);
      assert.equal(headers["referrer-policy"], "same-origin");
      assert.equal(headers["x-frame-options"], "DENY");
      assert.equal(
        headers["strict-transport-security"],
        "max-age=31536000",
      );
      const policy = String(headers["content-security-policy"]);
      assert.match(policy, /(^|; )default-src 'self'(;|$)/);
      assert.match(policy, /script-src 'self'(;|$)/);
      assert.ok(!policy.includes("nonce"), path);
    }
  });

  it("leaves a field to its handler", async (t) => {
    const { send } = await starter(t, velocy, add);
    const { headers } = await send("GET", "/own");
    assert.equal(headers["x-frame-options"], "SAMEORIGIN");
  });

  it("makes another nonce for each answer", async (t) => {
    const { send } = await starter(t, velocy, add);
    const nonces = new Set();
    for (let i = 0; i < 20; i += 1) {
      const { headers, body } = await send("GET", "/page");
      const policy = String(headers["content-security-policy"]);
      assert.match(body, /^[A-Za-z0-9+/_-]{22,}$/);
      assert.ok(
        policy.includes(`script-src 'self' 'nonce-${body}'`),
        "the nonce is in the policy",
      );
      nonces.add(body);
    }
    assert.equal(nonces.size, 20);
  });

  it("takes what the program says", async (t) => {
    const { send } = await starter(t, velocy, (router) => {
      const policy = {
        "script-src": "",
        "style-src": "'none'",
        "img-src": "*",
      };
      const fields = {
        "x-frame-options": "",
        "referrer-policy": "no-referrer",
      };
      router.use(velocy.secureFields({ policy, fields }));
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) =>
        velocy.nonceOf(res),
      );
    });
    const { headers, body } = await send("GET", "/");
    assert.equal(headers["x-frame-options"], undefined);
    assert.equal(headers["referrer-policy"], "no-referrer");
    const policy = String(headers["content-security-policy"]);
    assert.ok(
      policy.includes("; img-src *"),
      "the directive is in the policy",
    );
    assert.ok(
      policy.includes(`script-src 'self' 'nonce-${body}'`),
      "what default-src allows goes on being allowed",
    );
    assert.ok(
      policy.includes(`style-src 'nonce-${body}'`),
      "the nonce doesn't stand beside 'none'",
    );
  });

  it("doesn't forbid with a nonce what nothing forbids", async (t) => {
    const { send } = await starter(t, velocy, (router) => {
      const policy = { "default-src": "", "script-src": "" };
      router.use(velocy.secureFields({ policy }));
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) =>
        velocy.nonceOf(res),
      );
    });
    const { headers } = await send("GET", "/");
    const policy = String(headers["content-security-policy"]);
    assert.ok(!policy.includes("script-src"), "scripts are forbidden");
  });

  it("needs secureFields() for a nonce", async (t) => {
    const { send, errors } = await starter(t, velocy, (router) => {
      router.get("/", (/** @type {any} */ _req, /** @type {any} */ res) =>
        velocy.nonceOf(res),
      );
    });
    assert.equal((await send("GET", "/")).statusCode, 500);
    assert.equal(errors[0].code, "ERR_NONCE_MISSING");
  });

  it("refuses what would be two fields or directives, or none", () => {
    for (const options of [
      { policy: { "script-src": "'self'; img-src *" } },
      { policy: { "script-src": "a\r\nb" } },
      { policy: { "img-src": undefined } },
      { policy: { "img-src": ["*"] } },
      { policy: { "img-src": 7 } },
      { fields: { "x-a": "a\r\nb" } },
      { fields: { "x a": "b" } },
      { fields: { "Content-Security-Policy": "default-src *" } },
      { field: {} },
    ]) {
      assert.throws(() => velocy.secureFields(options), { name: /Error/ });
    }
  });
}

/** @param {import("node:test").TestContext} t @param {any} velocy @param {(router: any) => void} add */
async function starter(t, velocy, add) {
  const { port, errors } = await start(t, velocy, add);
  const { ask } = await import("../router/ask.js");
  /** @param {string} method @param {string} path @param {Record<string, string>} [fields] */
  const send = (method, path, fields = {}) =>
    ask(port, method, path, { headers: { ...HOST, ...fields } });
  return { send, errors };
}
