import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { ask, portOf } from "../../contracts/router/ask.js";
import { Visitor } from "../../contracts/visitor.js";

const milestone = fileURLToPath(new URL("..", import.meta.url));

/** How long the processes may take to listen, in milliseconds. */
const PATIENCE = 10_000;

describe("What comes behind the question mark", () => {
  const folder = mkdtempSync(join(tmpdir(), "article-"));
  before(() => install(folder));
  after(() => rmSync(folder, { recursive: true }));

  for (const [what, file, processes] of /** @type {const} */ ([
    ["as the chapter has it", "bench-server.mjs", 1],
    ["with import", "import.mjs", 1],
    ["with require", "require.cjs", 1],
    ["with import, two workers", "import-cluster.mjs", 2],
    ["with require, two workers", "require-cluster.cjs", 2],
  ])) {
    describe(`the article's program, ${what}`, () => {
      /** @type {Awaited<ReturnType<typeof start>>} */
      let program;
      before(async () => {
        program = await start(folder, file, processes);
      });
      after(() => program?.close());

      it("answers with the name and the id", async () => {
        const path = "/bench/testing?id=10";
        const { statusCode, headers, body } = await ask(
          program.port,
          "GET",
          path,
        );
        assert.equal(statusCode, 200);
        assert.equal(headers["x-powered-by"], "benchmark");
        assert.equal(headers["content-type"], "application/json");
        assert.equal(headers["content-length"], "28");
        assert.equal(body, '{"name":"testing","id":"10"}');
      });

      it("sends 208 bytes, and keeps the connection", async () => {
        const visitor = await Visitor.connect({
          port: program.port,
          host: "127.0.0.1",
        });
        const request =
          "GET /bench/testing?id=10 HTTP/1.1\r\nHost: x\r\n\r\n";
        await visitor.send(request);
        const { fields } = await visitor.response(1);
        assert.deepEqual(fields.get("connection"), ["keep-alive"]);
        assert.deepEqual(fields.get("keep-alive"), ["timeout=5"]);
        assert.equal(visitor.bytes.length, 208);
        await visitor.send(request);
        await visitor.response(2);
        visitor.leave();
      });

      it("has null for a missing id", async () => {
        const { body } = await ask(program.port, "GET", "/bench/testing");
        assert.equal(body, '{"name":"testing","id":null}');
      });

      it("counts a name in bytes", async () => {
        const path = "/bench/Zo%C3%AB?id=a%20b";
        const { headers, body } = await ask(program.port, "GET", path);
        assert.equal(body, '{"name":"Zoë","id":"a b"}');
        assert.equal(headers["content-length"], "26");
      });

      it("answers 404 for the rest", async () => {
        const { statusCode } = await ask(program.port, "GET", "/bench");
        assert.equal(statusCode, 404);
      });

      it(`answers from ${processes} of its processes`, async () => {
        for (let i = 0; i < 4; i += 1) {
          await ask(program.port, "GET", "/bench/testing?id=10");
        }
        await program.until("answers", processes);
      });
    });
  }
});

const APP = `
  const router = new Router();
  router.get("/bench/:name", (req, res) => {
    const name = req.params.name;
    const id = req.queryParams.get("id");
    const body = JSON.stringify({ name, id });
    res.writeHead(200, {
      "x-powered-by": "benchmark",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    res.end(body);
  });
  createServer(router).listen(Number(process.env.PORT));
`;

const CLUSTER = `
  if (cluster.isPrimary) {
    cluster.fork();
    cluster.fork();
  } else {
    ${APP}
  }
`;

const PROGRAMS = {
  "import.mjs": `
    import { createServer, Router } from "velocy";
    ${APP}
  `,
  "require.cjs": `
    const { createServer, Router } = require("velocy");
    ${APP}
  `,
  "import-cluster.mjs": `
    import cluster from "node:cluster";
    import { createServer, Router } from "velocy";
    ${CLUSTER}
  `,
  "require-cluster.cjs": `
    const cluster = require("node:cluster");
    const { createServer, Router } = require("velocy");
    ${CLUSTER}
  `,
  // Loaded before them, since they are silent: says when a process listens,
  // and who answers.
  "tell.mjs": `
    import { subscribe } from "node:diagnostics_channel";
    import { Server } from "node:http";

    const { listen } = Server.prototype;
    Server.prototype.listen = function (...args) {
      this.once("listening", () => console.log(process.pid + " listens"));
      return listen.apply(this, args);
    };
    subscribe("http.server.request.start", () => {
      console.log(process.pid + " answers");
    });
  `,
};

/**
 * Makes a folder with the programs, in which velocy is installed.
 *
 * @param {string} folder
 */
function install(folder) {
  for (const [name, text] of Object.entries(PROGRAMS)) {
    writeFileSync(join(folder, name), text);
  }
  const chapters = join(milestone, "bench-server.js");
  cpSync(chapters, join(folder, "bench-server.mjs"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(milestone, join(folder, "node_modules/velocy"), "dir");
}

/**
 * Runs one of the programs, until all of its processes listen.
 *
 * @param {string} folder
 * @param {string} file in that folder
 * @param {number} processes
 */
async function start(folder, file, processes) {
  const port = await freePort();
  const child = spawn(process.execPath, ["--import", "./tell.mjs", file], {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  }
  const who = (/** @type {string} */ what) => {
    const lines = printed.matchAll(RegExp(`^(\\d+) ${what}$`, "gm"));
    return new Set([...lines].map(([, pid]) => Number(pid)));
  };
  /** Waits until so many processes have said that they do something. */
  const until = async (/** @type {string} */ what, count = processes) => {
    const signal = AbortSignal.timeout(PATIENCE);
    while (who(what).size < count) {
      await once(child.stdout, "data", { signal }).catch(() => {
        throw new Error(`${file} printed:\n${printed}`);
      });
    }
  };
  // The workers too: one that still starts may outlive its primary.
  const close = async () => {
    const isOver = once(child, "close");
    child.kill();
    for (const pid of who("listens")) {
      if (pid !== child.pid) process.kill(pid);
    }
    await isOver;
  };
  try {
    await until("listens");
  } catch (err) {
    await close();
    throw err;
  }
  return { port, close, until };
}

/** A port that nobody listens on. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(/** @type {any} */ (server));
  server.close();
  await once(server, "close");
  return port;
}
