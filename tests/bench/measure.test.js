import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { benchmarkContract, checkContract } from "../../benchmarks/lib/contract.js";
import { layOut } from "../../benchmarks/lib/layout.js";
import { disturbances, measure, workerShares } from "../../benchmarks/lib/measure.js";
import {
  choosePlatform,
  cpuBetween,
  userShareBetween,
} from "../../benchmarks/lib/platform/index.js";
import { LinuxPlatform } from "../../benchmarks/lib/platform/linux.js";
import { PortablePlatform } from "../../benchmarks/lib/platform/portable.js";
import { ServerProcess } from "../../benchmarks/lib/processes.js";
import { leastDisturbed } from "../../benchmarks/lib/run-suite.js";
import { takeTurns, together } from "../../benchmarks/lib/turns.js";
import { classifyLoad, disturbanceOf } from "../../benchmarks/lib/verdict.js";
import { lacks } from "../../tools/lib/programs.js";

/** @import { Generator } from "../../benchmarks/lib/generators.js" */
/** @import { Layout } from "../../benchmarks/lib/layout.js" */
/** @import { CpuSample, Platform } from "../../benchmarks/lib/platform/index.js" */

const fixture = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const loadSeconds = 1.2;

/** Holds an empty file for each generator that has been looked at. */
const looks = mkdtempSync(path.join(tmpdir(), "bench-looks-"));
after(() => rmSync(looks, { recursive: true }));
let runs = 0;

/**
 * On a busy machine a generator may be over before anybody has looked at it.
 * This one waits for that, but for its warm-up.
 *
 * @param {string} seen the file that tells it
 * @param {number} errors that it claims to have had
 * @returns {Generator}
 */
function fakeGenerator(seen, errors) {
  return {
    name: "fake",
    command: ({ url, connections, seconds }) => [
      process.execPath,
      fixture("generator.js"),
      ...[url, connections, seconds, errors, seconds === loadSeconds ? seen : ""].map(String),
    ],
    parse: (output) => {
      const { requests, seconds, bytes, mean, errors: read } = JSON.parse(output);
      return {
        requests,
        seconds,
        requestsPerSecond: requests / seconds,
        bytesRead: bytes,
        latency: { mean, stdev: 0, max: mean },
        errors: { connect: 0, read, write: 0, timeout: 0, status: 0 },
      };
    },
  };
}

/**
 * The same platform, which tells the fake generator when it has been looked
 * at twice.
 *
 * @param {Platform} real
 * @param {string} seen the file that tells it
 * @returns {Platform}
 */
function telling(real, seen) {
  /** @type {number | undefined} */
  let server;
  /** @type {number | undefined} */
  let lookedAt;
  return Object.assign(Object.create(real), {
    memory: real.memory.bind(real),
    processTree: async (/** @type {number} */ pid) => {
      server ??= pid;
      return real.processTree(pid);
    },
    cpuTime: async (/** @type {number[]} */ pids) => {
      const sample = await real.cpuTime(pids);
      const [pid] = pids;
      if (pid === server) return sample;
      if (lookedAt === pid) writeFileSync(seen, "");
      lookedAt = pid;
      return sample;
    },
  });
}

/**
 * The real platform, but with clocks that run as we say: a test that waits for a real
 * core to be busy fails on a busy machine.
 *
 * @param {{ server: number, generator: number }} busy shares, 0 to 1
 * @returns {Platform & { serverTimes: number[] }} with what its clock said of
 *   the server, in microseconds
 */
function platformWhere(busy) {
  const real = choosePlatform();
  /** @type {number | undefined} */
  let server;
  /** @type {number[]} */
  const serverTimes = [];
  return Object.assign(Object.create(real), {
    memory: real.memory.bind(real),
    serverTimes,
    socketCount: async () => undefined,
    coreTimes: async () => undefined,
    processTree: async (/** @type {number} */ pid) => {
      server ??= pid;
      return [pid];
    },
    cpuTime: async (/** @type {number[]} */ [pid]) => {
      const used = performance.now() * 1000 * (pid === server ? busy.server : busy.generator);
      if (pid === server) serverTimes.push(used);
      return new Map([[pid, { threads: new Map(), process: used }]]);
    },
  });
}

