import assert from "node:assert/strict";
import cluster from "node:cluster";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../contracts/port.js";
import { Metrics } from "../lib/cluster/metrics.js";
import { readOptions } from "../lib/cluster/options.js";
import { Slot } from "../lib/cluster/slot.js";
import { keyOf, Sockets } from "../lib/cluster/sockets.js";
import { startProcess } from "../lib/cluster/start-process.js";
import { WorkerProcess } from "../lib/cluster/worker-process.js";
import {
  CLUSTER,
  isAlive,
  SHARINGS,
  Supervised,
  untilGone,
} from "./supervised.js";

const PLAIN = `
import { writeSync } from "node:fs";
const router = new Router();
router.get("/pid", () => process.pid);
router.get("/slow", async () => {
  writeSync(1, "slow begun\\n");
  await sleep(500);
  return "slow";
});
router.get("/hang", () => {
  writeSync(1, "hang begun\\n");
  for (;;);
});
createServer(router, { keepAliveTimeout: 100 }).listen(port);
`;

const READY = /worker \d \(pid (\d+)\) is ready/;

// A preload that takes its time, in an option without spaces.
const LATE =
  "data:text/javascript,await(new(Promise)((done)=>setTimeout(done,500)))";

/** @param {number} port */
async function takesConnections(port) {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** @param {string} sharing @param {string[]} more */
const wordsFor = (sharing, ...more) => [
  "--workers",
  "2",
  "--sharing",
  sharing,
  ...more,
];

describe("Ready when it listens", () => {
  for (const sharing of SHARINGS) {
    it(`takes servers that aren't velocy's (${sharing})`, async (t) => {
      const program = `
import http from "node:http";
http.createServer((_req, res) => res.end("plain")).listen({ port });
`;
      const velocy = await Supervised.start(t, program, wordsFor(sharing));
      await velocy.says(READY, 2);
      assert.equal(await velocy.ask("/"), "plain");
    });

    it(`waits until all ports are open (${sharing})`, async (t) => {
      const other = await freePort();
      const program = `
const router = new Router();
router.get("/", () => "both");
createServer(router).listen(port);
createServer(router).listen(${other}, "127.0.0.1");
`;
      const velocy = await Supervised.start(t, program, wordsFor(sharing));
      await velocy.says(READY, 2);
      assert.equal(await velocy.ask("/"), "both");
      const response = await fetch(`http://127.0.0.1:${other}/`);
      assert.equal(await response.text(), "both");
    });

    it(`isn't held up by a port that is taken (${sharing})`, async (t) => {
      const taken = createServer().listen(0);
      await once(taken, "listening");
      t.after(() => taken.close());
      const { port } = /** @type {any} */ (taken.address());
      const program = `
const router = new Router();
router.get("/", () => "another");
const first = createServer(router).listen(${port});
first.on("error", () => createServer(router).listen(port));
`;
      const velocy = await Supervised.start(t, program, wordsFor(sharing));
      await velocy.says(READY, 2);
      assert.equal(await velocy.ask("/"), "another");
    });

    it(`isn't ready when a port that it needs is taken (${sharing})`, async (t) => {
      const taken = createServer().listen(0);
      await once(taken, "listening");
      t.after(() => taken.close());
      const { port } = /** @type {any} */ (taken.address());
      const program = `
const router = new Router();
createServer(router).listen(port);
createServer(router).listen(${port});
`;
      const velocy = await Supervised.start(t, program, wordsFor(sharing));
      assert.equal(await velocy.end(), 1);
      assert.match(velocy.output, /EADDRINUSE/);
      assert.doesNotMatch(velocy.output, /is ready/);
    });

    it(`isn't held up by a port that is none (${sharing})`, async (t) => {
      const program = `
try {
  createServer(new Router()).listen(70_000);
} catch {}
createServer(new Router()).listen(port);
`;
      const velocy = await Supervised.startWith(t, program, {
        workers: 1,
        sharing,
        startTimeout: 5000,
      });
      await velocy.says(READY);
    });

    it(`leaves processes and threads of the program alone (${sharing})`, async (t) => {
      const program = `
import { fork } from "node:child_process";
import { isMainThread, Worker } from "node:worker_threads";
if (process.argv[2] === "child") {
  process.send(process.listenerCount("SIGHUP"));
} else if (!isMainThread) {
  console.log("thread", process.env.VELOCY_WORKER);
} else {
  fork(process.argv[1], ["child"]).on("message", (m) => console.log("child", m));
  new Worker(new URL(import.meta.url));
  createServer(new Router()).listen(port);
}
`;
      const words = ["--workers", "1", "--sharing", sharing];
      const velocy = await Supervised.start(t, program, words);
      await velocy.says(READY);
      await velocy.says(/child 0/);
      await velocy.says(/thread undefined/);
    });
  }

  it("kills a worker that isn't ready in time", async (t) => {
    const velocy = await Supervised.startWith(t, "await sleep(60_000);", {
      workers: 1,
      startTimeout: 300,
    });
    await velocy.says(/isn't ready in time: killing it/);
    await velocy.says(/ended by SIGKILL/);
  });
});

describe("Wait longer each time", () => {
  for (const sharing of SHARINGS) {
    it(`starts another for one that ends (${sharing})`, async (t) => {
      const velocy = await Supervised.start(t, PLAIN, wordsFor(sharing));
      const [first] = await velocy.says(READY);
      await velocy.says(READY, 2);
      process.kill(Number(first), "SIGKILL");
      await velocy.says(/ended by SIGKILL/);
      const [third] = await velocy.says(READY, 3);
      assert.equal(isAlive(third), true);
      assert.match(await velocy.ask("/pid"), /^\d+$/);
    });
  }
});

describe("Wait longer each time", () => {
  for (const sharing of [...SHARINGS, "reuse-port"]) {
    const skip = process.platform === "win32" && "no ulimit here";

    it(`tries again when no process can be started (${sharing})`, {
      skip,
    }, async (t) => {
      // It uses up its descriptors, kills the worker, and frees them again
      // when it has said that it couldn't start another.
      const codeOf = (script) => `
import { closeSync, openSync } from "node:fs";
import { supervise } from ${JSON.stringify(CLUSTER)};
const held = [];
const options = ${JSON.stringify({ script, sharing, workers: 1 })};
supervise({ ...options, report(line) {
  process.stderr.write(line + "\\n");
  if (line.includes("EMFILE")) for (const fd of held.splice(0)) closeSync(fd);
  const ready = /pid (\\d+)\\) is ready/.exec(line);
  if (ready === null || globalThis.wasReady) return;
  globalThis.wasReady = true;
  try {
    for (;;) held.push(openSync("/dev/null"));
  } catch {}
  process.kill(Number(ready[1]), "SIGKILL");
} });`;
      const velocy = await Supervised.startPoor(t, PLAIN, codeOf);
      await velocy.says(/EMFILE: another starts in \d+ ms/);
      await velocy.says(READY, 2);
      assert.match(await velocy.ask("/pid"), /^\d+$/);
    });
  }
});

describe("Wait longer each time", () => {
  const skip = process.platform === "win32" && "another error here";

  for (const sharing of SHARINGS) {
    it(`takes a start that Node refuses for an end (${sharing})`, {
      skip,
    }, async (t) => {
      const { script } = await Supervised.start(t, PLAIN, ["--help"]);
      // More than the system takes: for that, Node throws.
      const args = ["x".repeat(2 ** 23)];
      const report = assert.fail;
      const settings = readOptions({ script, args, sharing, report });
      const worker = new WorkerProcess(1, settings, new Sockets());
      assert.match(await worker.gone, /E2BIG/);
      assert.equal(await worker.ready, false);
    });
  }
});

describe("Wait longer each time", () => {
  it("doesn't take a message that couldn't be sent for an end", async (t) => {
    const { script } = await Supervised.start(t, PLAIN, ["--help"]);
    const report = () => {};
    const settings = readOptions({
      script,
      sharing: "round-robin",
      report,
    });
    const worker = new WorkerProcess(1, settings, new Sockets());
    assert.equal(await worker.ready, true);
    const child = Object.values(cluster.workers ?? {})
      .map((each) => /** @type {any} */ (each).process)
      .find(({ pid }) => worker.name.includes(`(pid ${pid})`));
    child.disconnect();
    // Without a channel that is an error of the process, which still runs.
    child.send("too late");
    assert.equal(await worker.gone, "ended with code 0");
  });
});

describe("When to give up", () => {
  it("rejects `done` when its `report` throws, and ends", async (t) => {
    const codeOf = (script) => `
import { supervise } from ${JSON.stringify(CLUSTER)};
const options = ${JSON.stringify({ script, workers: 1 })};
const { done } = supervise({ ...options, report(line) {
  if (line.includes("is ready")) throw new Error("the disk is full");
} });
await done.catch((err) => console.log("done:", err.message));`;
    const port = await freePort();
    const velocy = new Supervised(t, PLAIN, port, (script) => {
      return ["--input-type=module", "-e", codeOf(script)];
    });
    assert.equal(await velocy.end(), 0);
    assert.match(velocy.output, /^done: the disk is full$/m);
  });

  it("gives up a program that never starts, with the code 1", async (t) => {
    const velocy = await Supervised.start(t, "process.exit(7);");
    assert.equal(await velocy.end(), 1);
    assert.match(velocy.output, /ended with code 7: no other starts/);
    assert.match(velocy.output, /was never ready: worker 1 has ended 5/);
  });

  it("goes on when a worker was ready once", async (t) => {
    const velocy = await Supervised.startWith(t, PLAIN, {
      workers: 1,
      stableAfter: 60_000,
    });
    await velocy.says(READY);
    velocy.write("process.exit(7);");
    const [first] = await velocy.says(READY);
    process.kill(Number(first), "SIGKILL");
    await velocy.says(/crash loop: worker 1 has ended 5 times/);
    velocy.write(PLAIN);
    velocy.signal("SIGHUP");
    await velocy.says(READY, 2);
    assert.match(await velocy.ask("/pid"), /^\d+$/);
  });
});

describe("New ones before old ones leave", () => {
  for (const sharing of SHARINGS) {
    it(`replaces each worker on SIGHUP, with the new program (${sharing})`, async (t) => {
      const velocy = await Supervised.start(t, PLAIN, wordsFor(sharing));
      await velocy.says(READY, 2);
      velocy.write(PLAIN.replace("() => process.pid", '() => "new"'));
      const slow = velocy.ask("/slow");
      await velocy.says(/slow begun/);
      velocy.signal("SIGHUP");
      await velocy.says(/restarted: 2 of 2/);
      assert.equal(await slow, "slow");
      for (let i = 0; i < 4; i += 1) {
        assert.equal(await velocy.ask("/pid"), "new");
      }
    });

    it(`keeps the old ones when the new program doesn't start (${sharing})`, async (t) => {
      const velocy = await Supervised.start(t, PLAIN, wordsFor(sharing));
      const [first] = await velocy.says(READY);
      const [second] = await velocy.says(READY, 2);
      velocy.write("throw new Error('broken')");
      velocy.signal("SIGHUP");
      await velocy.says(/worker 1 \(pid \d+\) ended with code 1/);
      await velocy.says(/restart given up: 0 of 2/);
      assert.deepEqual([first, second].map(isAlive), [true, true]);
      assert.match(await velocy.ask("/pid"), /^\d+$/);
    });

    it(`finishes what was begun on SIGTERM, and ends with 0 (${sharing})`, async (t) => {
      const velocy = await Supervised.start(t, PLAIN, wordsFor(sharing));
      await velocy.says(READY, 2);
      const slow = velocy.ask("/slow");
      await velocy.says(/slow begun/);
      velocy.signal("SIGTERM");
      assert.equal(await slow, "slow");
      assert.equal(await velocy.end(), 0);
    });

    it(`ends with 0 when it is told so while workers start (${sharing})`, async (t) => {
      const velocy = await Supervised.start(t, PLAIN, wordsFor(sharing));
      await velocy.says(READY);
      velocy.signal("SIGTERM");
      assert.equal(await velocy.end(), 0);
    });

    it(`kills a worker that won't leave (${sharing})`, async (t) => {
      const words = wordsFor(sharing, "--deadline", "200");
      const velocy = await Supervised.start(t, PLAIN, words);
      await velocy.says(READY, 2);
      const hanging = velocy.ask("/hang").catch(() => "cut");
      await velocy.says(/hang begun/);
      velocy.signal("SIGTERM");
      await velocy.says(/won't leave: killing it/);
      assert.equal(await hanging, "cut");
      assert.equal(await velocy.end(), 0);
    });
  }

  it("lets the program do what it does at SIGTERM, behind the last answer", async (t) => {
    const program = `${PLAIN}
process.once("SIGTERM", async () => {
  await sleep(50);
  console.log("closed the database");
  process.exit();
});`;
    const velocy = await Supervised.start(t, program, ["--workers", "1"]);
    await velocy.says(READY);
    velocy.signal("SIGTERM");
    assert.equal(await velocy.end(), 0);
    assert.match(velocy.output, /closed the database/);
  });

  it("does it once, also when a SIGTERM comes while a worker leaves", async (t) => {
    const program = `
const router = new Router();
router.get("/pid", () => String(process.pid));
router.get("/slow", async () => {
  await sleep(500);
  return "slow";
});
createServer(router).listen(port);
process.on("SIGTERM", () => console.log("closes the database"));
process.on("message", ({ velocy }) => {
  if (velocy === "leave") process.kill(process.pid, "SIGTERM");
});`;
    const velocy = await Supervised.start(t, program, ["--workers", "1"]);
    await velocy.says(READY);
    // One that asked for its port first has closed it before.
    const { length } = velocy.output;
    const answer = velocy.ask("/slow");
    await sleep(100);
    velocy.signal("SIGTERM");
    assert.equal(await answer, "slow");
    assert.equal(await velocy.end(), 0);
    const told = velocy.output.slice(length);
    assert.equal(told.split("closes the database").length - 1, 1);
  });

  it("starts another when a program has closed its only server", async (t) => {
    const program = `
const router = new Router();
const server = createServer(router);
router.get("/pid", () => String(process.pid));
router.get("/close", () => {
  server.close();
  return "closed";
});
server.listen(port);`;
    const velocy = await Supervised.start(t, program, ["--workers", "1"]);
    await velocy.says(READY);
    const before = await velocy.ask("/pid");
    assert.equal(await velocy.ask("/close"), "closed");
    await velocy.says(/ended with code 0: another starts/);
    await velocy.says(READY, 2);
    assert.notEqual(await velocy.ask("/pid"), before);
  });

  it("lets a program close its server and open it again", async (t) => {
    const program = `
const router = new Router();
let server = createServer(router);
router.get("/pid", () => String(process.pid));
router.get("/again", () => {
  server.close(() => {
    server = createServer(router);
    server.listen(0);
    setTimeout(() => console.log("still here"), 200);
  });
  return "again";
});
server.listen(port);`;
    const velocy = await Supervised.start(t, program, [
      "--workers",
      "1",
      "--sharing",
      "round-robin",
    ]);
    await velocy.says(READY);
    assert.equal(await velocy.ask("/again"), "again");
    await velocy.says(/still here/);
    assert.doesNotMatch(velocy.output, /ended with code/);
  });

  it("kills all when it is told a second time", async (t) => {
    const velocy = await Supervised.start(t, PLAIN, ["--workers", "1"]);
    await velocy.says(READY);
    const hanging = velocy.ask("/hang").catch(() => "cut");
    await velocy.says(/hang begun/);
    velocy.signal("SIGINT");
    await velocy.says(/stopping/);
    // Within a second it would count as the same Ctrl-C.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    velocy.signal("SIGINT");
    await velocy.says(/has no more time: killing it/);
    assert.equal(await velocy.end(), 0);
    await hanging;
  });

  it("takes two signals of one Ctrl-C for one", async (t) => {
    const velocy = await Supervised.start(t, PLAIN, ["--workers", "1"]);
    await velocy.says(READY);
    const slow = velocy.ask("/slow");
    await velocy.says(/slow begun/);
    velocy.signal("SIGINT");
    await velocy.says(/stopping/);
    velocy.signal("SIGINT");
    assert.equal(await slow, "slow");
    assert.equal(await velocy.end(), 0);
    assert.doesNotMatch(velocy.output, /killing it/);
  });

  it("has no timer for a worker that is gone when it is told to leave", async (t) => {
    const { script } = await Supervised.start(t, "process.exit(3);");
    const settings = {
      script,
      args: [],
      sharing: "reuse-port",
      deadline: 1000,
      beat: 1000,
      startTimeout: 60_000,
      report: assert.fail,
    };
    const worker = new WorkerProcess(1, settings, new Sockets());
    assert.equal(await worker.gone, "ended with code 3");
    const { mock } = t.mock.method(globalThis, "setTimeout");
    worker.leave();
    assert.equal(mock.callCount(), 0);
  });

  it("keeps the old ones when a new one ends right after it listens", async (t) => {
    const velocy = await Supervised.start(t, PLAIN, ["--workers", "2"]);
    const [first] = await velocy.says(READY);
    const [second] = await velocy.says(READY, 2);
    velocy.write(`${PLAIN}setTimeout(() => process.exit(9), 300);`);
    velocy.signal("SIGHUP");
    await velocy.says(READY, 3);
    await velocy.says(/worker 1 \(pid \d+\) ended with code 9/);
    await velocy.says(/restart given up: 0 of 2/);
    assert.deepEqual([first, second].map(isAlive), [true, true]);
    assert.match(await velocy.ask("/pid"), /^\d+$/);
  });

  it("fills a place again while the one before still finishes", async (t) => {
    const slow = PLAIN.replace("sleep(500)", "sleep(5000)");
    const velocy = await Supervised.startWith(t, slow, {
      workers: 1,
      stableAfter: 1,
    });
    const [first] = await velocy.says(READY);
    const answer = velocy.ask("/slow");
    await velocy.says(/slow begun/);
    velocy.write(`${PLAIN}setTimeout(() => process.exit(9), 300);`);
    velocy.signal("SIGHUP");
    await velocy.says(/ended with code 9: another starts at once/);
    await velocy.says(READY, 3);
    assert.equal(isAlive(first), true);
    assert.equal(await answer, "slow");
  });

  it("restarts once more for a SIGHUP that comes meanwhile", async (t) => {
    const velocy = await Supervised.start(t, PLAIN, ["--workers", "1"]);
    await velocy.says(READY);
    velocy.signal("SIGHUP");
    await velocy.says(/restarting/);
    velocy.signal("SIGHUP");
    await velocy.says(/restarted: 1 of 1/, 2);
    await velocy.says(READY, 3);
  });

  it("doesn't give up a restart that is stopped", async (t) => {
    const velocy = await Supervised.start(t, PLAIN, ["--workers", "1"]);
    await velocy.says(READY);
    velocy.signal("SIGHUP");
    await velocy.says(/restarting/);
    velocy.signal("SIGTERM");
    assert.equal(await velocy.end(), 0);
    assert.doesNotMatch(velocy.output, /given up/);
  });

  it("ends also when nobody answers the barrier", async (t) => {
    const { script } = await Supervised.start(t, PLAIN, ["--help"]);
    const sharing = "round-robin";
    const settings = { script, args: [], sharing };
    const times = { deadline: 100, beat: 1000 };
    const message = { sharing, places: {}, ...times };
    const child = startProcess(settings, [], message);
    t.after(() => child.kill("SIGKILL"));
    child.once("message", () => child.kill("SIGTERM"));
    await untilGone(child.pid);
  });
});

describe("New ones before old ones leave", () => {
  it("can start another after a start that failed", async (t) => {
    const { script } = await Supervised.start(t, PLAIN, ["--help"]);
    const report = () => {};
    const settings = readOptions({ script, stableAfter: 1, report });
    const sockets = new Sockets();
    t.after(() => sockets.close());
    let count = 0;
    const noteReady = () => {
      count += 1;
      if (count === 1) throw new Error("not this one");
    };
    const metrics = new Metrics();
    const slot = new Slot(1, { settings, sockets, metrics, noteReady });
    await assert.rejects(slot.replace(), /not this one/);
    assert.equal(await slot.replace(), true);
    await slot.stop();
  });
});

describe("Finding a hung worker", () => {
  for (const sharing of SHARINGS) {
    it(`finds a worker that hangs, and kills it (${sharing})`, async (t) => {
      const words = wordsFor(sharing, "--hung-after", "800");
      const velocy = await Supervised.start(t, PLAIN, words);
      await velocy.says(READY, 2);
      await assert.rejects(velocy.ask("/hang"));
      await velocy.says(/is hung: killing it/);
      await velocy.says(READY, 3);
      assert.match(await velocy.ask("/pid"), /^\d+$/);
    });
  }

  it("kills nobody after it was stopped itself", async (t) => {
    const words = ["--workers", "2", "--hung-after", "800"];
    const velocy = await Supervised.start(t, PLAIN, words);
    const [first] = await velocy.says(READY);
    const [second] = await velocy.says(READY, 2);
    velocy.signal("SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, 2000));
    velocy.signal("SIGCONT");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    assert.ok(isAlive(first) && isAlive(second), velocy.output);
  });
});

describe("A socket of one's own", () => {
  const skip = !SHARINGS.includes("socket") && "no net.BoundSocket here";

  it("lets clients wait when no worker is there", { skip }, async (t) => {
    const slow = `await sleep(500);${PLAIN}`;
    const velocy = await Supervised.start(t, slow, ["--workers", "1"]);
    const [pid] = await velocy.says(READY);
    process.kill(Number(pid), "SIGKILL");
    await velocy.says(/ended by SIGKILL/);
    assert.match(await velocy.ask("/pid"), /^\d+$/);
  });

  it("answers while the supervisor is stopped", { skip }, async (t) => {
    const velocy = await Supervised.start(t, PLAIN, ["--workers", "1"]);
    await velocy.says(READY);
    velocy.signal("SIGSTOP");
    assert.match(await velocy.ask("/pid"), /^\d+$/);
    velocy.signal("SIGCONT");
  });

  it("closes the port before the last answers are out", {
    skip,
  }, async (t) => {
    const slow = PLAIN.replace("sleep(500)", "sleep(3000)");
    const velocy = await Supervised.start(t, slow, ["--workers", "1"]);
    await velocy.says(READY);
    let isAnswered = false;
    const answer = velocy.ask("/slow").finally(() => {
      isAnswered = true;
    });
    await velocy.says(/slow begun/);
    velocy.signal("SIGTERM");
    while (await takesConnections(velocy.port)) await sleep(20);
    assert.equal(isAnswered, false);
    assert.equal(await answer, "slow");
    assert.equal(await velocy.end(), 0);
  });

  it("restarts with a version that opens another port late", {
    skip,
  }, async (t) => {
    const other = await freePort();
    const velocy = await Supervised.start(t, PLAIN, ["--workers", "1"]);
    await velocy.says(READY);
    velocy.write(`${PLAIN}
await sleep(200);
createServer(router).listen(${other});`);
    velocy.signal("SIGHUP");
    const [how] = await velocy.says(/(restarted|given up): \d of 1/);
    assert.equal(how, "restarted");
    const response = await fetch(`http://127.0.0.1:${other}/pid`);
    assert.match(await response.text(), /^\d+$/);
  });

  it("keeps the old one until one with all ports has lasted", {
    skip,
  }, async (t) => {
    const other = await freePort();
    const velocy = await Supervised.start(t, PLAIN, ["--workers", "1"]);
    await velocy.says(READY);
    // The one that asks for another port late is asked something slow, and
    // lives on beyond its trial for that. The old one takes some of these.
    velocy.write(`
import http from "node:http";
const router = new Router();
router.get("/pid", () => String(process.pid));
router.get("/slow", async () => {
  await sleep(3000);
  return "slow";
});
const server = createServer(router);
server.listen(port);
await new Promise((resolve) => server.once("listening", resolve));
for (let i = 0; i < 16; i++) {
  const to = { port, path: "/slow", agent: false };
  http.get(to, (res) => res.resume()).on("error", () => {});
}
await sleep(300);
createServer(router).listen(${other});`);
    velocy.signal("SIGHUP");
    const [how] = await velocy.says(/(restarted|given up): \d of 1/);
    assert.equal(how, "restarted");
    const response = await fetch(`http://127.0.0.1:${other}/pid`);
    assert.match(await response.text(), /^\d+$/);
    assert.match(await velocy.ask("/pid"), /^\d+$/);
  });

  it("refuses a pipe, unless each worker has its own", {
    skip,
  }, async (t) => {
    const words = ["--workers", "1"];
    const program = `
const path = process.argv[1] + ".sock";
createServer(new Router()).listen(path);`;
    const refused = await Supervised.start(t, program, words);
    await refused.says(/can't share the pipe .*\.sock/);
    const own = program.replace("(path)", "({ path, exclusive: true })");
    const velocy = await Supervised.start(t, own, words);
    await velocy.says(READY);
  });

  it("shares a port also where there is a path, which Node ignores", {
    skip,
  }, async (t) => {
    const program = PLAIN.replace(
      "listen(port)",
      'listen({ port, path: "/nowhere/a.sock" })',
    );
    const velocy = await Supervised.start(t, program, ["--workers", "2"]);
    await velocy.says(READY, 2);
    assert.match(await velocy.ask("/pid"), /^\d+$/);
  });

  it("takes listen(null) for any port, also with reuse-port", async (t) => {
    const program = "createServer(new Router()).listen(null);";
    const words = ["--workers", "1", "--sharing", "reuse-port"];
    const velocy = await Supervised.start(t, program, words);
    await velocy.says(READY);
  });

  it("says what Node says when the port is taken", { skip }, async (t) => {
    const first = await Supervised.start(t, PLAIN, ["--workers", "1"]);
    await first.says(READY);
    const program = PLAIN.replace("listen(port)", `listen(${first.port})`);
    const second = await Supervised.start(t, program, ["--workers", "1"]);
    assert.equal(await second.end(), 1);
    assert.match(second.output, /EADDRINUSE/);
  });

  it("lets a program end before it starts again with its socket", {
    skip,
  }, async (t) => {
    const program = `
import { unlinkSync, writeFileSync } from "node:fs";
const lock = process.argv[1] + ".lock";
writeFileSync(lock, "", { flag: "wx" });
process.on("exit", () => unlinkSync(lock));
${PLAIN}`;
    const velocy = await Supervised.start(t, program, ["--workers", "1"]);
    await velocy.says(READY);
    assert.match(await velocy.ask("/pid"), /^\d+$/);
  });

  it("starts only so often for a program that takes any port", {
    skip,
  }, async (t) => {
    const program = PLAIN.replace(
      "listen(port)",
      "listen(20_000 + Math.floor(Math.random() * 10_000))",
    );
    const words = ["--workers", "2"];
    const velocy = await Supervised.start(t, program, words);
    await velocy.says(READY, 2);
    const starts = velocy.output.match(/asks for port/g) ?? [];
    assert.equal(starts.length, 16);
  });

  it("gives two servers without a port one each", { skip }, async (t) => {
    const program = `
const router = new Router();
for (let i = 0; i < 2; i += 1) {
  const server = createServer(router).listen(0, () => {
    console.log("port", server.address().port);
  });
}`;
    const velocy = await Supervised.start(t, program, ["--workers", "1"]);
    await velocy.says(READY);
    const [first] = await velocy.says(/port (\d+)\n/);
    const [second] = await velocy.says(/port (\d+)\n/, 2);
    assert.notEqual(first, second);
  });

  it("says that a port can't be opened again", { skip }, async (t) => {
    const program = `
const router = new Router();
const server = createServer(router).listen(port, () => {
  server.close(() => server.listen(port));
});`;
    const velocy = await Supervised.start(t, program, ["--workers", "1"]);
    await velocy.says(/EADDRINUSE/);
  });

  it("opens itself only what the supervisor couldn't open", async (t) => {
    const [port, other] = [await freePort(), await freePort()];
    const program = `
const servers = [${port}, ${other}].map((each) => {
  return createServer(new Router()).listen(each);
});
servers[0].on("listening", () => {
  process.send({ listening: servers.map((each) => each.listening) });
});`;
    const { script } = await Supervised.start(t, program, ["--help"]);
    const settings = { script, args: [], sharing: "socket" };
    const times = { deadline: 1000, beat: 1000 };
    const message = { sharing: "socket", places: {}, ...times };
    const child = startProcess(settings, [], message);
    t.after(() => child.kill("SIGKILL"));
    const wanted = new Set();
    const told = new Promise((resolve) => {
      child.on("message", (/** @type {any} */ { velocy, listening }) => {
        if (listening) resolve(listening);
        if (velocy?.want) wanted.add(velocy.want.port);
        if (wanted.size < 2 || !velocy?.want) return;
        child.send({ velocy: { alone: keyOf({ port }) } });
      });
    });
    assert.deepEqual(await told, [true, false]);
  });

  it("has sixteen sockets at most, also when more are wanted at once", {
    skip,
  }, async (t) => {
    const ports = new Set();
    while (ports.size < 20) ports.add(await freePort());
    const sockets = new Sockets();
    t.after(() => sockets.close());
    const host = "127.0.0.1";
    const answers = await Promise.all(
      [...ports].map((port) => sockets.open({ port, host })),
    );
    assert.equal(answers.filter(Boolean).length, 16);
    assert.equal(sockets.descriptors.length, 16);
  });

  it("opens none any more when they have been closed", {
    skip,
  }, async () => {
    const sockets = new Sockets();
    const late = sockets.open({
      port: await freePort(),
      host: "localhost",
    });
    sockets.close();
    assert.equal(await late, false);
    assert.deepEqual(sockets.descriptors, []);
  });

  for (const none of ["{ port: NaN }", '""', '{ port: " " }']) {
    it(`has Node refuse a port that is none: ${none}`, {
      skip,
    }, async (t) => {
      const program = `createServer(new Router()).listen(${none});`;
      const velocy = await Supervised.start(t, program, ["--workers", "1"]);
      assert.equal(await velocy.end(), 1);
      assert.match(velocy.output, /ERR_SOCKET_BAD_PORT/);
    });
  }

  it("takes an empty host for none", { skip }, async (t) => {
    const program = `createServer(new Router()).listen(port, "");`;
    const velocy = await Supervised.start(t, program, ["--workers", "2"]);
    await velocy.says(READY, 2);
  });

  const interfaces = Object.values(networkInterfaces()).flat();
  const hasIpv6 = interfaces.some((each) => each?.family === "IPv6");

  it("leaves IPv4 to another server when one is IPv6 only", {
    skip: skip || (!hasIpv6 && "no IPv6 here"),
  }, async (t) => {
    const program = `
import http from "node:http";
const serve = (text, options) => {
  const server = http.createServer((_req, res) => res.end(text));
  server.listen({ port, ...options });
};
serve("six", { host: "::", ipv6Only: true });
serve("four", { host: "127.0.0.1" });`;
    const velocy = await Supervised.start(t, program, ["--workers", "2"]);
    await velocy.says(READY, 2);
    assert.equal(await velocy.ask("/"), "four");
    const response = await fetch(`http://[::1]:${velocy.port}/`);
    assert.equal(await response.text(), "six");
  });

  it("takes a server for IPv6 only when Node does", {
    skip: skip || (!hasIpv6 && "no IPv6 here"),
  }, async (t) => {
    const program = `
import http from "node:http";
const server = http.createServer((_req, res) => res.end("both"));
server.listen({ port, host: "::", ipv6Only: 1 });`;
    const velocy = await Supervised.start(t, program, ["--workers", "2"]);
    await velocy.says(READY, 2);
    assert.equal(await velocy.ask("/"), "both");
  });

  it("shares a port that the system chooses", { skip }, async (t) => {
    const program = `
const router = new Router();
const server = createServer(router).listen(0, () => {
  console.log("port", server.address().port);
});`;
    const velocy = await Supervised.start(t, program, ["--workers", "2"]);
    await velocy.says(READY, 2);
    const [first] = await velocy.says(/port (\d+)\n/);
    const [second] = await velocy.says(/port (\d+)\n/, 2);
    assert.equal(first, second);
  });
});

describe("When the supervisor dies", () => {
  for (const sharing of SHARINGS) {
    it(`has workers that finish, and leave (${sharing})`, async (t) => {
      const velocy = await Supervised.start(t, PLAIN, wordsFor(sharing));
      const [first] = await velocy.says(READY);
      const [second] = await velocy.says(READY, 2);
      const slow = velocy.ask("/slow");
      await velocy.says(/slow begun/);
      velocy.signal("SIGKILL");
      assert.equal(await slow, "slow");
      await untilGone(first);
      await untilGone(second);
    });
  }

  it("has a worker end that was still starting", async (t) => {
    const program = "setInterval(() => {}, 1000);";
    const { script } = await Supervised.start(t, program, ["--help"]);
    const settings = { script, args: [], sharing: "socket" };
    const times = { deadline: 1000, beat: 1000 };
    const message = { sharing: "socket", places: {}, ...times };
    const { NODE_OPTIONS = "" } = process.env;
    process.env.NODE_OPTIONS = `${NODE_OPTIONS} --import=${LATE}`;
    const child = startProcess(settings, [], message);
    process.env.NODE_OPTIONS = NODE_OPTIONS;
    t.after(() => child.kill("SIGKILL"));
    child.disconnect();
    await untilGone(child.pid);
  });
});

// What a worker that was taken over may say.
const NONSENSE = [
  null,
  7,
  "x",
  [],
  { beat: {} },
  { beat: 1 },
  { beat: { counters: { a: "1", "b\nc": 2 }, gauges: null } },
  { want: null },
  { want: { port: "1" } },
  { want: { port: 1, host: {} } },
];

describe("Break it", () => {
  for (const sharing of SHARINGS) {
    it(`lives with whatever a worker says (${sharing})`, async (t) => {
      const metricsPort = await freePort();
      const program = `
for (const velocy of ${JSON.stringify(NONSENSE)}) process.send({ velocy });
${PLAIN}`;
      const options = { workers: 1, sharing, metricsPort };
      const velocy = await Supervised.startWith(t, program, options);
      await velocy.says(READY);
      velocy.signal("SIGHUP");
      await velocy.says(/restarted: 1 of 1/);
      assert.match(await velocy.ask("/pid"), /^\d+$/);
      const address = `http://127.0.0.1:${metricsPort}/metrics`;
      const text = await (await fetch(address)).text();
      assert.match(text, /^http_requests_total \d+$/m);
      assert.doesNotMatch(text, /^[abc] /m);
    });
  }

  it("doesn't start a worker again for a socket that it has", {
    skip: !SHARINGS.includes("socket") && "no net.BoundSocket here",
  }, async (t) => {
    const program = `process.send({ velocy: { want: { port } } });${PLAIN}`;
    const velocy = await Supervised.start(t, program, ["--workers", "1"]);
    await velocy.says(READY);
    velocy.signal("SIGHUP");
    await velocy.says(/restarted: 1 of 1/);
    // It asks twice at its first start: by itself, and by listen().
    const starts = velocy.output.match(/asks for port/g) ?? [];
    assert.ok(starts.length <= 2, velocy.output);
  });
});
