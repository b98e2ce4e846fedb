import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cases, groups } from "../../contracts/http/cases.js";
import {
  bareServer,
  compareCuts,
} from "../../contracts/http/engine-fuzz.js";
import { toBytes } from "../../contracts/http/raw-client.js";
import { judgeInMemory } from "../../contracts/http/verdict.js";
import { Router } from "../index.js";
import { createServer } from "../lib/engine/index.js";
import { MemorySocket } from "../lib/testing/socket.js";

const engine = judgeInMemory(
  bareServer(createServer, Router),
  MemorySocket,
);

/** Longer ones come in pieces anyway. */
const MOST_BYTES = 400;

/**
 * What a case sends, one character a byte; none if it also waits for
 * something or leaves.
 *
 * @param {(typeof cases)[number]} aCase
 */
function textOf({ send }) {
  const areBytes = send.every(
    (step) => typeof step === "string" || step instanceof Uint8Array,
  );
  if (!areBytes) return "";
  const steps = /** @type {(string | Uint8Array)[]} */ (send);
  const bytes = Buffer.concat(steps.map((step) => toBytes(step)));
  return bytes.length > MOST_BYTES ? "" : bytes.toString("latin1");
}

describe("A head in any pieces", () => {
  it("has enough cases to cut", () => {
    const count = cases.filter((aCase) => textOf(aCase) !== "").length;
    assert.ok(count > 200, `only ${count}`);
  });

  for (const group of groups) {
    it(`reads each case as it reads the whole, wherever it is cut: ${group}`, async () => {
      for (const aCase of cases) {
        const text = textOf(aCase);
        if (aCase.group !== group) continue;
        for (let at = 1; at < text.length; at += 1) {
          const pieces = [text.slice(0, at), text.slice(at)];
          await compareCuts(engine, pieces).catch((cause) => {
            const where = JSON.stringify(pieces);
            throw new Error(`${aCase.name}: ${where}`, { cause });
          });
        }
      }
    });
  }
});