/**
 * @param {object} options
 * @param {string[]} [options.args] of the server
 * @param {Platform} [options.platform]
 * @param {number} [options.errors] that the generator claims to have had
 * @param {number} [options.turns]
 * @param {ReturnType<typeof takeTurns>} [options.inTurn]
 * @param {Layout} [options.layout]
 */
function measureFixture({ args = [], platform = choosePlatform(), errors = 0, ...rest }) {
  const { turns, inTurn } = rest;
  const oneCore = { server: [0], generator: [0], shared: false, pinned: false, threads: 1 };
  const seen = path.join(looks, String(++runs));
  return measure({
    inTurn,
    settle(once) {
      rmSync(seen, { force: true });
      return once();
    },
    program: {
      command: [process.execPath, fixture("server.js"), ...args],
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      env: {},
      workers: 1,
    },
    contract: benchmarkContract,
    generator: fakeGenerator(seen, errors),
    settings: {
      idleSeconds: 0.01,
      warmUpSeconds: 0.1,
      seconds: loadSeconds,
      turns,
      connections: 4,
      commonRate: 1,
      secondsPerRate: 1,
    },
    layout: rest.layout ?? oneCore,
    platform: telling(platform, seen),
  });
}

// They wait for most of the time.
describe("a run", { concurrency: 3 }, () => {
  it("of a server that waits is bound by neither", async () => {
    const { run } = await measureFixture({
      args: ["20"],
      platform: platformWhere({ server: 0.05, generator: 0.03 }),
    });
    assert.equal(run.verdict, "neither-bound");
    assert.ok(run.latency.mean >= 19, `the mean latency is ${run.latency.mean} ms`);
    assert.ok(run.requestsPerSecond < 210);
    assert.ok(run.littlesLaw.ratio > 0.8 && run.littlesLaw.ratio < 1.2);
  });

  it("of a slow server is bound by the server", async () => {
    const platform = platformWhere({ server: 0.98, generator: 0.4 });
    const { run } = await measureFixture({ platform });
    assert.equal(run.verdict, "server-bound");
    // What the server used from before the load until after it, shared by the
    // requests of it: 0.98 of a second each second, and a little while the
    // generator starts and ends.
    const times = platform.serverTimes;
    const used = times[times.length - 1] - times[0];
    assert.equal(run.cpuMicrosecondsPerRequest, used / run.requests);
    assert.equal(run.requestsPerSecond, run.requests / run.seconds);
    assert.ok(used >= 980_000 * run.seconds, `${used} us in ${run.seconds} s`);
  });

  it("by a saturated generator is bound by the generator", async () => {
    const { run } = await measureFixture({
      platform: platformWhere({ server: 0.98, generator: 0.97 }),
    });
    assert.equal(run.verdict, "generator-bound");
  });

  it("has memory at rest and under load, and met the contract", async () => {
    const { run } = await measureFixture({});
    assert.ok(run.idleMemory.bytes > 1e6);
    assert.ok(run.memoryUnderLoad.length > 0);
    assert.deepEqual(run.contract, { bytesPerResponse: 208, differences: [] });
  });

  it("with errors fails", async () => {
    await assert.rejects(measureFixture({ errors: 3 }), {
      code: "ERR_BENCH_RUN_FAILED",
      message: /^3 read errors/,
    });
  });

  it("in turns adds up what each turn took", async () => {
    const inTurn = takeTurns();
    /** @type {number[]} */
    const atWork = [];
    let now = 0;
    const watched = /** @type {typeof inTurn} */ (
      (step) =>
        inTurn(async () => {
          atWork.push(++now);
          return step().finally(() => now--);
        })
    );
    const platform = platformWhere({ server: 0.5, generator: 0.4 });
    const both = [{ platform }, {}].map((one) => {
      return measureFixture({ ...one, turns: 2, inTurn: watched });
    });
    const [{ run, raw }, { run: other }] = await Promise.all(both);
    // Start, look, warm-up, two turns and the last look, of each.
    assert.deepEqual(atWork, Array(12).fill(1));
    const counts = raw.split("\n").filter(Boolean);
    assert.equal(counts.length, 2);
    const sum = counts.reduce((total, text) => total + JSON.parse(text).requests, 0);
    assert.equal(run.requests, sum);
    assert.ok(run.seconds > 2 * loadSeconds * 0.9, `loaded for ${run.seconds} s`);
    assert.ok(other.memoryUnderLoad.length === 2, "memory is read once in each turn");
  });

  it("fails when the server answers otherwise afterwards", async () => {
    await assert.rejects(measureFixture({ args: ["0", "changes"] }), {
      code: "ERR_BENCH_RUN_FAILED",
      message: /x-powered-by: something else, not benchmark/,
    });
  });
});

