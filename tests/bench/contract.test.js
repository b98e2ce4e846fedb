import assert from "node:assert/strict";
import { once } from "node:events";
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { makeCertificate } from "../../benchmarks/lib/certificate.js";
import {
  asDocumented,
  benchmarkContract,
  browserContract,
  checkContract,
  closingContract,
  jsonContract,
  largeContract,
  pageContract,
  secureContract,
} from "../../benchmarks/lib/contract.js";
import { fileTexts, writeFiles } from "../../benchmarks/lib/files.js";
import { postingWrk, secureWrk } from "../../benchmarks/lib/generators.js";
import { runToEnd, ServerProcess } from "../../benchmarks/lib/processes.js";
import { browserFields, jsonBody } from "../../benchmarks/lib/requests.js";
import { suites } from "../../benchmarks/lib/suites.js";
import { lacks } from "../../tools/lib/programs.js";

/** @import { ServerResponse } from "node:http" */
/** @import { AddressInfo, Server } from "node:net" */
/** @import { TLSSocket } from "node:tls" */
/** @import { Generator } from "../../benchmarks/lib/generators.js" */

/** @type {{ close: () => unknown }[]} */
const running = [];
after(() => Promise.all(running.map((server) => server.close())));

/**
 * @param {Server} server
 * @returns {Promise<number>} its port
 */
async function listen(server) {
  running.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return /** @type {AddressInfo} */ (server.address()).port;
}

/**
 * @param {string} program of the contender node-http
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its port
 */
async function startContender(program, env) {
  const file = new URL(`../../benchmarks/contenders/node-http/${program}`, import.meta.url);
  const server = await ServerProcess.start({
    command: [process.execPath, fileURLToPath(file)],
    env,
  });
  running.push({ close: () => server.stop() });
  return server.port;
}

/**
 * Answers the benchmark's endpoint with these lines beside the date and the
 * length, whatever it is asked, and closes or doesn't.
 *
 * @param {string[]} lines
 * @param {{ closes: boolean }} options
 */
function saying(lines, { closes }) {
  return createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      const body = '{"name":"testing","id":"10"}';
      const head = ["HTTP/1.1 200 OK", ...lines, "date: now", `content-length: ${body.length}`];
      const answer = `${head.join("\r\n")}\r\n\r\n${body}`;
      if (closes) socket.end(answer);
      else socket.write(answer);
    });
  });
}

const ours = ["x-powered-by: benchmark", "content-type: application/json"];

/**
 * The differences in the first answer.
 *
 * @param {string[]} lines
 * @param {{ closes: boolean }} [options]
 */
async function closingDifferences(lines, options = { closes: true }) {
  const port = await listen(saying([...ours, ...lines], options));
  const [first] = closingContract.checks;
  const { differences } = await checkContract({ ...closingContract, checks: [first] }, port);
  return differences;
}

describe("the contract of a connection for every request", () => {
  it("is met by a server that says that it closes, and does", async () => {
    assert.deepEqual(await closingDifferences(["connection: close"]), []);
  });

  it("notices a server that says both that it stays and that it closes", async () => {
    assert.deepEqual(await closingDifferences(["connection: keep-alive, close"]), [
      "the answer: connection: keep-alive, close, not close",
    ]);
    assert.deepEqual(await closingDifferences(["connection: keep-alive", "connection: close"]), [
      "the answer: connection 2 times",
    ]);
  });

  it("notices one that tells for how long the connection stays", async () => {
    assert.deepEqual(await closingDifferences(["connection: close", "keep-alive: timeout=5"]), [
      "the answer: also keep-alive: timeout=5",
    ]);
  });

  it("notices one that says nothing of it", async () => {
    assert.deepEqual(await closingDifferences([]), ["the answer: no connection"]);
  });

  it("notices one that says that it closes, and doesn't", async () => {
    const [difference] = await closingDifferences(["connection: close"], { closes: false });
    assert.match(difference, /^the answer: the server did not close the connection/);
  });

  it("is what every suite with such connections asks", () => {
    const closing = suites.filter(({ isClosing }) => isClosing);
    assert.deepEqual(
      closing.map(({ name }) => name),
      ["connection-each", "no-keep-alive"],
    );
    for (const { contract } of closing) assert.equal(contract, closingContract);
  });
});

