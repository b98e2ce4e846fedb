import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Three answers as vegeta writes them: out of order, one late, one missing. */
const CSV = `\
1000000000500000000,201,4000000,60,8,,aGVs,,1,POST,http://localhost/user,eA==
1000000000000000000,201,2000000,60,8,,aGVs,,0,POST,http://localhost/user,eA==
1000000001250000000,0,1000000000,0,0,"Post ""http://localhost/user"": deadline exceeded (Client.Timeout, in the end)",,,2,POST,http://localhost/user,
`;

/** Stands in for vegeta: notes how it was called, and has seen the above. */
const FAKE = `#!${process.execPath}
const fs = require("node:fs");
const [what, ...words] = process.argv.slice(2);
const output = words.find((word) => word.startsWith("-output=")).slice(8);
if (what === "attack") {
  const at = (name) => words.find((word) => word.startsWith(name)).slice(name.length);
  const target = fs.readFileSync(at("-targets="), "utf8");
  const body = fs.readFileSync(at("-body="), "utf8");
  fs.writeFileSync(process.env.SEEN, JSON.stringify({ words, target, body }));
  fs.writeFileSync(output, "");
} else {
  fs.writeFileSync(output, process.env.CSV);
}
`;

describe("Send users by the clock", () => {
  const place = mkdtempSync(path.join(tmpdir(), "fake-vegeta-"));
  const fake = path.join(place, "vegeta.cjs");
  const seen = path.join(place, "seen.json");
  /** @type {typeof import("../attack.js")} */
  let module;

  before(async () => {
    writeFileSync(fake, FAKE);
    chmodSync(fake, 0o755);
    Object.assign(process.env, { VEGETA: fake, SEEN: seen, CSV });
    module = await import("../attack.js");
  });
  after(() => rmSync(place, { recursive: true }));

  it("counts from when a request was due, not from when it was sent", async () => {
    const answers = await module.attack({
      url: "http://localhost/user",
      rate: 2,
      seconds: 2,
    });
    const round = (/** @type {number} */ value) => Math.round(value);
    assert.deepEqual(
      answers.map(({ due }) => due).slice(0, 3),
      [0, 500, 1000],
    );
    assert.deepEqual(
      answers.map(({ late }) => round(late)).slice(0, 3),
      [0, 0, 250],
    );
    assert.deepEqual(
      answers.map(({ took }) => round(took)).slice(0, 3),
      [2, 4, 1250],
    );
    assert.deepEqual(
      answers.map(({ status }) => status).slice(0, 3),
      [201, 201, 0],
    );
    assert.match(answers[2].error, /Client\.Timeout, in the end/);
  });

  it("says how many were given up, whose latency nobody knows", async () => {
    const answers = await module.attack({
      url: "http://localhost/user",
      rate: 2,
      seconds: 2,
    });
    const { sent, added, unanswered, p50, max } = module.summarise(
      answers.slice(0, 3),
    );
    assert.deepEqual(
      { sent, added, unanswered },
      { sent: 3, added: 2, unanswered: 1 },
    );
    assert.equal(Math.round(p50), 4);
    assert.equal(Math.round(max), 1250);
  });

  it("counts those that were due and never sent", async () => {
    const answers = await module.attack({
      url: "http://localhost/user",
      rate: 2,
      seconds: 4,
    });
    const round = (/** @type {number} */ value) => Math.round(value);
    // Sending was over after 4 s, and the last answer had come before.
    assert.deepEqual(
      answers
        .slice(3)
        .map(({ due, late, took, status }) => [due, late, took, status]),
      [1500, 2000, 2500, 3000, 3500].map((due) => [
        due,
        4000 - due,
        4000 - due,
        0,
      ]),
    );
    const { due, sent, added, unanswered, p50 } = module.summarise(answers);
    assert.deepEqual(
      { due, sent, added, unanswered },
      { due: 8, sent: 3, added: 2, unanswered: 6 },
    );
    // 2, 4, 500, 1000, 1250, 1500, 2000, 2500
    assert.equal(round(p50), 1000);
  });

  it("knows of those never sent only how long the sending went on", async () => {
    const answers = await module.attack({
      url: "http://localhost/user",
      rate: 2,
      seconds: 2,
    });
    assert.deepEqual(
      answers.map(({ due }) => due),
      [0, 500, 1000, 1500],
    );
    const { late, took } = answers[3];
    // That the third was given up at 2,250 ms says nothing of the fourth.
    assert.deepEqual([late, took], [500, 500]);
  });

  it("prints why users are without an answer", async () => {
    const program = fileURLToPath(new URL("../attack.js", import.meta.url));
    const words = [
      "http://localhost/user",
      "--rate",
      "2",
      "--seconds",
      "2",
    ];
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [program, ...words]);
    const [, , ...reasons] = stdout.trimEnd().split("\n");
    assert.deepEqual(reasons, [
      "2 without an answer",
      "1: deadline exceeded (Client.Timeout, in the end)",
      "1: never sent",
    ]);
  });

  it("takes nobody for served fast who was refused or couldn't connect", () => {
    const of = (
      /** @type {number} */ status,
      /** @type {number} */ took,
      error = "",
    ) => ({ due: 0, late: 0, took, status, error });
    const at = 'Post "http://localhost/timeout": ';
    const refusals = [
      of(503, 1, "503 Service Unavailable"),
      of(503, 1, "503 Service Unavailable"),
      of(500, 1, "500 Internal Server Error"),
      of(504, 1, "504 Gateway Timeout"),
      of(0, 0.3, `${at}dial tcp 127.0.0.1:1: connect: connection refused`),
      of(0, 0.3, `${at}EOF`),
    ];
    const waits = [
      of(201, 40),
      of(0, 1000, `${at}context deadline exceeded (Client.Timeout)`),
      of(0, 1000, `${at}dial tcp 127.0.0.1:1: i/o timeout`),
    ];
    assert.deepEqual(module.summarise([...refusals, ...waits]), {
      due: 9,
      sent: 9,
      added: 1,
      refused: 4,
      unanswered: 4,
      p50: 1000,
      p99: 1000,
      max: 1000,
    });
    const { p50, refused } = module.summarise(refusals);
    assert.deepEqual({ p50, refused }, { p50: undefined, refused: 4 });
  });

  it("prints how many were refused, and how", async (t) => {
    const url = "http://localhost/user";
    const tail = (/** @type {number} */ number) =>
      `${number},POST,${url},eA==`;
    const start = "10000000000";
    process.env.CSV = [
      `${start}00000000,503,1000,60,8,503 Service Unavailable,aGVs,,${tail(0)}`,
      `${start}50000000,204,1000,60,8,,aGVs,,${tail(1)}`,
      "",
    ].join("\n");
    t.after(() => {
      process.env.CSV = CSV;
    });
    const program = fileURLToPath(new URL("../attack.js", import.meta.url));
    const words = [program, url, "--rate", "2", "--seconds", "1"];
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, words);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      "2 due, 2 sent, 0 added",
      "p50 – ms, p99 – ms, max – ms",
      "2 refused",
      "1: 503 Service Unavailable",
      "1: status 204",
    ]);
  });

  it("refuses a rate, a time or a patience of 0, with which vegeta would never end", async () => {
    const url = "http://localhost/user";
    for (const load of [
      { rate: 0, seconds: 1 },
      { rate: 1, seconds: 0 },
      { rate: 1, seconds: 1, timeout: 0 },
    ]) {
      await assert.rejects(module.attack({ url, ...load }), RangeError);
    }
  });

  it("asks vegeta for the rate, the time and the patience", async () => {
    const url = "http://localhost/user";
    await module.attack({
      url,
      rate: 70,
      seconds: 3,
      timeout: 9,
      more: ["-x"],
    });
    const { words, target, body } = JSON.parse(readFileSync(seen, "utf8"));
    for (const word of [
      "-rate=70/1s",
      "-duration=3s",
      "-timeout=9s",
      "-x",
    ]) {
      assert.ok(words.includes(word), `${word} in ${words}`);
    }
    assert.match(
      target,
      /^POST http:\/\/localhost\/user\nContent-Type: application\/json\n/,
    );
    assert.deepEqual(Object.keys(JSON.parse(body)), ["email", "password"]);
  });
});