describe("a server that can't be measured", () => {
  const start = (/** @type {string[]} */ ...command) => ServerProcess.start({ command });

  it("is named when it isn't there", async () => {
    await assert.rejects(start("no-such-program-here"), {
      code: "ERR_BENCH_START",
      message: /no-such-program-here/,
    });
  });

  it("is named when it ends, with its exit status", async () => {
    await assert.rejects(start(process.execPath, "-e", "process.exit(3)"), {
      code: "ERR_BENCH_START",
      message: /ended \(3\) before it listened/,
    });
  });

  it("is given up when it says nothing, and ended", async () => {
    const command = [process.execPath, fixture("server.js"), "0", "says nothing"];
    await assert.rejects(ServerProcess.start({ command, timeout: 400 }), {
      code: "ERR_BENCH_START",
      message: /did not listen within 400 ms/,
    });
  });
});

describe("stopping a server", () => {
  it("ends its children too", async () => {
    const program = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", \`
        process.on("SIGTERM", () => {});
        require("node:net").createServer().listen(process.env.PORT, () => console.log("listening on http://"));
      \`], { stdio: "inherit" });
    `;
    const server = await ServerProcess.start({ command: [process.execPath, "-e", program] });
    const pids = await choosePlatform().processTree(server.pid);
    assert.equal(pids.length, 2);
    await server.stop();
    const socket = connect(server.port, "127.0.0.1");
    const [err] = await once(socket, "error");
    assert.equal(err.code, "ECONNREFUSED");
  });
});

describe("the contract", () => {
  it("says in which way an answer differs", async () => {
    const server = await ServerProcess.start({
      command: [
        process.execPath,
        "-e",
        `require("node:http").createServer((req, res) => {
          const body = '{"name":"testing"}';
          res.writeHead(200, { "content-type": "text/plain", "content-length": body.length });
          res.end(body);
        }).listen(process.env.PORT, () => console.log("listening on http://"))`,
      ],
    });
    after(() => server.stop());
    const { differences } = await checkContract(benchmarkContract, server.port);
    for (const expected of [
      'the answer: body "{\\"name\\":\\"testing\\"}", not "{\\"name\\":\\"testing\\",\\"id\\":\\"10\\"}"',
      "the answer: no x-powered-by",
      "the answer: content-type: text/plain, not application/json",
      "another path: status 200, not 404",
    ]) {
      assert.ok(
        differences.includes(expected),
        `${expected}\nis not in\n${differences.join("\n")}`,
      );
    }
  });
});

describe("the verdict", () => {
  const of = (/** @type {number} */ serverBusy, /** @type {number} */ generatorBusy) =>
    classifyLoad({ serverBusy, generatorBusy, coresShared: false });

  it("needs a server that is 90 % busy and a generator under 85 %", () => {
    assert.equal(of(0.9, 0.84), "server-bound");
    assert.equal(of(0.89, 0.84), "neither-bound");
    assert.equal(of(0.99, 0.85), "generator-bound");
    assert.equal(of(0.5, 0.95), "generator-bound");
  });

  it("is not given when both share the cores", () => {
    assert.equal(
      classifyLoad({ serverBusy: 1, generatorBusy: 0.2, coresShared: true }),
      "cores-shared",
    );
  });
});

