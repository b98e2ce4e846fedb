import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { parseOwnLoad } from "../../benchmarks/lib/own-load.js";
import { parseCoreTimes, parseStat } from "../../benchmarks/lib/platform/linux.js";
import { parsePs, parsePsTime } from "../../benchmarks/lib/platform/portable.js";
import { parseRewrk, rewrkCommand } from "../../benchmarks/lib/rewrk.js";
import { parseVegeta } from "../../benchmarks/lib/vegeta.js";
import { failures, littlesLaw } from "../../benchmarks/lib/verdict.js";
import { parseDuration, parseWrk } from "../../benchmarks/lib/wrk.js";

/** @param {string} name of a tool's output, as it was recorded */
const output = (name) => readFileSync(new URL(`outputs/${name}`, import.meta.url), "utf8");

const noErrors = { connect: 0, read: 0, write: 0, timeout: 0, status: 0 };

describe("wrk's output", () => {
  it("gives the rounded figures that wrk prints", () => {
    const { latency, errors, ...totals } = parseWrk(output("wrk.txt"));
    assert.deepEqual(errors, noErrors);
    assert.ok(Math.abs(totals.requests / totals.seconds / totals.requestsPerSecond - 1) < 0.01);
    assert.ok(Number(latency.p50) > 0 && Number(latency.p99) <= latency.max);
  });

  it("gives exact figures from the line that report.lua adds", () => {
    const result = parseWrk(output("wrk-with-report.txt"));
    assert.equal(result.requests, 593_414);
    assert.equal(result.seconds, 8.024039);
    assert.equal(Math.round(result.requestsPerSecond), 73_955);
    assert.equal(result.bytesRead / result.requests, 243);
    assert.ok(Math.abs(result.latency.mean - 3.521113) < 1e-9);
    assert.equal(result.latency.p999, 45.455);
    assert.deepEqual(result.errors, noErrors);
  });

  it("gives the errors, which fail a run", () => {
    const { errors } = parseWrk(output("wrk-with-errors.txt"));
    assert.equal(errors.read, 6005);
    assert.equal(errors.status, 6005);
    assert.deepEqual(failures(errors), ["6005 read errors", "6005 answers that were not 2xx"]);
  });

  it("is read when a percentile is in seconds, which wrk follows with a space", () => {
    const { latency, errors } = parseWrk(output("wrk-in-seconds.txt"));
    assert.equal(latency.p99, 1320);
    assert.deepEqual(failures(errors), ["30 timeout errors"]);
  });

  it("is refused when it isn't wrk's", () => {
    assert.throws(() => parseWrk("unable to connect to localhost:1"), { code: "ERR_BENCH_OUTPUT" });
  });

  for (const [text, milliseconds] of /** @type {[string, number][]} */ ([
    ["578.00us", 0.578],
    ["1.67ms", 1.67],
    ["30.01s", 30_010],
    ["1.50m", 90_000],
  ])) {
    it(`reads ${text}`, () => assert.ok(Math.abs(parseDuration(text) - milliseconds) < 1e-9));
  }
});

describe("rewrk's output", () => {
  it("gives rate and mean latency, which obey Little's law", () => {
    const { requests, requestsPerSecond, latency } = parseRewrk(output("rewrk.txt"));
    assert.equal(requests, 55_812);
    const law = littlesLaw({ connections: 20, requestsPerSecond, meanLatency: latency.mean });
    assert.ok(law.holds, `the ratio is ${law.ratio}`);
  });

  it("is refused when there is no JSON in it", () => {
    assert.throws(() => parseRewrk("Beginning round 1..."), { code: "ERR_BENCH_OUTPUT" });
  });
});

describe("rewrk's command", () => {
  it("sends the Host that its target has", () => {
    const url = "http://127.0.0.1:3000/bench/testing?id=10";
    const command = rewrkCommand({ url, connections: 1, threads: 1, seconds: 1 });
    assert.equal(command[command.indexOf("-H") + 1], "host: 127.0.0.1:3000");
  });
});