describe("bare node:http", () => {
  /** @type {number} */
  let port;
  before(async () => {
    port = await startContender("server.js");
  });

  for (const [name, contract] of Object.entries({
    benchmarkContract,
    browserContract,
    jsonContract,
    largeContract,
  })) {
    it(`meets ${name}`, async () => {
      const { differences, bytesPerResponse } = await checkContract(contract, port);
      assert.deepEqual(differences, []);
      assert.ok(bytesPerResponse > 0);
    });
  }

  it("meets closingContract, in 180 bytes", async () => {
    assert.deepEqual(await checkContract(closingContract, await startContender("closing.js")), {
      bytesPerResponse: 180,
      differences: [],
    });
  });

  const missing = lacks("openssl");
  it("meets secureContract", { skip: missing }, async () => {
    const { key, certificate } = await makeCertificate();
    const secure = await startContender("server.js", { TLS_KEY: key, TLS_CERT: certificate });
    const { differences, bytesPerResponse } = await checkContract(secureContract, secure);
    assert.deepEqual(differences, []);
    assert.equal(bytesPerResponse, 208);
  });

  it("fails secureContract when it speaks no TLS", async () => {
    const { differences } = await checkContract(secureContract, port);
    assert.equal(differences.length, secureContract.checks.length);
  });
});

describe("the contract of a file", () => {
  const workFolder = mkdtempSync(path.join(tmpdir(), "bench-files-"));
  after(() => rmSync(workFolder, { recursive: true }));
  const folder = writeFiles(path.join(workFolder, "served"));
  const page = path.join(folder, "page.txt");
  const contract = pageContract(folder);

  /**
   * @param {ServerResponse} res
   * @param {Buffer} bytes
   */
  function sendPage(res, bytes) {
    res.writeHead(200, { "content-type": "text/plain", "content-length": bytes.length });
    res.end(bytes);
  }

  /**
   * The differences of a server that answers as it pleases where it is asked
   * for the page, and 404 elsewhere.
   *
   * @param {(res: ServerResponse) => void} answer
   */
  async function differencesOf(answer) {
    const server = createHttpServer((req, res) => {
      if (req.url === contract.path) answer(res);
      else res.writeHead(404).end();
    });
    const { differences } = await checkContract(contract, await listen(server));
    return differences.map((text) => text.split(": ")[0]);
  }

  const inPlace = "the file, after other bytes were written to it";
  const longer = "the file, after a longer one took its place";
  const shorter = "the file, after a shorter one took its place";

  it("is met by bare node:http, and the file is afterwards what it was", async () => {
    const port = await startContender("server.js", { FILES: folder });
    assert.deepEqual((await checkContract(contract, port)).differences, []);
    assert.equal(readFileSync(page, "utf8"), fileTexts["page.txt"]);
    const withoutFiles = await startContender("server.js");
    const { differences } = await checkContract(contract, withoutFiles);
    assert.ok(differences.includes("the file: status 404, not 200"));
  });

  it("is met by a server that reads at every request", async () => {
    assert.deepEqual(await differencesOf((res) => sendPage(res, readFileSync(page))), []);
  });

  it("is not met by one that answers from memory", async () => {
    const bytes = readFileSync(page);
    const differences = await differencesOf((res) => sendPage(res, bytes));
    assert.deepEqual([...new Set(differences)], [inPlace, longer, shorter]);
  });

  it("is not met by one that looks at the size only", async () => {
    let bytes = readFileSync(page);
    const differences = await differencesOf((res) => {
      if (statSync(page).size !== bytes.length) bytes = readFileSync(page);
      sendPage(res, bytes);
    });
    assert.ok(differences.includes(inPlace));
  });

  it("is not met by one that goes by the size that it saw first", async () => {
    const { size } = statSync(page);
    const differences = await differencesOf((res) =>
      sendPage(res, readFileSync(page).subarray(0, size)),
    );
    assert.deepEqual([...new Set(differences)], [longer]);
  });

  it("is not met by one that keeps the file open", async () => {
    const descriptor = openSync(page, "r");
    try {
      const differences = await differencesOf((res) => {
        const bytes = Buffer.alloc(fstatSync(descriptor).size);
        readSync(descriptor, bytes, 0, bytes.length, 0);
        sendPage(res, bytes);
      });
      assert.ok(!differences.includes(inPlace));
      assert.ok(differences.includes(longer) && differences.includes(shorter));
    } finally {
      closeSync(descriptor);
    }
  });

  it("is not met by one that tells no length", async () => {
    const differences = await differencesOf((res) => {
      res.writeHead(200, { "content-type": "text/plain" });
      res.write(readFileSync(page));
      res.end();
    });
    assert.ok(differences.includes("the file"));
  });

  it("is not met by one that lets a target leave the folder", async () => {
    const server = createHttpServer((req, res) => {
      const name = decodeURIComponent(String(req.url).slice("/files/".length));
      try {
        sendPage(res, readFileSync(path.join(folder, name)));
      } catch {
        res.writeHead(404).end();
      }
    });
    const { differences } = await checkContract(contract, await listen(server));
    assert.deepEqual(differences, [
      "GET /files/../secret.txt: status 200",
      "GET /files/../secret.txt: the secret",
      "GET /files/%2e%2e%2fsecret.txt: status 200",
      "GET /files/%2e%2e%2fsecret.txt: the secret",
    ]);
  });

  it("puts the file back whatever was answered", async () => {
    await differencesOf((res) => res.destroy());
    assert.equal(readFileSync(page, "utf8"), fileTexts["page.txt"]);
  });
});