describe("the cores", () => {
  it("are parted, the last ones to the server", () => {
    assert.deepEqual(layOut({ cores: 2, workers: 1, canPin: true }), {
      server: [1],
      generator: [0],
      shared: false,
      pinned: true,
      threads: 1,
    });
    const { server, generator, threads } = layOut({ cores: 8, workers: 2, canPin: true });
    assert.deepEqual([server, generator, threads], [[6, 7], [0, 1, 2, 3, 4, 5], 4]);
  });

  it("are shared when there are no more than workers", () => {
    assert.equal(layOut({ cores: 2, workers: 2, canPin: true }).shared, true);
  });

  it("are not pinned where the system can't", () => {
    assert.equal(layOut({ cores: 10, workers: 1, canPin: false }).pinned, false);
  });
});

describe("a disturbed run", () => {
  /** @param {number[]} shares that others take, try by try */
  const tries = (shares) => {
    const left = [...shares];
    return async () => Number(left.shift());
  };
  const itself = (/** @type {number} */ share) => share;

  it("is measured again until it isn't", async () => {
    /** @type {number[]} */
    const said = [];
    const outcome = await leastDisturbed(tries([0.4, 0.01]), 3, itself, (share) =>
      said.push(share),
    );
    assert.deepEqual(outcome, { kept: 0.01, tries: 2 });
    assert.deepEqual(said, [0.4]);
  });

  it("is the least disturbed of three, whatever they measured", async () => {
    const outcome = await leastDisturbed(tries([0.4, 0.2, 0.3]), 3, itself, () => {});
    assert.deepEqual(outcome, { kept: 0.2, tries: 3 });
  });

  it("stands where the system doesn't tell", () => {
    assert.equal(disturbanceOf({}), 0);
  });
});

describe("what others take", () => {
  const layout = { server: [1], generator: [0], shared: false, pinned: true };
  const used = { server: 0.9, generator: 0.5, harness: 0.02 };
  const near = (/** @type {number | undefined} */ value, /** @type {number} */ expected) =>
    assert.ok(Math.abs(Number(value) - expected) < 1e-9, `${value}, not ${expected}`);

  it("is seen on the generator's core, where it makes each request cost the server more", () => {
    const shares = disturbances(layout, used, {
      server: { busy: 0.9, steal: 0 },
      generator: { busy: 0.97, steal: 0 },
    });
    near(shares.othersShare, 0);
    near(shares.generatorOthersShare, 0.45);
    near(disturbanceOf(shares), 0.45);
  });

  it("counts what other virtual machines stole, on either core", () => {
    const stolen = { busy: 0.9, steal: 0.08 };
    const quiet = { busy: 0.52, steal: 0 };
    near(disturbanceOf(disturbances(layout, used, { server: stolen, generator: quiet })), 0.08);
    const robbed = { busy: 0.52, steal: 0.3 };
    near(
      disturbanceOf(
        disturbances(layout, used, { server: { busy: 0.9, steal: 0 }, generator: robbed }),
      ),
      0.3,
    );
  });

  it("is no less than the steal where the kernel counts that as the server's own", () => {
    const shares = disturbances(layout, used, {
      server: { busy: 0.7, steal: 0.2 },
      generator: { busy: 0.52, steal: 0 },
    });
    near(shares.othersShare, 0);
    near(disturbanceOf(shares), 0.2);
  });

  it("is what is neither the server nor the generator where both have the same cores", () => {
    const shared = { server: [0, 1], generator: [0, 1], shared: true, pinned: false };
    const shares = disturbances(shared, used, { server: { busy: 0.86, steal: 0.01 } });
    near(shares.othersShare, 0.86 - 0.71);
    assert.equal(shares.generatorOthersShare, undefined);
  });

  it("is not told where the system doesn't", () => {
    assert.deepEqual(disturbances(layout, used, {}), {});
  });

  it("is kept with a run, for both sides", async () => {
    const real = platformWhere({ server: 0.5, generator: 0.4 });
    // A core on which 90 of 100 ticks are busy, whoever has it.
    let ticks = 0;
    const coreTimes = async (/** @type {number[]} */ [core]) => {
      ticks += 100;
      return { busy: (core === 1 ? 0.9 : 0.6) * ticks, all: ticks, steal: 0.02 * ticks };
    };
    const { run } = await measureFixture({
      platform: Object.assign(real, { coreTimes }),
      layout: { server: [1], generator: [0], shared: false, pinned: false, threads: 1 },
    });
    assert.ok(Math.abs(Number(run.othersShare) - 0.4) < 0.2, `${run.othersShare}`);
    assert.ok(Number(run.generatorOthersShare) < 0.21, `${run.generatorOthersShare}`);
    near(run.generatorStealShare, 0.02);
    near(run.stealShare, 0.02);
  });
});