describe("the output of chapter 24's load.js", () => {
  it("gives rate and latencies", () => {
    const text =
      "6000 requests, 2000 a second\np50 1.5 ms, p99 8.0 ms, max 31.0 ms\n" +
      "rate times mean latency: 4.0\n";
    const { requestsPerSecond, seconds, latency } = parseOwnLoad(text);
    assert.deepEqual([requestsPerSecond, seconds], [2000, 3]);
    assert.deepEqual(latency, { mean: 2, stdev: 0, p50: 1.5, p99: 8, max: 31 });
  });

  it("is refused when there is no report in it", () => {
    assert.throws(() => parseOwnLoad("Error: connect ECONNREFUSED"), { code: "ERR_BENCH_OUTPUT" });
  });
});

describe("vegeta's output", () => {
  it("gives latencies in milliseconds and the distribution", () => {
    const { requests, latency, distribution, failures: failed } = parseVegeta(output("vegeta.txt"));
    assert.equal(requests, 500);
    assert.deepEqual(failed, []);
    assert.ok(latency.p50 < latency.p99 && latency.p99 <= latency.max);
    assert.ok(latency.max < 1000);
    assert.ok(distribution.length > 20);
    assert.deepEqual(distribution.at(-1)?.[0], 1);
  });

  it("gives the reasons why a run fails", () => {
    const { failures: failed } = parseVegeta(output("vegeta-with-errors.txt"));
    assert.equal(failed[0], "10 answers 0");
    assert.equal(failed[1], "10 answers 404");
    assert.match(failed[2], /connection refused/);
  });
});

describe("what the system says", () => {
  it("is read from ps on Linux, which counts whole seconds", () => {
    assert.deepEqual(parsePs(output("ps-linux.txt")).get(1), {
      parent: 0,
      rssBytes: 19_880 * 1024,
      cpuMicroseconds: 13e6,
    });
  });

  it("is read from ps on macOS, which counts hundredths", () => {
    const processes = parsePs(output("ps-macos.txt"));
    assert.equal(processes.get(9211)?.cpuMicroseconds, 7.51e6);
    assert.equal(processes.get(9212)?.cpuMicroseconds, (101 * 60 + 7.49) * 1e6);
    assert.equal(processes.get(9212)?.parent, 9211);
  });

  for (const [text, seconds] of /** @type {[string, number][]} */ ([
    ["0:07.51", 7.51],
    ["00:01:02", 62],
    ["1-02:03:04", 93_784],
  ])) {
    it(`reads ${text}`, () => assert.equal(parsePsTime(text), seconds * 1e6));
  }

  it("is read from /proc/PID/stat even when the name holds parentheses", () => {
    const fields = parseStat("42 (a (b) c) S 7 42 42 0 -1 4194304 1 0 0 0 123 45 0 0");
    assert.equal(fields[0], "S");
    assert.equal(Number(fields[1]), 7);
    assert.deepEqual([fields[11], fields[12]], ["123", "45"]);
  });

  it("is read from /proc/stat for some of the cores", () => {
    const text = output("proc-stat.txt");
    const both = parseCoreTimes(text, [0, 1]);
    const second = parseCoreTimes(text, [1]);
    assert.equal(second.busy, 130_559 + 1_436 + 27_394 + 8_785);
    assert.equal(second.steal, 32);
    assert.equal(both.steal, 56);
    assert.ok(both.all > second.all);
  });
});

describe("Little's law", () => {
  it("holds for the article's Express, of whose 256 connections 6 failed", () => {
    const law = littlesLaw({ connections: 250, requestsPerSecond: 28_923.88, meanLatency: 8.65 });
    assert.ok(law.holds);
    assert.ok(Math.abs(law.ratio - 1) < 0.002);
  });

  it("fails for the article's Axum: the generator was what it measured", () => {
    const law = littlesLaw({
      connections: 250,
      requestsPerSecond: 208_938.22,
      meanLatency: 0.63135,
    });
    assert.equal(law.holds, false);
    assert.ok(law.ratio < 0.6);
  });
});
