import assert from "node:assert/strict";
import { it } from "node:test";
import { start } from "./visit.js";

const OURS = ["127.0.0.0/8", "::1", "10.0.0.0/8", "2001:db8:1::/48"];

/**
 * What stands in X-Forwarded-For when 127.0.0.1 is connected, and who it is.
 *
 * @type {[field: string | string[], ip: string][]}
 */
const FORWARDED = [
  // The field has no RFC. Its last hop is on the right, as in RFC 7239,
  // section 4.
  ["", "127.0.0.1"],
  ["192.0.2.1", "192.0.2.1"],
  ["1.1.1.1, 192.0.2.1", "192.0.2.1"],
  ["1.1.1.1, 192.0.2.1, 10.0.0.7", "192.0.2.1"],
  ["10.0.0.8, 10.0.0.7", "10.0.0.8"],
  ["1.1.1.1,192.0.2.1 ,10.0.0.7 ", "192.0.2.1"],
  // Ports and brackets: RFC 7239, section 6. Writing: RFC 5952, section 4.
  ["192.0.2.1:4711", "192.0.2.1"],
  ["2001:db8::5", "2001:db8::5"],
  ["2001:DB8:0:00:0:0:0:5", "2001:db8::5"],
  ["[2001:db8::5]", "2001:db8::5"],
  ["[2001:db8::5]:443", "2001:db8::5"],
  ["1.1.1.1, 2001:db8:1::9", "1.1.1.1"],
  // RFC 4291, section 2.5.5.2.
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["0:0:0:0:0:FFFF:C000:0201", "192.0.2.1"],
  ["1.1.1.1, ::ffff:10.0.0.7", "1.1.1.1"],
  // RFC 7239, sections 6.2 and 6.3, and what is no address.
  ["1.1.1.1, unknown", "127.0.0.1"],
  ["1.1.1.1, ", "127.0.0.1"],
  ["1.1.1.1, 10.0.0.7, _hidden, 10.0.0.6", "10.0.0.6"],
  ["1.1.1.1, 999.1.1.1", "127.0.0.1"],
  ["1.1.1.1, 192.0.2.01", "127.0.0.1"],
  // Two lines of one field: RFC 9110, section 5.3.
  [["1.1.1.1", "192.0.2.1"], "192.0.2.1"],
  [["192.0.2.1", "10.0.0.7"], "192.0.2.1"],
  ["'192.0.2.1'", "127.0.0.1"],
  [`${"1.1.1.1,".repeat(1000)}192.0.2.1`, "192.0.2.1"],
];

/** @param {any} velocy */
export function testAddresses(velocy) {
  const add = (/** @type {any} */ router) => {
    router.get("/", (/** @type {any} */ req) => String(req.ip));
  };
  for (const [field, ip] of FORWARDED) {
    it(`finds ${ip} in ${JSON.stringify(field).slice(0, 50)}`, async (t) => {
      const { get } = await start(t, velocy, add, { proxies: OURS });
      const fields = field === "" ? {} : { "x-forwarded-for": field };
      assert.equal((await get("/", fields)).body, ip);
    });
  }

  it("believes nobody who isn't named", async (t) => {
    for (const proxies of [undefined, [], ["10.0.0.0/8"]]) {
      const options = proxies ? { proxies } : {};
      const { get } = await start(t, velocy, add, options);
      const { body } = await get("/", { "x-forwarded-for": "1.1.1.1" });
      assert.equal(body, "127.0.0.1");
    }
  });

  it("doesn't read Forwarded, which a proxy may hand on as it came", async (t) => {
    const { get } = await start(t, velocy, add, { proxies: OURS });
    assert.equal(
      (await get("/", { forwarded: "for=1.1.1.1" })).body,
      "127.0.0.1",
    );
  });

  for (const proxies of [
    // RFC 4632, section 3.1, and RFC 4291, section 2.3.
    ["10.0.0.0/33"],
    ["10.0.0"],
    ["::1/129"],
    ["10.0.0.0/"],
    ["localhost"],
    ["10.0.0.0/x"],
    ["10.0.0.0/8/8"],
    [7],
    "127.0.0.1",
    "",
    ["10.0.0.0/-1"],
    ["10.0.0.0/8.5"],
  ]) {
    it(`refuses the proxies ${JSON.stringify(proxies)}`, () => {
      const router = new velocy.Router();
      assert.throws(() => velocy.createServer(router, { proxies }), {
        code: "ERR_OPTION_INVALID",
      });
    });
  }

  it("shows the whole text that was given in place of a list", () => {
    const router = new velocy.Router();
    const proxies = "10.0.0.0/8";
    assert.throws(() => velocy.createServer(router, { proxies }), {
      message: /not "10\.0\.0\.0\/8"$/,
    });
  });
}

/**
 * @param {any} velocy
 * @param {(t: import("node:test").TestContext) => any} makeStore
 */
