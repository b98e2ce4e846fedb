import { describe, it } from "node:test";
import { CASES } from "../../code/contracts/bodies/cases.js";
import { testBodies, testUnread } from "../../code/contracts/bodies/index.js";
import { newestVelocy } from "./newest-velocy.js";

const newest = await newestVelocy();
const readsBodies = newest !== null && "json" in requestPrototype(newest.velocy);

/** @param {any} velocy */
function requestPrototype({ createServer, Router }) {
  const server = createServer(new Router());
  const [symbol] = Object.getOwnPropertySymbols(server).filter(
    ({ description }) => description === "IncomingMessage",
  );
  return server[symbol]?.prototype ?? {};
}

describe("bodies and the newest velocy", { skip: !readsBodies }, () => {
  for (const group of Object.keys(CASES)) {
    describe(group, () => testBodies(newest?.velocy, group));
  }
  describe("unread", () => testUnread(newest?.velocy));
});

it("has cases of bodies", (t) => t.assert.ok(Object.keys(CASES).length > 5));
