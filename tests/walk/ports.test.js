import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PortBlock } from "../../tools/walk/ports.js";

const ports = new PortBlock(454);

describe("ports in a command", () => {
  const places = [
    ["curl http://localhost:3000/x", "curl http://localhost:4540/x"],
    ["curl '[::1]:3002'", "curl '[::1]:4542'"],
    ["PORT=3001 node server.js", "PORT=4541 node server.js"],
    ["redis-cli -p 3001 ping", "redis-cli -p 4541 ping"],
    ["node front.js 3001 3000", "node front.js 4541 4540"],
    ["node -e 'connect(3000)'", "node -e 'connect(4540)'"],
    ["node -e 'net.connect({ port: 3000 })'", "node -e 'net.connect({ port: 4540 })'"],
  ];
  for (const [typed, run] of places) {
    test(`are others while it runs: ${typed}`, () => {
      assert.equal(ports.toRealPorts(typed), run);
    });
  }

  const numbers = [
    "node -e 'Buffer.alloc(3000)'",
    "head -c 3000 file",
    "node raw.js x 3000ms '3000*a'",
    "echo 13000 30001 3.3000",
  ];
  for (const typed of numbers) {
    test(`aren't other numbers: ${typed}`, () => {
      assert.equal(ports.toRealPorts(typed), typed);
    });
  }

  test("are the book's again in what is printed", () => {
    assert.equal(ports.toBookPorts("http://localhost:4543/ 45430"), "http://localhost:3003/ 45430");
  });
});
