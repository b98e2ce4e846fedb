import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { drawFlame, framesOf, layOut } from "../flame.js";
import { statusesOf } from "../load.js";
import { askInside, startServer } from "../outside.js";
import { MILESTONE, run } from "./lib.js";

const BUSY = `${MILESTONE}test/busy.js`;

/** V8 may have taken the function that computes into its caller. */
const COMPUTES = /(compute|\(anonymous\)) busy\.js/;

/** @param {import("node:test").TestContext} t */
async function startBusy(t) {
  const server = await startServer(BUSY);
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await server.stop();
    isStopped = true;
  };
  t.after(stop);
  return { ...server, stop };
}

describe("Busy, or waiting?", () => {
  it("says that a server waits that nobody asks", async (t) => {
    const server = await startBusy(t);
    await askInside(server.pid, "/loop/start");
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { busy } = await askInside(server.pid, "/loop/stop");
    await server.stop();
    assert.ok(busy < 0.5, `${busy}`);
  });

  it("says how long a turn took", async (t) => {
    const server = await startBusy(t);
    await askInside(server.pid, "/loop/start");
    await (await fetch(`${server.origin}/50`)).text();
    const { longest } = await askInside(server.pid, "/loop/stop");
    await server.stop();
    assert.ok(longest >= 49, `${longest} ms`);
  });

  it("tells a server that waits from one that computes", async () => {
    const rows = {};
    for (const file of ["waiting.js", "test/sync.js", "test/busy.js"]) {
      const server = await startServer(`${MILESTONE}${file}`);
      const url = file === "test/busy.js" ? "/100" : "/";
      await askInside(server.pid, "/loop/start");
      for (let i = 0; i < 5; i += 1) {
        await (await fetch(`${server.origin}${url}`)).text();
      }
      rows[file] = await askInside(server.pid, "/loop/stop");
      await server.stop();
    }
    const [waits, blocks, computes] = Object.values(rows);
    const printed = JSON.stringify(rows);
    assert.ok(waits.busy < 0.5 && waits.processor < 0.5, printed);
    assert.ok(blocks.busy > 0.7 && blocks.processor < 0.5, printed);
    assert.ok(computes.busy > 0.7, printed);
    assert.ok(computes.processor > blocks.processor, printed);
  });

  it("looks at the main thread, whose process has others", async () => {
    const threads = `${MILESTONE}test/threads.js`;
    const { child, socket } = await startAlone(threads);
    try {
      const { user } = await askInside(child.pid, "/usage");
      assert.ok(user > 0, `${user} µs of user time`);
    } finally {
      child.kill();
      rmSync(join(tmpdir(), socket), { force: true });
    }
  });

  it("lets a server run where its socket can't be made", async () => {
    const env = {
      ...process.env,
      TMPDIR: join(tmpdir(), "a".repeat(150)),
    };
    const args = ["--import", `${MILESTONE}inside.js`, BUSY];
    const child = spawn(process.execPath, args, { env });
    const exited = once(child, "exit");
    // Which of the two comes first is chance.
    const firstOf = (
      /** @type {import("node:stream").Readable} */ stream,
    ) =>
      Promise.race([once(stream, "data"), exited]).then(
        ([first]) => `${first}`,
      );
    const [printed, said] = await Promise.all([
      firstOf(child.stdout),
      firstOf(child.stderr),
    ]);
    child.kill();
    await exited;
    assert.match(printed, /^listening on /);
    assert.match(said, /^inside\.js can't be asked: /);
  });

  it("leaves nothing behind", async (t) => {
    const server = await startBusy(t);
    const socket = `inside-${server.pid}.sock`;
    const isThere = () => readdirSync(tmpdir()).includes(socket);
    assert.ok(isThere(), `${socket} is missing`);
    await server.stop();
    assert.ok(!isThere(), `${socket} is left`);
    await assert.rejects(askInside(server.pid, "/usage"), {
      code: "ENOENT",
    });
  });

  it("answers what it doesn't know with an error, and goes on", async (t) => {
    const server = await startBusy(t);
    await assert.rejects(askInside(server.pid, "/typo"), {
      message: "no /typo here",
    });
    assert.equal((await fetch(`${server.origin}/1`)).status, 200);
    const { user } = await askInside(server.pid, "/usage");
    assert.ok(user > 0, `${user} µs of user time`);
  });

  it("lets a server write its last lines before a signal ends it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ch27-"));
    const file = join(folder, "writes.mjs");
    // It waits for others that handle the signal, as velocy's log() does.
    writeFileSync(
      file,
      `import { writeFileSync } from "node:fs";
      process.prependOnceListener("SIGTERM", (signal) => {
        const isDecided = process.listenerCount(signal) > 0;
        setTimeout(() => {
          writeFileSync(new URL("last.txt", import.meta.url), "written");
          if (!isDecided) process.kill(process.pid, signal);
        }, 100);
      });
      setInterval(() => {}, 1000);
      console.log("listening");`,
    );
    const { child, socket } = await startAlone(file);
    child.kill();
    assert.deepEqual(await once(child, "exit"), [null, "SIGTERM"]);
    const names = readdirSync(folder);
    rmSync(folder, { recursive: true });
    rmSync(join(tmpdir(), socket), { force: true });
    assert.deepEqual(names.sort(), ["last.txt", "writes.mjs"]);
  });

  it("leaves a signal to a server that handles it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ch27-"));
    const file = join(folder, "polite.mjs");
    writeFileSync(
      file,
      `process.on("SIGTERM", () => setTimeout(() => process.exit(7), 100));
      setInterval(() => {}, 1000);
      console.log("listening");`,
    );
    const { child, socket } = await startAlone(file);
    child.kill();
    assert.deepEqual(await once(child, "exit"), [7, null]);
    assert.ok(!readdirSync(tmpdir()).includes(socket), "it is gone");
    rmSync(folder, { recursive: true });
  });

  it("says loudly that the answers aren't the content", async () => {
    const args = ["profile.js", "mended.js", "/nowhere", "--seconds", "1"];
    const { stdout, stderr } = await run(args);
    assert.match(stdout, /^answered: 404 \(LOOK: /, stderr);
    const good = ["profile.js", "mended.js", "/seed/v1", "--seconds", "1"];
    const { stdout: printed } = await run(good);
    assert.match(printed, /^answered: 200$/m);
    assert.match(printed, /^the process used \d+ % of a core$/m);
  });

  it("takes 200 and 304 for content, and nothing else", () => {
    assert.equal(statusesOf({ 200: 3, 304: 1 }), "200, 304");
    assert.match(statusesOf({ 200: 3, 503: 1 }), /^200, 503 \(LOOK/);
    assert.match(statusesOf({}), /^nothing \(LOOK/);
  });

  it("tells of a server that has ended", async () => {
    const file = `${MILESTONE}seed.js`;
    await assert.rejects(startServer(file), /has ended before it listened/);
  });

  it("tells of a server that was killed", { timeout: 30_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "ch27-"));
    const file = join(folder, "killed.mjs");
    writeFileSync(file, `process.kill(process.pid, "SIGKILL");`);
    await assert.rejects(startServer(file), /has ended before it listened/);
    rmSync(folder, { recursive: true });
  });

  it("gives up a server that says nothing", {
    timeout: 30_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "ch27-"));
    const file = join(folder, "ready.mjs");
    writeFileSync(
      file,
      `console.log("ready"); setTimeout(() => {}, 20_000);`,
    );
    await assert.rejects(startServer(file, 1), /hasn't printed/);
    rmSync(folder, { recursive: true });
  });
});

