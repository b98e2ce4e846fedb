import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Cache } from "../lib/cache.js";
import { Connection } from "../lib/connection.js";
import { addByte } from "../lib/hash.js";
import { Store } from "../lib/store.js";
import { Client, start } from "./serving.js";

const MEBIBYTE = 1024 * 1024;

function connect(cache = new Cache({ memory: 2 * MEBIBYTE })) {
  const talk = { text: "", takesMore: true };
  talk.connection = new Connection(cache, (text) => {
    talk.text += text;
    return talk.takesMore;
  });
  talk.read = (bytes, from = 0, to = bytes.length) =>
    talk.connection.read(bytes, from, to);
  return talk;
}

/** Numbers from 0 up to 1 that are the same in each run. */
function drawing(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function until(holds) {
  while (!holds()) await setImmediate();
}

const keyOf = (n) => Buffer.from(`key:${String(n).padStart(6, "0")}`);

function put(store, n, length) {
  const key = keyOf(n);
  const item = store.reserve(key, 0, key.length, 0, 0, length);
  if (item <= 0) return item;
  store.slabs.bytes.fill(
    n % 251,
    store.dataOf(item),
    store.dataOf(item) + length,
  );
  store.link(item, store.twin(item));
  return item;
}
const find = (store, n) => store.find(keyOf(n), 0, keyOf(n).length);

describe("A command is not a chunk", () => {
  const commands = Buffer.from(
    "set a 5 0 7\r\nget x\r\n\r\nget a b\r\ngets a\r\nappend a 0 0 1\r\n!\r\n" +
      "gat 0 a nothing\r\nincr a 1\r\nset n 0 0 2 noreply\r\n41\r\nincr n 1\r\n" +
      "add n 0 0 1\r\n1\r\ncas n 0 0 1 99\r\n1\r\nset b 0 0 1\r\ntoo long\r\n" +
      "delete a\r\nstats bogus\r\nverbosity 1\r\nflush_all\r\nget n\r\nbogus\r\n",
    "latin1",
  );
  const whole = connect();
  whole.read(commands);

  it("answers the same, wherever two pieces are cut", () => {
    assert.match(whole.text, /VALUE a 5 7\r\nget x\r\n\r\n/);
    for (let cut = 0; cut <= commands.length; cut++) {
      const talk = connect();
      talk.read(commands, 0, cut);
      talk.read(commands, cut);
      assert.equal(talk.text, whole.text, `cut at ${cut}`);
    }
  });

  it("answers the same to single bytes, and to a piece that is used again", () => {
    const talk = connect();
    const shared = Buffer.alloc(1);
    for (const byte of commands) {
      shared[0] = byte;
      talk.read(shared);
    }
    assert.equal(talk.text, whole.text);
  });
});

describe("The rest of the protocol", () => {
  it("closes for a line that is too long, wherever it is cut", () => {
    const lines = [
      `delete ${"k".repeat(2100)}\r\n`,
      " ".repeat(2100),
      // Cut at 2,048 its word would be another command.
      `${" ".repeat(2045)}gets a\r\n`,
    ];
    for (const text of lines) {
      const bytes = Buffer.from(text);
      const cache = new Cache({ memory: 2 * MEBIBYTE });
      for (let cut = 0; cut <= bytes.length; cut++) {
        const talk = connect(cache);
        talk.read(bytes, 0, cut);
        talk.read(bytes, cut);
        assert.equal(talk.text, "", `cut at ${cut}`);
        assert.ok(talk.connection.isClosed, `open when cut at ${cut}`);
      }
    }
  });

  it("tells its uptime when the machine's clock is set back", (t) => {
    const talk = connect();
    t.mock.method(Date, "now", () => 0);
    talk.read(Buffer.from("stats\r\n"));
    t.mock.restoreAll();
    assert.match(talk.text, /^STAT uptime 0\r$/m);
  });

  it("takes a long get and a long gat, wherever they are cut", () => {
    for (const start of ["get ", "gat 0 ", `gat ${" ".repeat(2045)}12 `]) {
      const bytes = Buffer.from(`${start}${"k ".repeat(1050)}\r\n`);
      const cache = new Cache({ memory: 2 * MEBIBYTE });
      for (let cut = 0; cut <= bytes.length; cut++) {
        const talk = connect(cache);
        talk.read(bytes, 0, cut);
        talk.read(bytes, cut);
        assert.equal(talk.text, "END\r\n", `cut at ${cut}`);
      }
    }
  });

  it("finds each key of a long get, wherever it is cut", () => {
    const bytes = Buffer.from(`get ${"visits ".repeat(300)}\r\n`);
    const cache = new Cache({ memory: 2 * MEBIBYTE });
    connect(cache).read(Buffer.from("set visits 0 0 1\r\n7\r\n"));
    const answer = `${"VALUE visits 0 1\r\n7\r\n".repeat(300)}END\r\n`;
    for (let cut = 2000; cut <= bytes.length; cut++) {
      const talk = connect(cache);
      talk.read(bytes, 0, cut);
      talk.read(bytes, cut);
      assert.ok(talk.text === answer, `cut at ${cut}`);
    }
  });

  it("keeps a counter whose new number has no room", () => {
    const talk = connect(new Cache({ memory: 2 * MEBIBYTE, largest: 100 }));
    const key = "k".repeat(51);
    const set = `set ${key} 0 0 1\r\n9\r\n`;
    talk.read(Buffer.from(`${set}incr ${key} 1\r\nget ${key}\r\n`));
    assert.equal(
      talk.text,
      `STORED\r\nSERVER_ERROR out of memory\r\nVALUE ${key} 0 1\r\n9\r\nEND\r\n`,
    );
  });

  it("takes the memory of what was flushed when it needs it", () => {
    const store = new Store(2 * MEBIBYTE);
    for (let n = 0; n < 30_000; n++) put(store, n, 10);
    const { evictions } = store;
    assert.ok(evictions > 0, "memory was never full");
    store.flush(0);
    assert.equal(store.items, 0);
    assert.equal(store.size, 0);
    assert.equal(find(store, 29_999), 0);
    for (let n = 0; n < 20_000; n++) {
      assert.ok(put(store, n, 10) > 0, `no room for ${n}`);
    }
    assert.equal(store.items, 20_000);
    assert.equal(store.evictions, evictions);
    for (let n = 0; n < 20_000; n++) {
      assert.notEqual(find(store, n), 0, `item ${n}`);
    }
    assert.equal(find(store, 20_000), 0);
    assert.ok(put(store, 0, 900_000) > 0, "no page for another size");
  });
});

describe("The floor", () => {
  it("answers ERROR to every line", () => {
    const cache = new Cache();
    cache.run = (connection) => connection.answer("ERROR\r\n");
    const talk = connect(cache);
    talk.read(Buffer.from("get a\r\nset a 0 0 1\r\n1\r\n"));
    assert.equal(talk.text, "ERROR\r\n".repeat(3));
  });
});

describe("The oldest goes first", () => {
  it("keeps what was asked for, and lets go of what wasn't", () => {
    const store = new Store(MEBIBYTE);
    for (let n = 0; n < 5000; n++) put(store, n, 10);
    for (let n = 5000; n < 50_000; n++) {
      assert.notEqual(find(store, 7), 0, `at ${n}`);
      put(store, n, 10);
    }
    assert.equal(find(store, 8), 0);
    assert.notEqual(find(store, 49_999), 0);
  });

  it("gives pages to another size when it has to", () => {
    const store = new Store(4 * MEBIBYTE);
    for (let n = 0; n < 100_000; n++) put(store, n, 10);
    for (let n = 0; n < 100; n++) {
      assert.ok(put(store, n, 900_000) > 0, `no room for large item ${n}`);
    }
    for (let n = 0; n < 1000; n++) {
      assert.ok(put(store, n, 10) > 0, `no room for small item ${n}`);
    }
  });

  it("takes all pages from a size that nobody asks for any more", () => {
    const store = new Store(8 * MEBIBYTE);
    for (let n = 0; n < 100_000; n++) put(store, n, 10);
    for (let turn = 0; turn < 20; turn++) {
      for (let n = 100_000; n < 105_000; n++) {
        if (n % 250 === 0) store.tick(store.now + 1);
        put(store, n, 1000);
      }
    }
    let found = 0;
    for (let n = 100_000; n < 105_000; n++) {
      if (find(store, n) !== 0) found++;
    }
    assert.equal(found, 5000);
  });

  it("keeps each value whole under work drawn by lot", () => {
    const draw = drawing(28);
    const store = new Store(3 * MEBIBYTE);
    for (let turn = 0; turn < 4000; turn++) {
      if (turn % 50 === 0) store.tick(store.now + 1);
      if (turn === 2000) {
        store.flush(0);
        for (let key = 0; key < 3000; key++) {
          assert.equal(find(store, key), 0, `value ${key} after a flush`);
        }
      }
      const n = Math.floor(draw() * 3000);
      const chance = draw();
      const item = find(store, n);
      if (item !== 0) {
        const at = store.dataOf(item);
        const end = at + store.lengthOf(item);
        const data = store.slabs.bytes.subarray(at, end);
        const whole = Buffer.alloc(data.length, n % 251);
        assert.ok(data.equals(whole), `value ${n}`);
      }
      if (chance < 0.2 && item !== 0) store.remove(item);
      else if (chance < 0.6)
        put(store, n, Math.floor(draw() ** 8 * 200_000));
    }
    store.flush(0);
    assert.equal(store.items, 0);
    assert.equal(store.size, 0);
  });

  it("moves no more pages in a second than there are", () => {
    const store = new Store(MEBIBYTE);
    let refused = 0;
    for (let n = 0; n < 1000; n++) {
      if (put(store, n, n % 2 === 0 ? 3 : 1000) === -1) refused++;
    }
    // The first large item gets the only page. No small one has it back.
    assert.equal(refused, 499);
    store.tick(store.now + 1);
    assert.ok(put(store, 0, 3) > 0, "refused a second later, too");
  });

  it("gives the pages of what was deleted to another size, at once", () => {
    const store = new Store(8 * MEBIBYTE);
    for (let n = 0; n < 8; n++) put(store, n, 900_000);
    for (let n = 0; n < 7; n++) store.remove(find(store, n));
    // They take four pages of the seven.
    for (let n = 100; n < 50_100; n++) {
      assert.ok(put(store, n, 10) > 0, `no room for ${n}`);
    }
    assert.equal(store.evictions, 0);
    assert.equal(store.items, 50_001);
    assert.notEqual(find(store, 7), 0, "an item went instead");
  });

  it("takes a page from the class with most, of those that keep as long", () => {
    const store = new Store(8 * MEBIBYTE);
    for (let n = 0; n < 7; n++) put(store, n, 900_000);
    put(store, 7, 3);
    assert.ok(put(store, 8, 5000) > 0, "it wasn't stored");
    assert.notEqual(find(store, 7), 0);
    assert.equal(store.evictions, 1);
  });

  it("takes a page from another class where a half item holds the oldest", () => {
    const store = new Store(3 * MEBIBYTE);
    put(store, 0, 3);
    const key = Buffer.from("half");
    assert.ok(
      store.reserve(key, 0, key.length, 0, 0, 3) > 0,
      "nothing was reserved",
    );
    store.tick(store.now + 1);
    for (let n = 1; n < 3; n++) put(store, n, 900_000);
    store.tick(store.now + 1);
    assert.ok(put(store, 3, 5000) > 0, "it wasn't stored");
    assert.notEqual(find(store, 0), 0, "the page of the half item went");
    assert.equal(store.evictions, 1);
  });

  it("has many buckets for keys that share one in another run", () => {
    const bucketOf = (key, start) => {
      const bytes = [...Buffer.from(key)];
      const hashed = bytes.reduce(
        (value, byte) => addByte(value, byte),
        start,
      );
      return (hashed ^ (hashed >>> 15)) & 1023;
    };
    const keys = Array.from({ length: 100_000 }, (_, n) => `key:${n}`);
    const same = keys.filter((key) => bucketOf(key, 0x11c9dc5) === 0);
    assert.ok(same.length > 50, `${same.length} keys share a bucket`);
    const buckets = new Set(same.map((key) => bucketOf(key, 0x2545f49)));
    assert.ok(buckets.size > same.length / 2, `${buckets.size} buckets`);
  });
});

describe("Get and set", () => {
  it("lets time go on when the machine's clock is set back", (t) => {
    const store = new Store(MEBIBYTE);
    const started = performance.now();
    t.mock.method(Date, "now", () => 0);
    t.mock.method(performance, "now", () => started + 10_000);
    store.tick();
    t.mock.restoreAll();
    assert.ok(store.now >= 12, `${store.now - 2} seconds went by`);
  });

  it("frees what half an item took when its client leaves", () => {
    const cache = new Cache({ memory: MEBIBYTE });
    for (let n = 0; n < 50; n++) {
      const talk = connect(cache);
      talk.read(Buffer.from(`set half 0 0 900000\r\n${"x".repeat(1000)}`));
      talk.connection.close();
    }
    const talk = connect(cache);
    talk.read(Buffer.from("set a 0 0 1\r\n1\r\nget a half\r\n"));
    assert.equal(talk.text, "STORED\r\nVALUE a 0 1\r\n1\r\nEND\r\n");
  });

  it("stores bytes as they are, on a Unix socket too", async () => {
    const path = `/tmp/nodecached-${process.pid}.sock`;
    const server = await start({}, { path });
    const client = await Client.open(server.place);
    try {
      const all = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
      const text = all.toString("latin1");
      const set = `set all 0 0 256\r\n${text}\r\n`;
      assert.equal(await client.ask(set, "STORED\r\n"), "STORED\r\n");
      const expected = `VALUE all 0 256\r\n${text}\r\nEND\r\n`;
      assert.equal(await client.ask("get all\r\n", expected), expected);
    } finally {
      client.close();
      await server.close();
    }
  });
});

describe("A client that doesn't read", () => {
  it("makes no more answers than it can send", () => {
    const talk = connect();
    const data = "x".repeat(500_000);
    talk.read(Buffer.from(`set big 0 0 ${data.length}\r\n${data}\r\n`));
    talk.text = "";
    talk.takesMore = false;
    talk.read(Buffer.from(`get ${"big ".repeat(40)}\r\nversion\r\n`));
    assert.ok(talk.text.length < 600_000, `${talk.text.length} characters`);
    for (let turn = 0; turn < 60; turn++) talk.connection.resume();
    assert.equal(talk.text.split("VALUE").length - 1, 40);
    assert.match(talk.text.slice(-60), /END\r\nVERSION .*\r\n$/);
  });

  it("serves others meanwhile", async () => {
    const server = await start();
    const slow = await Client.open(server.place);
    const other = await Client.open(server.place);
    try {
      const data = "x".repeat(1_000_000);
      await slow.ask(
        `set big 0 0 ${data.length}\r\n${data}\r\n`,
        "STORED\r\n",
      );
      slow.socket.pause();
      for (let n = 0; n < 40; n++) slow.socket.write("get big\r\n");
      assert.equal(await other.ask("get no\r\n", "END\r\n"), "END\r\n");
      slow.socket.resume();
      const answers = `VALUE big 0 1000000\r\n${data}\r\nEND\r\n`.repeat(
        40,
      );
      assert.ok(
        (await slow.take(answers.length)) === answers,
        "the answers are not those that were asked for",
      );
    } finally {
      slow.close();
      other.close();
      await server.close();
    }
  });

  it("has no memory for others while half items hold all of it", () => {
    const cache = new Cache({ memory: 2 * MEBIBYTE });
    const slow = [connect(cache), connect(cache)];
    for (const one of slow) one.read(Buffer.from("set x 0 0 900000\r\n"));
    const other = connect(cache);
    other.read(Buffer.from("set a 0 0 1\r\n1\r\n"));
    assert.equal(
      other.text,
      "SERVER_ERROR out of memory storing object\r\n",
    );
    for (const one of slow) one.connection.close();
    other.text = "";
    other.read(Buffer.from("set a 0 0 1\r\n1\r\n"));
    assert.equal(other.text, "STORED\r\n");
  });

  it("lets go of a client that says quit and reads later", {
    timeout: 20_000,
  }, async () => {
    const server = await start();
    const client = await Client.open(server.place);
    try {
      const data = "x".repeat(1_000_000);
      const set = `set big 0 0 ${data.length}\r\n${data}\r\n`;
      await client.ask(set, "STORED\r\n");
      client.socket.pause();
      client.socket.write(`${"get big\r\n".repeat(8)}quit\r\n`);
      await until(() => server.cache.counts.cmd_get > 0);
      client.socket.resume();
      const answer = `VALUE big 0 1000000\r\n${data}\r\nEND\r\n`;
      assert.equal((await client.ended()).length, answer.length * 8);
      await until(() => server.cache.connections === 0);
    } finally {
      client.close();
      await server.close();
    }
  });

  it("lets go of a client whose line has no end", {
    timeout: 20_000,
  }, async () => {
    const server = await start();
    const place = { ...server.place, allowHalfOpen: true };
    const client = await Client.open(place);
    const more = () => client.socket.write("x".repeat(1000));
    const timer = setInterval(more, 5);
    try {
      await until(() => server.cache.counts.total_connections === 1);
      await until(() => server.cache.connections === 0);
    } finally {
      clearInterval(timer);
      client.close();
      await server.close();
    }
  });
});