describe("what is allowed as documented", () => {
  /**
   * @param {Record<string, string>} fields
   * @returns {Promise<number>} the port of a server that answers one name
   */
  function answering(fields) {
    const body = '{"name":"testing","id":"10"}';
    const all = { "content-type": "application/json; charset=utf-8", ...fields };
    return listen(createHttpServer((_req, res) => res.writeHead(200, all).end(body)));
  }

  const [first] = benchmarkContract.checks;
  const raw = { ...benchmarkContract, checks: [first] };
  const full = { "x-powered-by": "benchmark", "content-length": "28", etag: '"1"' };

  it("is a charset and an ETag", async () => {
    const port = await answering(full);
    assert.deepEqual((await checkContract(asDocumented(raw), port)).differences, []);
    assert.deepEqual((await checkContract(raw, port)).differences, [
      "the answer: content-type: application/json; charset=utf-8, not application/json",
      'the answer: also etag: "1"',
    ]);
  });

  it("is no other type, no other field line, and none that is missing", async () => {
    const port = await answering({
      ...full,
      "content-type": "text/json",
      "x-powered-by": "Express",
      vary: "*",
    });
    assert.deepEqual((await checkContract(asDocumented(raw), port)).differences, [
      "the answer: content-type: text/json, not application/json",
      "the answer: x-powered-by: Express, not benchmark",
      "the answer: also vary: *",
    ]);
  });
});

describe("a generator", () => {
  const load = { url: "http://127.0.0.1:1/bench", connections: 1, threads: 1, seconds: 1 };
  const withoutWrk = { skip: lacks("wrk", "openssl") };

  /**
   * @param {Generator} generator
   * @param {Server} server
   */
  async function loadOnce(generator, server) {
    const url = `http://127.0.0.1:${await listen(server)}/bench`;
    await runToEnd(generator.command({ ...load, url }));
  }

  it("really posts it, every time", withoutWrk, async () => {
    /** @type {Set<string>} */
    const seen = new Set();
    const server = createHttpServer(async (req, res) => {
      const body = await text(req);
      seen.add([req.method, req.url, req.headers["content-type"], body].join(" "));
      res.end("seen");
    });
    await loadOnce(postingWrk, server);
    assert.deepEqual([...seen], [`POST /bench application/json ${jsonBody}`]);
  });

  it("offers one version of TLS and one cipher", withoutWrk, async () => {
    const { key, certificate } = await makeCertificate();
    /** @type {Set<string>} */
    const seen = new Set();
    const options = { key: readFileSync(key), cert: readFileSync(certificate) };
    const server = createHttpsServer(options, ({ socket }, res) => {
      const secured = /** @type {TLSSocket} */ (socket);
      seen.add(`${secured.getProtocol()} ${secured.getCipher().standardName}`);
      res.end("seen");
    });
    await loadOnce(secureWrk, server);
    assert.deepEqual([...seen], ["TLSv1.3 TLS_AES_128_GCM_SHA256"]);
  });

  it("posts the body that the contract posts", () => {
    const [first] = jsonContract.checks;
    assert.equal(first.asked?.body, jsonBody);
    assert.deepEqual(postingWrk.command(load).slice(-3), [load.url, "--", jsonBody]);
  });

  it("speaks TLS to the same address", () => {
    assert.equal(secureWrk.command(load).at(-1), "https://127.0.0.1:1/bench");
  });

  it("that stands for a browser sends what the contract sends", () => {
    const suite = suites.find(({ name }) => name === "browser");
    const command = suite?.generator.command(load) ?? [];
    assert.equal(browserFields.length, 10);
    for (const line of browserFields) assert.ok(command.includes(line), line);
    for (const { asked } of browserContract.checks) assert.deepEqual(asked?.fields, browserFields);
  });
});