/** A server with inside.js that outside.js doesn't stop. */
async function startAlone(file) {
  const args = ["--import", `${MILESTONE}inside.js`, file];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return { child, socket: `inside-${child.pid}.sock` };
}

const at = (functionName, url = "") => ({ functionName, url });

/** @param {[id: number, callFrame: any, children?: number[]][]} nodes */
function profileOf(nodes, samples) {
  return {
    nodes: nodes.map(([id, callFrame, children]) => ({
      id,
      callFrame,
      children,
    })),
    samples,
    timeDeltas: samples.map(() => 1000),
  };
}

const SMALL = profileOf(
  [
    [1, at("(root)"), [2, 7, 8]],
    [2, at("main", "file:///app/main.js"), [3, 6]],
    [3, at("emit", "node:events"), [4]],
    [4, at("run", "node:internal/x"), [5]],
    [5, at("<work>", "file:///app/node_modules/a/work.js")],
    [6, at("<work>", "file:///app/node_modules/a/work.js")],
    [7, at("(idle)")],
    [8, at("(garbage collector)")],
  ],
  [2, 3, 4, 5, 6, 7, 7, 8],
);

describe("A profile that isn't written", () => {
  it("isn't written when Ctrl-C ends the server", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ch27-"));
    const child = spawn(process.execPath, ["--cpu-prof", BUSY], {
      cwd: folder,
    });
    await once(child.stdout, "data");
    child.kill("SIGINT");
    await once(child, "exit");
    assert.deepEqual(readdirSync(folder), []);
    rmSync(folder, { recursive: true });
  });

  it("gives each function its own time and that of its calls", () => {
    const root = framesOf(SMALL, "file:///app/");
    assert.equal(root.total, 6000);
    const [main, collector] = root.children;
    assert.deepEqual(
      [main.name, main.self, main.total],
      ["main main.js", 1000, 5000],
    );
    assert.equal(main.owner, "own");
    assert.equal(collector.owner, "engine");
  });

  it("makes one frame of Node's calls to Node", () => {
    const [main] = framesOf(SMALL, "file:///app/").children;
    const emit = main.children.find(({ owner }) => owner === "node");
    assert.equal(emit.name, "emit node:events");
    assert.equal(emit.self, 2000);
    assert.deepEqual(
      emit.children.map(({ name, owner }) => [name, owner]),
      [["<work> work.js", "package"]],
    );
  });

  it("parts functions without a name by their lines", () => {
    const anonymous = (lineNumber) => ({
      ...at("", "file:///app/routes.js"),
      lineNumber,
    });
    const profile = profileOf(
      [
        [1, at("(root)"), [2, 3, 4]],
        [2, anonymous(9)],
        [3, anonymous(89)],
        [4, anonymous(9)],
      ],
      [2, 3, 3, 4, 4, 4],
    );
    const { children } = framesOf(profile, "file:///app/");
    assert.deepEqual(
      children.map(({ name, total }) => [name, total]),
      [
        ["(anonymous) routes.js:10", 4000],
        ["(anonymous) routes.js:90", 2000],
      ],
    );
  });

  it("tells functions of one name by where their files are", () => {
    const handle = (folder) =>
      at("handle", `file:///app/${folder}/index.js`);
    const profile = profileOf(
      [
        [1, at("(root)"), [2, 3]],
        [2, handle("lib")],
        [3, handle("node_modules/a")],
      ],
      [2, 3, 3],
    );
    const { children } = framesOf(profile, "file:///app/");
    assert.deepEqual(
      children.map(({ name, owner, total }) => [name, owner, total]),
      [
        ["handle index.js", "package", 2000],
        ["handle index.js", "own", 1000],
      ],
    );
  });

  it("lists functions of one name apart", async (t) => {
    const next = (folder) => at("next", `file:///app/${folder}/index.js`);
    const profile = profileOf(
      [
        [1, at("(root)"), [2, 3]],
        [2, next("a")],
        [3, next("b")],
      ],
      [2, 3, 3],
    );
    const answers = {
      "/loop/stop": { busy: 0, processor: 0, longest: 0 },
      "/profile/stop": profile,
    };
    const inside = createServer((req, res) => {
      res.end(JSON.stringify(answers[req.url] ?? null));
    });
    inside.listen(join(tmpdir(), `inside-${process.pid}.sock`));
    await once(inside, "listening");
    t.after(() => inside.close());
    const args = ["profile.js", "--pid", `${process.pid}`];
    const { stdout } = await run([...args, "--seconds", "0.1"]);
    assert.deepEqual(
      [...stdout.matchAll(/([\d.]+) % next index\.js/g)].map(
        ([, share]) => share,
      ),
      ["66.7", "33.3"],
    );
  });

  it("is made after the loop was looked at", async (t) => {
    const asked = [];
    const answers = {
      "/loop/stop": { busy: 0, processor: 0, longest: 0 },
      "/profile/stop": profileOf(
        [
          [1, at("(root)"), [2]],
          [2, at("(idle)")],
        ],
        [2],
      ),
    };
    const inside = createServer((req, res) => {
      asked.push(req.url);
      res.end(JSON.stringify(answers[req.url] ?? null));
    });
    inside.listen(join(tmpdir(), `inside-${process.pid}.sock`));
    await once(inside, "listening");
    t.after(() => inside.close());
    const args = ["profile.js", "--pid", `${process.pid}`];
    const { stdout, stderr } = await run([...args, "--seconds", "0.1"]);
    assert.deepEqual(
      asked,
      ["/profile/start", "/loop/start", "/loop/stop", "/profile/stop"],
      stderr,
    );
    assert.doesNotMatch(stdout, /NaN/, "nothing ran, and it says so");
  });

  it("refuses a second profile, and goes on with the first", async (t) => {
    const server = await startBusy(t);
    const ask = (path) => askInside(server.pid, path);
    await assert.rejects(ask("/profile/stop"));
    await ask("/profile/start");
    await assert.rejects(ask("/profile/start"), /a profile is under way/);
    await (await fetch(`${server.origin}/20`)).text();
    const profile = await ask("/profile/stop");
    assert.match(JSON.stringify(framesOf(profile, "file:///")), COMPUTES);
  });

  it("finds the function that computes, and more than once", async (t) => {
    const server = await startBusy(t);
    for (let i = 0; i < 2; i += 1) {
      await askInside(server.pid, "/profile/start");
      for (let j = 0; j < 5; j += 1)
        await (await fetch(`${server.origin}/20`)).text();
      const profile = await askInside(server.pid, "/profile/stop");
      const names = JSON.stringify(framesOf(profile, "file:///"));
      assert.match(names, COMPUTES);
    }
    await server.stop();
  });
});

