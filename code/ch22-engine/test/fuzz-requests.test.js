import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, before, describe, it } from "node:test";
import {
  bareServer,
  compareCuts,
  compareOn,
  judgeBySocket,
  LATER,
  makeCase,
  makeJudges,
} from "../../contracts/http/engine-fuzz.js";
import { KINDS } from "../../contracts/http/engine-kinds.js";
import { portOf } from "../../contracts/router/ask.js";
import { createServer as onNodeHttp, Router } from "../index.js";
import { createServer as onEngine } from "../lib/engine/index.js";
import { Choices } from "../lib/testing/choices.js";
import { checkProperty } from "../lib/testing/property.js";
import { MemorySocket } from "../lib/testing/socket.js";

const SEED = 22;
const judges = makeJudges({ onEngine, onNodeHttp, Router, MemorySocket });

describe("Where the two differ", () => {
  it("mean to the engine what they mean to node:http", async () => {
    const check = (aCase) => compareOn(judges, aCase);
    await checkProperty(makeCase, check, { runs: 500, seed: SEED });
  });

  const [major] = process.versions.node.split(".").map(Number);
  for (const { what, reason, example, only = major } of KINDS) {
    const skip = only !== major && `Node.js ${only} alone`;
    it(`differs in a kind: ${what} (${reason})`, { skip }, async () => {
      const { nodeHttp, engine, whole } = judges;
      const theirs = {
        engine,
        nodeHttp: /together/.test(what) ? whole : nodeHttp,
      };
      assert.equal(await compareOn(theirs, [example]), what);
    });
  }

  it(`differs in a kind: ${LATER}`, async () => {
    for (const pieces of [
      ["A!# / HTTP/"],
      ["GET / HTTP/1.1\r\nHost: a\r\n\r\nabc"],
    ])
      assert.equal(await compareOn(judges, pieces), LATER);
  });

  it("mean the same in any pieces", async () => {
    const check = (aCase) => compareCuts(judges.engine, aCase);
    await checkProperty(makeCase, check, { runs: 2000, seed: SEED });
  });

  describe("over sockets", () => {
    const server = bareServer(onEngine, Router);
    before(() => once(server.listen(0, "127.0.0.1"), "listening"));
    after(() => {
      server.closeAllConnections();
      server.close();
    });
    const bySocket = judgeBySocket(server, async () => {
      const socket = net.connect(portOf(server), "127.0.0.1");
      socket.setNoDelay(true);
      await once(socket, "connect");
      return socket;
    });

    it("mean the same in any pieces, and beside each other", async () => {
      const choices = Choices.byChance(SEED);
      const worker = async () => {
        for (let i = 0; i < 25; i += 1)
          await compareCuts(bySocket, makeCase(choices));
      };
      await Promise.all(Array.from({ length: 16 }, worker));
    });
  });
});
