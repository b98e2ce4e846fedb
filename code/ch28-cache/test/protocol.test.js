import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cases } from "./cases.js";
import { play } from "./playing.js";
import { start } from "./serving.js";

const MEBIBYTE = 1024 * 1024;

describe("The rest of the protocol", () => {
  assert.ok(cases.length > 40, `there are ${cases.length} cases`);
  for (const each of cases) {
    it(`does as ${each.file} asks: ${each.what ?? "all of it"}`, async () => {
      const memory = (each.memory ?? 64) * MEBIBYTE;
      const server = await start({ memory });
      try {
        await play(each, server.place, server.pass);
      } finally {
        await server.close();
      }
    });
  }
});