describe("The picture", () => {
  it("draws each box upon its caller, as wide as its time", () => {
    const boxes = layOut(framesOf(SMALL, "file:///app/"), 600, 1);
    const of = (name) => boxes.filter(({ frame }) => frame.name === name);
    assert.equal(of("all")[0].width, 600);
    assert.equal(of("main main.js")[0].width, 500);
    const works = of("<work> work.js");
    assert.deepEqual(works.map(({ row }) => row).sort(), [2, 3]);
    for (const { x, width } of boxes)
      assert.ok(x + width <= 600.001, `a box ends at ${x + width}`);
  });

  it("leaves out what is too narrow to see", () => {
    const boxes = layOut(framesOf(SMALL, "file:///app/"), 600, 101);
    for (const { width } of boxes) assert.ok(width >= 101, `${width}`);
    const names = boxes.map(({ frame }) => frame.name);
    assert.deepEqual(names, ["all", "main main.js", "emit node:events"]);
  });

  it("writes no name where it has no room", () => {
    const svg = drawFlame(framesOf(SMALL, "file:///app/"), 18);
    const labels = [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)];
    assert.ok(labels.length > 3, svg);
    for (const [, label] of labels) assert.ok(label.length <= 1, label);
  });

  it("draws nothing of a server that did nothing", () => {
    const profile = profileOf(
      [
        [1, at("(root)"), [2]],
        [2, at("(idle)")],
      ],
      [2],
    );
    const svg = drawFlame(framesOf(profile, "file:///app/"));
    assert.doesNotMatch(svg, /NaN|Infinity|<rect /);
  });

  it("writes names as text, for both themes", () => {
    const svg = drawFlame(framesOf(SMALL, "file:///app/"));
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.match(svg, /prefers-color-scheme: dark/);
    assert.match(svg, /&#60;work&#62; work\.js: 16\.7 %/);
    assert.doesNotMatch(svg, /<work>/);
    const opened = svg.match(/<g /g).length;
    assert.equal(svg.match(/<\/g>/g).length, opened);
  });

  it("records a server under load, and names what computes", async () => {
    const args = ["profile.js", BUSY, "/", "--seconds", "1"];
    const { stdout, stderr, code, svg } = await run(args);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^the event loop was busy for \d+ %$/m);
    assert.match(stdout, COMPUTES);
    assert.match(svg, COMPUTES);
  });

  it("records a server that runs", async (t) => {
    const server = await startBusy(t);
    let isOver = false;
    const asking = (async () => {
      while (!isOver) await (await fetch(server.origin)).text();
    })();
    const args = ["profile.js", "--pid", `${server.pid}`, "--seconds", "1"];
    const { stdout, stderr, svg } = await run(args);
    isOver = true;
    await asking;
    await server.stop();
    assert.match(stdout, COMPUTES, stderr);
    assert.match(svg, COMPUTES);
  });

  it("ends early at Ctrl-C, and leaves no profile under way", async (t) => {
    const server = await startBusy(t);
    const pid = `${server.pid}`;
    const folder = mkdtempSync(join(tmpdir(), "ch27-"));
    const args = [`${MILESTONE}profile.js`, "--pid", pid];
    const child = spawn(process.execPath, [...args, "--seconds", "60"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    // Once a profile is under way, a second one is refused.
    const isUnderWay = () =>
      askInside(server.pid, "/profile/start").then(
        () => askInside(server.pid, "/profile/stop").then(() => false),
        () => true,
      );
    // A question that comes at the same moment would have the tool refused.
    do await sleep(1000);
    while (child.exitCode === null && !(await isUnderWay()));
    await (await fetch(`${server.origin}/20`)).text();
    await sleep(500);
    const printed = text(child.stdout);
    child.kill("SIGINT");
    assert.deepEqual(await once(child, "exit"), [0, null]);
    assert.match(await printed, /the event loop was busy/);
    assert.ok(!(await isUnderWay()), "the profile has ended");
    rmSync(folder, { recursive: true });
  });
});
