import assert from "node:assert/strict";
import { constants } from "node:buffer";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { lacks } from "../../../tools/lib/programs.js";
import { freePort } from "../../contracts/port.js";
import { cases } from "./cases.js";
import { play } from "./playing.js";
import { Client, start } from "./serving.js";

const cwd = fileURLToPath(new URL("..", import.meta.url));
const MEBIBYTE = 1024 * 1024;

async function run(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd,
  });
  return stdout;
}

describe("The rest of the protocol", () => {
  const skip = lacks("memccapable");
  it("passes memccapable -a", { skip }, async () => {
    const server = await start();
    try {
      const args = [
        "-h",
        "127.0.0.1",
        "-p",
        String(server.place.port),
        "-a",
      ];
      const child = promisify(execFile)("memccapable", args);
      const { stdout, stderr } = await child.catch((error) => error);
      assert.match(`${stdout}${stderr}`, /All tests passed/);
    } finally {
      await server.close();
    }
  });

  const skipOriginal = lacks("memcached");
  it("takes its cases from what memcached does", {
    skip: skipOriginal,
  }, async () => {
    const port = await freePort();
    const user = process.getuid() === 0 ? ["-u", "nobody"] : [];
    const args = [
      ...user,
      "-U",
      "0",
      "-l",
      "127.0.0.1",
      "-p",
      String(port),
      "-m",
      "128",
    ];
    const memcached = spawn("memcached", args, { stdio: "ignore" });
    try {
      for (let tries = 0; ; tries++) {
        const client = await Client.open({ port }).catch(() => null);
        client?.close();
        if (client !== null) break;
        assert.ok(tries < 100, "memcached doesn't listen");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      let played = 0;
      for (const each of cases) {
        // Time can't be moved there, counts are one server's, and some
        // answers are of a version that Debian doesn't have yet.
        const isTimed = each.steps.some((step) => typeof step === "number");
        const counts = each.steps.some((step) => step.stats);
        if (isTimed || counts || each.since) continue;
        const client = await Client.open({ port });
        await client.ask("flush_all\r\n", "OK\r\n");
        client.close();
        await play(each, { port }, () => {});
        played++;
      }
      assert.ok(played > 20, `${played} played`);
    } finally {
      memcached.kill();
      await once(memcached, "exit");
    }
  });
});

describe("The floor", () => {
  it("listens where a killed server has left its socket", async () => {
    const path = `/tmp/nodecached-left-${process.pid}.sock`;
    try {
      for (let time = 0; time < 2; time++) {
        const args = ["server.js", "-s", path];
        const server = spawn(process.execPath, args, { cwd });
        const ended = once(server, "exit");
        await Promise.race([once(server.stdout, "data"), ended]);
        const client = await Client.open({ path });
        assert.equal(await client.ask("get a\r\n", "END\r\n"), "END\r\n");
        client.close();
        server.kill("SIGKILL");
        await ended;
      }
    } finally {
      rmSync(path, { force: true });
    }
  });

  it("takes a path of digits for a path", async () => {
    const folder = mkdtempSync(join(tmpdir(), "nodecached-"));
    const port = await freePort();
    const args = [join(cwd, "server.js"), "-s", String(port)];
    const server = spawn(process.execPath, args, { cwd: folder });
    try {
      await once(server.stdout, "data");
      (await Client.open({ path: join(folder, String(port)) })).close();
      await assert.rejects(Client.open({ port }), { code: "ECONNREFUSED" });
    } finally {
      server.kill();
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("listens for this machine alone", {
    skip: process.platform !== "linux" && "127.0.0.2 is there on Linux",
  }, async () => {
    const port = await freePort();
    const args = ["server.js", "-p", String(port)];
    const server = spawn(process.execPath, args, { cwd });
    try {
      await once(server.stdout, "data");
      (await Client.open({ port })).close();
      const other = Client.open({ port, host: "127.0.0.2" });
      await assert.rejects(other, { code: "ECONNREFUSED" });
    } finally {
      server.kill();
      await once(server, "exit");
    }
  });

  it("says so when no answer came in time", async () => {
    const server = await start();
    try {
      const port = String(server.place.port);
      const hasty = run("load.js", port, "-t", "1e-9");
      await assert.rejects(hasty, /SET: no answer came in time/);
    } finally {
      await server.close();
    }
  });

  it("stops loading when the server refuses", async () => {
    const server = await start({ largest: 10 });
    try {
      const port = String(server.place.port);
      const small = run("load.js", port, "-n", "10");
      await assert.rejects(small, /SERVER_ERROR object too large/);
      const long = run("load.js", port, "--key", "k".repeat(251));
      await assert.rejects(long, /CLIENT_ERROR bad command line format/);
    } finally {
      await server.close();
    }
  });

  it("loads with one request or more", async () => {
    const none = run("load.js", "1", "-n", "0");
    await assert.rejects(none, /-n, -c and -t have to be more than 0/);
  });
});

describe("Get and set", () => {
  const wrong = [
    ["-m", "64m"],
    ["-m", "0"],
    ["-m", "9000"],
    ["-I", "1m"],
    ["-I", "2000000"],
  ];
  for (const [option, value] of wrong) {
    it(`doesn't start with ${option} ${value}, and says why`, () => {
      const args = ["server.js", "-p", "0", option, value];
      const options = /** @type {const} */ ({ cwd, encoding: "utf8" });
      const ended = spawnSync(process.execPath, args, options);
      assert.equal(ended.status, 1);
      assert.match(
        ended.stderr,
        /^--\w+ takes a whole number from 1 to \d+\n$/,
      );
    });
  }

  it("names the most memory that a buffer of this Node can have", () => {
    const most = Math.min(
      8192,
      Math.floor(constants.MAX_LENGTH / MEBIBYTE),
    );
    const args = ["server.js", "-p", "0", "-m", String(most + 1)];
    const options = /** @type {const} */ ({ cwd, encoding: "utf8" });
    const { stderr } = spawnSync(process.execPath, args, options);
    assert.equal(
      stderr,
      `--memory takes a whole number from 1 to ${most}\n`,
    );
  });
});

describe("What an item weighs", () => {
  it("grows by its limit and little more, whatever comes", async () => {
    const port = await freePort();
    const args = ["server.js", "-p", String(port), "-m", "32"];
    const server = spawn(process.execPath, args, { cwd });
    try {
      await once(server.stdout, "data");
      const client = await Client.open({ port });
      const rss = () =>
        Number(
          spawnSync("ps", ["-o", "rss=", "-p", String(server.pid)]).stdout,
        ) * 1024;
      const before = rss();
      for (const length of [10, 200, 5000, 100_000]) {
        const data = "x".repeat(length);
        const count = Math.ceil((64 * MEBIBYTE) / (length + 60));
        for (let n = 0; n < count; ) {
          let batch = "";
          for (const end = Math.min(count, n + 200); n < end; n++) {
            batch += `set key:${n} 0 0 ${length} noreply\r\n${data}\r\n`;
          }
          await client.askUntil(`${batch}verbosity 1\r\n`, "OK\r\n");
        }
      }
      const grown = (rss() - before) / MEBIBYTE;
      client.close();
      assert.ok(grown > 25, `grew by ${grown.toFixed(0)} MiB only`);
      // The limit, the table of buckets, and what the collector hasn't had.
      assert.ok(grown < 32 * 1.1 + 30, `grew by ${grown.toFixed(0)} MiB`);
    } finally {
      server.kill();
      await once(server, "exit");
    }
  });
});

describe("The riddle of noreply", () => {
  it("takes a port for an option's value, as 2013's did", async () => {
    const said = await run("swallow.js", "--noreply", "3000");
    assert.equal(said, "{ port: 11211, noreply: '3000' }\n");
  });

  it("names the ways when it is told another", async () => {
    const wrong = run("load.js", "1", "--noreply", "--way", "wireless");
    await assert.rejects(wrong, /--way takes ignored, answered, written/);
  });

  for (const way of [
    "ignored",
    "answered",
    "written",
    "at-once",
    "joined",
  ]) {
    it(`has all done that it says, by ${way}`, async () => {
      const server = await start();
      try {
        const port = String(server.place.port);
        const options = [
          "-n",
          "1030",
          "-c",
          "3",
          "--noreply",
          "--way",
          way,
        ];
        const said = await run("load.js", port, ...options);
        assert.match(
          said,
          new RegExp(`^${way}: 1030 requests, \\d+ a second`),
        );
        assert.equal(server.cache.counts.cmd_set, 1030);
      } finally {
        await server.close();
      }
    });
  }
});

describe("Beside memcached", () => {
  it("loads the floor, which has no stats", async () => {
    const server = await start();
    server.cache.run = (connection) => connection.answer("ERROR\r\n");
    try {
      const port = String(server.place.port);
      const said = await run("load.js", port, "-n", "50", "-c", "2");
      assert.match(said, /^GET: 50 requests, \d+ a second$/m);
      assert.doesNotMatch(said, /NaN|microseconds/);
    } finally {
      await server.close();
    }
  });

  it("says how the latencies spread, and what the server used", async () => {
    const server = await start();
    try {
      const said = await run(
        "load.js",
        String(server.place.port),
        "-n",
        "500",
        "-c",
        "5",
        "--histogram",
      );
      assert.equal(server.cache.counts.cmd_set, 500);
      assert.equal(server.cache.counts.cmd_get, 500);
      assert.equal(server.cache.counts.get_hits, 500);
      for (const name of ["SET", "GET"]) {
        assert.match(
          said,
          new RegExp(`^${name}: 500 requests, \\d+ a second$`, "m"),
        );
      }
      const shares = [...said.matchAll(/ ([\d.]+) % #/g)].map(([, share]) =>
        Number(share),
      );
      const sum = shares.reduce((all, share) => all + share, 0);
      assert.ok(Math.abs(sum - 200) < 1, `${sum} % of two times 100`);
      assert.equal(said.match(/took [\d.]+ microseconds/g).length, 2);
    } finally {
      await server.close();
    }
  });
});

describe("One process for each core", () => {
  it("finds every key where it was put", async () => {
    const servers = [await start(), await start(), await start()];
    try {
      const ports = servers.map(({ place }) => String(place.port));
      assert.equal(
        await run("spread.js", ...ports),
        "1000 of 1000 found\n",
      );
      for (const { cache } of servers) {
        const { items } = cache.store;
        assert.ok(items > 200, `a server has ${items} of 1000 items`);
      }
    } finally {
      for (const server of servers) await server.close();
    }
  });
});
