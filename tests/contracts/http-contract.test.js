import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startProgram } from "../../code/contracts/http/start.js";

const contract = new URL("../../code/contracts/http/", import.meta.url);

/** The beginning of a test file of a chapter. */
const IMPORTS = `
  import { describe } from "node:test";
  import { httpContract, parserProperties, splitAnywhere, startServer }
    from "${new URL("index.js", contract)}";
  import { createServer } from "${new URL("node-http.js", contract)}";
  const start = startServer(createServer);
`;

/**
 * Runs a test file.
 *
 * @param {string} text
 * @returns {Promise<{ code: number, printed: string }>}
 */
async function runTests(text) {
  const folder = await mkdtemp(path.join(tmpdir(), "http-contract-"));
  const file = path.join(folder, "some.test.mjs");
  await writeFile(file, IMPORTS + text);
  // Without its environment, which would make it a part of this run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const runner = spawn(process.execPath, [file], { env });
  let printed = "";
  for (const stream of [runner.stdout, runner.stderr]) {
    stream.setEncoding("utf8").on("data", (part) => {
      printed += part;
    });
  }
  const [code] = await once(runner, "close");
  await rm(folder, { recursive: true });
  return { code, printed };
}

describe("The contract in a chapter's test", { concurrency: true }, () => {
  it("passes where all is well", async () => {
    const { code, printed } = await runTests(`
      const contract = httpContract({ start, until: 2 });
      describe("a heading", () => {
        contract.check({ group: "targets", status: 200 });
      });
    `);
    assert.equal(code, 0, printed);
  });

  it("fails with what was sent, expected and got", async () => {
    const { code, printed } = await runTests(`
      const contract = httpContract({ start, until: 4 });
      describe("a heading", () => {
        contract.check({ group: "methods and versions", status: 501 });
      });
    `);
    assert.notEqual(code, 0);
    assert.match(printed, /the status is 400, not 501 \(RFC 9110, section 9.1\)/);
    assert.match(printed, /sent:\n.*BREW \/pot HTTP\/1\.1\\r\\n/);
    assert.match(printed, /expected: 501, then closed\n.*got: {6}400, then closed/);
  });

  it("passes a known difference", async () => {
    const { code, printed } = await runTests(`
      const known = { "refuses a target with a fragment": "it hands it on" };
      const contract = httpContract({ start, until: 2, known });
      describe("a heading", () => contract.check({ name: /a fragment/ }));
    `);
    assert.equal(code, 0, printed);
  });

  it("fails a known difference that is none any more", async () => {
    const { code, printed } = await runTests(`
      const known = { "answers POST": "it never did" };
      const contract = httpContract({ start, until: 2, known });
      describe("a heading", () => contract.check({ name: /^answers POST/ }));
    `);
    assert.notEqual(code, 0);
    assert.match(printed, /no longer a known difference \(it never did\)/);
  });

  it("knows no difference in a case that isn't there", async () => {
    const { code, printed } = await runTests(`
      httpContract({ start, until: 2, known: { "no such case": "?" } });
    `);
    assert.notEqual(code, 0);
    assert.match(printed, /there is no case named "no such case"/);
  });

  it("does not check nothing and call it well", async () => {
    const { code, printed } = await runTests(`
      const contract = httpContract({ start, until: 2 });
      describe("a heading", () => contract.check({ group: "framming" }));
    `);
    assert.notEqual(code, 0);
    assert.match(printed, /no case fits/);
  });
});

describe("A parser is caught that", { concurrency: true }, () => {
  /** A parser that is right as long as all comes at once. */
  const wholeOnly = `
    class RequestParser {
      #onRequest;
      constructor({ onRequest }) { this.#onRequest = onRequest; }
      push(bytes) {
        const [line, ...rest] = bytes.toString("latin1").split("\\r\\n");
        const [method, target] = line.split(" ");
        if (!rest.includes("")) {
          throw Object.assign(new Error("no end"), { statusCode: 400 });
        }
        const fields = {};
        const request = { method, target, version: "1.1", fields, body: "" };
        this.#onRequest(request);
      }
    }
  `;

  it("reads a request otherwise when it is cut", async () => {
    const { code, printed } = await runTests(`
      ${wholeOnly}
      describe("a heading", () => splitAnywhere(RequestParser, { until: 2 }));
    `);
    assert.notEqual(code, 0);
    assert.match(printed, /answers GET with what it understood.*: cut at byte 1/);
  });

  it("reads chance's requests otherwise than they are meant", async () => {
    const { code, printed } = await runTests(`
      ${wholeOnly}
      describe("a heading", () => parserProperties(RequestParser));
    `);
    assert.notEqual(code, 0);
    assert.match(printed, /Property failed after \d+ tests/);
  });

  it("throws anything but an answer", async () => {
    const { code, printed } = await runTests(`
      class RequestParser { push() { undefined.length; } }
      describe("a heading", () => parserProperties(RequestParser));
    `);
    assert.notEqual(code, 0);
    assert.match(printed, /Cannot read properties of undefined/);
  });
});

describe("A program that doesn't start", { concurrency: true }, () => {
  /** @param {string} text of the program */
  async function startOf(text) {
    const folder = await mkdtemp(path.join(tmpdir(), "http-contract-"));
    await writeFile(path.join(folder, "server.js"), text);
    try {
      return await startProgram(pathToFileURL(`${folder}/`))({ limits: {} });
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it("is shown with what it printed, when it ends", async () => {
    await assert.rejects(
      startOf(`console.error("no port"); process.exit(3);`),
      /server\.js ended with code 3; it printed:\nno port/,
    );
  });

  it("is no matter for one that does", async () => {
    const server = await startProgram(fileURLToPath(contract), "node-http.js")({ limits: {} });
    const response = await fetch(`http://localhost:${server.port}/`);
    assert.equal(response.status, 200);
    await server.close();
    await assert.rejects(fetch(`http://localhost:${server.port}/`));
  });
});
