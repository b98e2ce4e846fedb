/**
 * Middleware of npm's, and what each has to do on velocy: the tests run
 * `check`, and the book's table shows `use` and `note`.
 *
 * @typedef {object} Context
 * @property {any} velocy
 * @property {(router: any) => Promise<Ask>} serve
 * @property {any} load  what the package exports
 *
 * @typedef {(target: string, options?: import("node:http").RequestOptions & { body?: string })
 *   => Promise<{ statusCode: number, headers: import("node:http").IncomingHttpHeaders,
 *     rawHeaders: string[], body: Buffer }>} Ask
 *
 * @typedef {object} Package
 * @property {string} name
 * @property {true} [isPlain]  needs no line in chapter 12's table: the text names it
 * @property {string} [use]  how; none if it doesn't run
 * @property {string} [how]  how it doesn't run
 * @property {string} note  what it does here, or why it does nothing
 * @property {string} [onEngine]  what it does otherwise on velocy's own engine
 * @property {(context: Context) => Promise<void>} check
 */
import assert from "node:assert/strict";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** @type {Package[]} */
export const PACKAGES = [
  {
    name: "helmet",
    isPlain: true,
    use: "use(helmet())",
    note: "sets its fields, also on a 404 and on errors",
    async check({ velocy, serve, load: helmet }) {
      const router = new velocy.Router().use(helmet()).get("/", () => "hello");
      router.get("/fails", () => {
        throw new velocy.HttpError(409, "no");
      });
      const ask = await serve(router);
      for (const [target, statusCode] of /** @type {[string, number][]} */ ([
        ["/", 200],
        ["/nothing", 404],
        ["/fails", 409],
      ])) {
        const response = await ask(target);
        assert.equal(response.statusCode, statusCode);
        assert.match(String(response.headers["content-security-policy"]), /default-src 'self'/);
      }
    },
  },
  {
    name: "cors",
    isPlain: true,
    use: "use(cors({ origin }))",
    note: "answers preflight requests, and marks answers and errors",
    async check({ velocy, serve, load: cors }) {
      const router = new velocy.Router().use(cors({ origin: "https://a.example" }));
      router.put("/", () => "hello");
      router.use("/guarded", () => {
        throw new velocy.HttpError(401);
      });
      const ask = await serve(router);
      const headers = { origin: "https://a.example", "access-control-request-method": "PUT" };
      const preflight = await ask("/", { method: "OPTIONS", headers });
      assert.equal(preflight.statusCode, 204);
      assert.match(String(preflight.headers["access-control-allow-methods"]), /PUT/);
      assert.equal((await ask("/guarded", { method: "OPTIONS", headers })).statusCode, 204);
      const answer = await ask("/", { method: "PUT", headers });
      assert.equal(answer.headers["access-control-allow-origin"], "https://a.example");
      const missing = await ask("/nothing", { headers });
      assert.equal(missing.headers["access-control-allow-origin"], "https://a.example");
    },
  },
  {
    name: "morgan",
    isPlain: true,
    use: 'use(morgan("combined"))',
    note: "logs each answer once, with its status and length",
    async check({ velocy, serve, load: morgan }) {
      /** @type {string[]} */
      const lines = [];
      const stream = { write: (/** @type {string} */ line) => lines.push(line) };
      const format = ":method :url :status :res[content-length]";
      const router = new velocy.Router().use(morgan(format, { stream }));
      router.get("/a", () => "hello");
      const ask = await serve(router);
      await ask("/a?b");
      await ask("/nothing");
      await until(() => lines.length === 2);
      assert.deepEqual(lines, ["GET /a?b 200 5\n", "GET /nothing 404 10\n"]);
    },
  },
  {
    name: "compression",
    use: "use(compression())",
    note: "packs what is returned and what is streamed",
    async check({ velocy, serve, load: compression }) {
      const text = "hello ".repeat(1000);
      const router = new velocy.Router().use(compression()).get("/", () => text);
      router.get(
        "/stream",
        async function* stream(/** @type {any} */ _req, /** @type {any} */ res) {
          res.setHeader("content-type", "text/plain");
          for (let i = 0; i < 1000; i += 1) yield "hello ";
        },
      );
      const ask = await serve(router);
      const headers = { "accept-encoding": "gzip" };
      for (const target of ["/", "/stream"]) {
        const packed = await ask(target, { headers });
        assert.equal(packed.headers["content-encoding"], "gzip");
        assert.equal(gunzipSync(packed.body).toString(), text);
        const plain = await ask(target);
        assert.equal(plain.headers["content-encoding"], undefined);
        assert.equal(plain.body.toString(), text);
      }
    },
  },
  {
    name: "cookie-parser",
    isPlain: true,
    use: "use(cookieParser(secret))",
    note: "fills `req.cookies` and `req.signedCookies`; leaves velocy's own `req.cookies` of chapter 16 alone",
    async check({ velocy, serve, load: cookieParser }) {
      const router = new velocy.Router().use(cookieParser("secret"));
      router.get("/", (/** @type {any} */ req) => req.cookies);
      const ask = await serve(router);
      const { body } = await ask("/", { headers: { cookie: "a=1; b=x%20y" } });
      assert.deepEqual(JSON.parse(body.toString()), { a: "1", b: "x y" });
    },
  },
  {
    name: "express-session",
    isPlain: true,
    use: "use(session({ … }))",
    note: "keeps a session, saved before the answer ends",
    async check({ velocy, serve, load: session }) {
      const options = { secret: "secret", resave: false, saveUninitialized: false };
      const router = new velocy.Router().use(session(options));
      router.get("/", async (/** @type {any} */ req) => {
        req.session.count = (req.session.count ?? 0) + 1;
        return { count: req.session.count };
      });
      const ask = await serve(router);
      const first = await ask("/");
      const [cookie] = String(first.headers["set-cookie"]).split(";");
      const second = await ask("/", { headers: { cookie } });
      assert.equal(second.body.toString(), '{"count":2}');
      assert.equal((await ask("/")).body.toString(), '{"count":1}');
    },
  },
  {
    name: "serve-static",
    use: 'use("/static", connect(serveStatic(folder)))',
    note: "sends files, ranges and 304; hands on what it hasn't got",
    async check({ velocy, serve, load: serveStatic }) {
      const router = new velocy.Router();
      router.use("/static", velocy.connect(serveStatic(folder)));
      router.get("/static/other", () => "other");
      router.use("/static/node_modules", () => {
        throw new velocy.HttpError(401);
      });
      const ask = await serve(router);
      assert.equal((await ask("/static/node_modules/helmet/package.json")).statusCode, 401);
      assert.equal((await ask("/static/node_modules%2Fhelmet/package.json")).statusCode, 404);
      const { statusCode, headers, body } = await ask("/st%61tic/package.json");
      assert.equal(statusCode, 200);
      assert.match(String(headers["content-type"]), /^application\/json/);
      assert.equal(JSON.parse(body.toString()).private, true);
      const part = await ask("/static/package.json", { headers: { range: "bytes=0-1" } });
      assert.deepEqual([part.statusCode, part.body.toString()], [206, "{\n"]);
      const again = await ask("/static/package.json", {
        headers: { "if-none-match": headers.etag },
      });
      assert.equal(again.statusCode, 304);
      assert.equal((await ask("/static/other")).body.toString(), "other");
      assert.equal((await ask("/static/nothing.txt")).statusCode, 404);
      assert.equal((await ask("/static/%2e%2e/lib/headings.test.js")).statusCode, 400);
      assert.equal((await ask("/static")).headers.location, "/static/");
    },
  },
  {
    name: "http-proxy-middleware",
    isPlain: true,
    use: 'use("/api", connect(createProxyMiddleware({ target })))',
    note: "hands requests on to another server",
    async check({ velocy, serve, load: { createProxyMiddleware } }) {
      const behind = http.createServer((req, res) => {
        res.end(`${req.method} ${req.url}`);
      });
      await new Promise((resolve) => behind.listen(0, "127.0.0.1", () => resolve(undefined)));
      const { port } = /** @type {import("node:net").AddressInfo} */ (behind.address());
      try {
        const target = `http://127.0.0.1:${port}`;
        const router = new velocy.Router();
        router.use("/api", velocy.connect(createProxyMiddleware({ target })));
        const ask = await serve(router);
        const { statusCode, body } = await ask("/%61pi/users?page=2");
        assert.deepEqual([statusCode, body.toString()], [200, "GET /users?page=2"]);
      } finally {
        behind.closeAllConnections();
        behind.close();
      }
    },
  },
  {
    name: "passport",
    use: 'get("/me", passport.authenticate("basic", { session: false }), …)',
    note: "with `passport-http`: refuses, and fills `req.user`",
    async check({ velocy, serve, load: passport }) {
      // @ts-expect-error It has no types.
      const { BasicStrategy } = (await import("passport-http")).default;
      const check = (
        /** @type {string} */ name,
        /** @type {string} */ password,
        /** @type {Function} */ done,
      ) => setTimeout(done, 1, null, password === "secret" && { name });
      passport.use(new BasicStrategy(check));
      const router = new velocy.Router();
      const authenticate = passport.authenticate("basic", { session: false });
      router.get("/me", authenticate, (/** @type {any} */ req) => req.user);
      const ask = await serve(router);
      const refused = await ask("/me");
      assert.equal(refused.statusCode, 401);
      assert.match(String(refused.headers["www-authenticate"]), /^Basic/);
      assert.equal((await ask("/me", { auth: "ada:wrong" })).statusCode, 401);
      const { body } = await ask("/me", { auth: "ada:secret" });
      assert.equal(body.toString(), '{"name":"ada"}');
    },
  },
  {
    name: "response-time",
    isPlain: true,
    use: "use(responseTime())",
    note: "sets `X-Response-Time` when the head is sent",
    async check({ velocy, serve, load: responseTime }) {
      const router = new velocy.Router().use(responseTime()).get("/", async () => "hello");
      const ask = await serve(router);
      assert.match(String((await ask("/")).headers["x-response-time"]), /^\d+\.\d+ms$/);
    },
  },
  {
    name: "express-rate-limit",
    use: "use(rateLimit({ keyGenerator, handler, … }))",
    note: "counts; its own key and answer need Express's `req.ip` and `res.send`",
    async check({ velocy, serve, load: rateLimit }) {
      const keyGenerator = (/** @type {any} */ req) => req.socket.remoteAddress;
      const handler = () => {
        throw new velocy.HttpError(429);
      };
      const limit = rateLimit({ limit: 2, windowMs: 60_000, keyGenerator, handler });
      const router = new velocy.Router().use(limit).get("/", () => "hello");
      const ask = await serve(router);
      const statusCodes = [];
      for (let i = 0; i < 3; i += 1) statusCodes.push((await ask("/")).statusCode);
      assert.deepEqual(statusCodes, [200, 200, 429]);
    },
  },
  {
    name: "multer",
    use: 'post(path, { bodyBytes }, multer().single("photo"), handler)',
    note: "from chapter 13 on: reads a form with a file, and the chapter's limit holds for it too",
    async check({ velocy, serve, load: multer }) {
      const router = new velocy.Router();
      const upload = multer({ storage: multer.memoryStorage() }).single("photo");
      router.post("/", { bodyBytes: 1_000 }, upload, (/** @type {any} */ req) => {
        return { title: req.body.title, size: req.file.size, name: req.file.originalname };
      });
      const ask = await serve(router);
      const form = (/** @type {number} */ size) =>
        '--B\r\nContent-Disposition: form-data; name="title"\r\n\r\nMy cat\r\n' +
        '--B\r\nContent-Disposition: form-data; name="photo"; filename="cat.png"\r\n\r\n' +
        `${"x".repeat(size)}\r\n--B--\r\n`;
      const headers = { "content-type": "multipart/form-data; boundary=B" };
      const kept = await ask("/", { method: "POST", headers, body: form(100) });
      assert.deepEqual(JSON.parse(String(kept.body)), {
        title: "My cat",
        size: 100,
        name: "cat.png",
      });
      const refused = await ask("/", { method: "POST", headers, body: form(2_000) });
      assert.equal(refused.statusCode, 413);
    },
  },
  {
    name: "errorhandler",
    note: "has four parameters, and is refused where it is added; `router.onError` does this",
    async check({ velocy, load: errorhandler }) {
      const router = new velocy.Router();
      assert.throws(() => router.use(errorhandler()), { code: "ERR_MIDDLEWARE_INVALID" });
    },
  },
  {
    name: "method-override",
    how: "runs too late",
    note: "changes `req.method` when the route is found already: the POST handler runs, and sees `DELETE`",
    async check({ velocy, serve, load: methodOverride }) {
      const router = new velocy.Router().use(methodOverride());
      router.post("/", (/** @type {any} */ req) => `posted with ${req.method}`);
      router.delete("/", () => "deleted");
      const ask = await serve(router);
      const headers = { "x-http-method-override": "DELETE" };
      const { body } = await ask("/", { method: "POST", headers });
      assert.equal(body.toString(), "posted with DELETE");
    },
  },
];

/** @param {() => boolean} isThere */
async function until(isThere) {
  for (let i = 0; i < 500 && !isThere(); i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