export function testLimits(velocy, makeStore) {
  /** @param {import("node:test").TestContext} t @param {any} [options] */
  const open = async (t, options = {}) => {
    const store = await makeStore(t);
    const three = { requests: 3, seconds: 3600, name: "three" };
    const all = { ...three, store, ...options };
    return start(
      t,
      velocy,
      (router) => {
        router.use(velocy.rateLimit(all));
        router.get("/", () => "hello");
      },
      { proxies: ["127.0.0.1"] },
    );
  };
  const from = (/** @type {string} */ ip) => ({ "x-forwarded-for": ip });

  // RFC 6585, section 4, and RFC 9110, section 10.2.3. The other fields are
  // of draft-ietf-httpapi-ratelimit-headers.
  it("lets as many pass as are allowed, and says when to come again", async (t) => {
    const { get, errors } = await open(t);
    const seen = [];
    for (let i = 0; i < 5; i += 1) {
      const { statusCode, headers } = await get("/", from("192.0.2.1"));
      const retry = headers["retry-after"];
      seen.push([statusCode, headers.ratelimit, retry]);
      assert.equal(headers["ratelimit-policy"], '"three";q=3;w=3600');
    }
    assert.deepEqual(seen, [
      [200, '"three";r=2;t=1200', undefined],
      [200, '"three";r=1;t=2400', undefined],
      [200, '"three";r=0;t=3600', undefined],
      [429, '"three";r=0;t=3600', "1200"],
      [429, '"three";r=0;t=3600', "1200"],
    ]);
    assert.deepEqual(errors, []);
  });

  it("gives back one at a time", async (t) => {
    const { get } = await open(t, { requests: 5, seconds: 1 });
    /** @type {(number | undefined)[]} */
    const codes = [];
    const until = performance.now() + 2_000;
    while (performance.now() < until) {
      codes.push((await get("/", from("192.0.2.1"))).statusCode);
    }
    const passed = codes.filter((code) => code === 200).length;
    // Five at once, and ten in two seconds.
    assert.ok(passed >= 13 && passed <= 16, `${passed}`);
  });

  // RFC 4291, sections 2.5.4 and 2.5.5.2.
  it("counts clients by the network that is theirs", async (t) => {
    const { get } = await open(t, { requests: 1 });
    /** @type {[ip: string, statusCode: number][]} */
    const cases = [
      ["192.0.2.1", 200],
      ["192.0.2.1", 429],
      ["::ffff:192.0.2.1", 429],
      ["192.0.2.2", 200],
      ["::ffff:192.0.2.3", 200],
      ["2001:db8:7:1::1", 200],
      ["2001:db8:7:1:ffff::2", 429],
      ["2001:db8:7:2::1", 200],
      ["2001:db8:7:0002::5", 429],
    ];
    for (const [ip, statusCode] of cases) {
      assert.equal((await get("/", from(ip))).statusCode, statusCode, ip);
    }
  });

  it("counts by a key of the program's", async (t) => {
    const key = (/** @type {any} */ req) => req.headers["x-user"] ?? "";
    const { get } = await open(t, { requests: 1, key, name: "user" });
    const codes = [];
    for (const user of ["a", "b", "a", "☃"]) {
      const fields = { "x-user": encodeURIComponent(user) };
      codes.push((await get("/", fields)).statusCode);
    }
    assert.deepEqual(codes, [200, 200, 429, 200]);
  });

  it("refuses a key that is no text", async (t) => {
    for (const key of [async () => "a", () => undefined]) {
      const { get, errors } = await open(t, { key });
      assert.equal((await get("/")).statusCode, 500);
      assert.equal(errors[0].code, "ERR_OPTION_INVALID");
    }
  });

  it("counts limits with two names apart", async (t) => {
    const store = await makeStore(t);
    const { get } = await start(t, velocy, (router) => {
      for (const name of ["search", "login"]) {
        const limit = { requests: 1, seconds: 3600, name, store };
        router.use(`/${name}`, velocy.rateLimit(limit));
        router.get(`/${name}`, () => "hello");
      }
    });
    const codes = [];
    for (const path of ["/search", "/login", "/search"]) {
      codes.push((await get(path)).statusCode);
    }
    assert.deepEqual(codes, [200, 200, 429]);
  });

  for (const options of [
    {},
    { requests: 0, seconds: 1 },
    { requests: 1.5, seconds: 1 },
    { requests: 1, seconds: "60" },
    { requests: 1, seconds: 1, name: 'a"' },
    { requests: 1, seconds: 1, key: "ip" },
    { requests: 1, seconds: 1, name: "a", store: {} },
    { requests: 5_000_000, seconds: 1 },
    // Two such limits would count in one place.
    { requests: 1, seconds: 1, store: { take() {} } },
  ]) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      assert.throws(() => velocy.rateLimit(options), {
        code: "ERR_OPTION_INVALID",
      });
    });
  }
}
