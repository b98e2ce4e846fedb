import { describe } from "node:test";
import { testDifferences } from "../../contracts/http/engine.js";
import { DIFFERENCES } from "../../contracts/http/engine-differences.js";
import { createServer as onNodeHttp, Router } from "../index.js";
import { createServer as onEngine } from "../lib/engine/index.js";

describe("Where the two differ", () => {
  testDifferences({ onEngine, onNodeHttp, Router }, DIFFERENCES);
});