describe("turns", () => {
  it("go round among those who ask", async () => {
    const inTurn = takeTurns();
    /** @type {string[]} */
    const steps = [];
    const work = async (/** @type {string} */ name) => {
      for (let i = 0; i < 3; i++) await inTurn(async () => steps.push(name));
    };
    await Promise.all(["a", "b", "c"].map(work));
    assert.equal(steps.join(""), "abcabcabc");
  });

  it("go on when a step fails, and tell who asked for it", async () => {
    const inTurn = takeTurns();
    const failing = inTurn(() => Promise.reject(new Error("no")));
    const next = inTurn(async () => "next");
    await assert.rejects(failing, { message: "no" });
    assert.equal(await next, "next");
  });

  it("count by their requests and their CPU time", () => {
    /** @type {(requests: number, cpu: number, userShare: number, mean: number) => any} */
    const turn = (requests, cpu, userShare, mean) => ({
      ...{ cpu, userShare, busy: { serverBusy: mean / 10, generatorBusy: 0.5 } },
      result: {
        ...{ requests, seconds: 1, bytesRead: requests * 200 },
        latency: { mean, stdev: 1, p99: mean * 2, max: mean * 3 },
        errors: { connect: 0, read: 1, write: 0, timeout: 0, status: 0 },
      },
    });
    const sums = together([turn(100, 1_000, 0.5, 4), turn(300, 6_000, 0.25, 8)]);
    assert.equal(sums.requestsPerSecond, 200);
    assert.equal(sums.cpuMicrosecondsPerRequest, 17.5);
    assert.equal(sums.userShare, 2_000 / 7_000);
    assert.equal(sums.bytesPerResponse, 200);
    assert.equal(sums.errors.read, 2);
    assert.deepEqual(sums.latency, { mean: 7, stdev: 1, p99: 12, max: 24 });
    assert.ok(Math.abs(sums.busy.serverBusy - 0.6) < 1e-9, `${sums.busy.serverBusy}`);
  });
});

describe("worker shares", () => {
  it("are those of a cluster's processes", () => {
    /** @type {(...used: number[]) => CpuSample} */
    const sample = (...used) =>
      new Map(used.map((process, pid) => [pid, { threads: new Map(), process }]));
    const shares = workerShares(sample(0, 0, 0), sample(1, 600, 399), new Map([[1, 128]]));
    assert.deepEqual(shares, [
      { kind: "process", share: 0.6, connections: 128 },
      { kind: "process", share: 0.399 },
    ]);
  });
});

describe("CPU time", () => {
  it("counts a thread that ended by its process", () => {
    /** @type {CpuSample} */
    const before = new Map([
      [
        1,
        {
          threads: new Map([
            [1, 10],
            [2, 5],
          ]),
          process: 15,
        },
      ],
    ]);
    /** @type {CpuSample} */
    const later = new Map([[1, { threads: new Map([[1, 30]]), process: 47 }]]);
    assert.equal(cpuBetween(before, later), 32);
  });

  it("can't be told of a process that ended", () => {
    /** @type {CpuSample} */
    const before = new Map([[1, { threads: new Map(), process: 15 }]]);
    assert.throws(() => cpuBetween(before, new Map()), { code: "ERR_BENCH_PROCESS_ENDED" });
  });
});

describe("the platforms", () => {
  it("refuse a system that can't be measured on", () => {
    assert.throws(() => choosePlatform("win32"), { code: "ERR_BENCH_PLATFORM" });
  });

  it("tell the time outside the kernel apart, if the system does", () => {
    const sample = (/** @type {number} */ user, /** @type {number} */ all) =>
      new Map([[1, { threads: new Map(), process: all, user }]]);
    assert.equal(userShareBetween(sample(1000, 2000), sample(4000, 6000)), 0.75);
    assert.equal(userShareBetween(new Map(), sample(4000, 6000)), 2 / 3);
    assert.equal(userShareBetween(sample(1, 1), sample(1, 1)), undefined);
    const untold = new Map([[1, { threads: new Map(), process: 5 }]]);
    assert.equal(userShareBetween(untold, untold), undefined);
  });

  const own = process.platform !== "linux" && "Linux's own way is for Linux";
  it("see that reading zeros is the kernel's work, and adding is not", { skip: own }, async () => {
    const linux = new LinuxPlatform();
    const shareOf = async (/** @type {() => void} */ work) => {
      const before = await linux.cpuTime([process.pid]);
      const { user, system } = process.cpuUsage();
      const used = () => {
        const now = process.cpuUsage();
        return now.user + now.system - user - system;
      };
      while (used() < 600_000) work();
      return userShareBetween(before, await linux.cpuTime([process.pid])) ?? Number.NaN;
    };
    const zeros = openSync("/dev/zero", "r");
    const bytes = Buffer.alloc(1024 ** 2);
    const reading = await shareOf(() => readSync(zeros, bytes));
    closeSync(zeros);
    let sum = 0;
    const adding = await shareOf(() => {
      for (let i = 0; i < 100_000; i += 1) sum += i;
    });
    // The kernel tells the two apart by ticks, and on a busy machine roughly.
    assert.ok(reading + 0.1 < adding, `${reading} and ${adding}, ${sum}`);
  });

  const skip = process.platform === "linux" ? lacks("ps") : "Linux's own way is for Linux";
  it("agree about a process tree, its CPU time and its memory", { skip }, async () => {
    // Burns two seconds of its own CPU time, however busy the machine is.
    const burn = `
      const { spawn } = require("node:child_process");
      if (process.argv[1] !== "child") spawn(process.execPath, ["-e", process.env.BURN, "child"], { stdio: "inherit" });
      while (process.cpuUsage().user + process.cpuUsage().system < 2e6);
      console.log("done");
      setInterval(() => {}, 1000);
    `;
    const env = { ...process.env, BURN: burn };
    const child = spawn(process.execPath, ["-e", burn], { env, detached: true });
    const pid = /** @type {number} */ (child.pid);
    // Both: the second holds our output open, and we wouldn't end before it.
    after(() => process.kill(-pid, "SIGKILL"));
    let output = "";
    for await (const chunk of child.stdout) {
      output += chunk;
      if (output.match(/done/g)?.length === 2) break;
    }
    const platforms = [new LinuxPlatform(), new PortablePlatform()];
    const seen = [];
    for (const platform of platforms) {
      const pids = await platform.processTree(pid);
      const cpu = cpuBetween(new Map(), await platform.cpuTime(pids));
      seen.push({ pids, cpu, memory: await platform.memory(pids) });
    }
    const [linux, portable] = seen;
    assert.equal(linux.pids.length, 2);
    assert.deepEqual(linux.pids, portable.pids);
    process.kill(linux.pids[1]);
    assert.ok(linux.cpu >= 4e6 && linux.cpu < 6e6, `${linux.cpu} us`);
    // ps counts whole seconds on Linux, of two processes.
    assert.ok(Math.abs(linux.cpu - portable.cpu) < 2.2e6, `${linux.cpu}, ${portable.cpu} us`);
    assert.equal(linux.memory.kind, "PSS");
    assert.equal(portable.memory.kind, "RSS");
    assert.ok(linux.memory.bytes < linux.memory.rssBytes);
    assert.ok(Math.abs(linux.memory.rssBytes / portable.memory.rssBytes - 1) < 0.1);
  });
});
