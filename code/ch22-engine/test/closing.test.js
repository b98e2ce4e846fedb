// Chapter 20's contract for a server that closes, on the engine.
import { describe } from "node:test";
import { testClosing } from "../../contracts/running/index.js";
import * as velocy from "../index.js";
import { createServer } from "../lib/engine/index.js";

describe("Through the framework", () => {
  testClosing({ ...velocy, createServer });
});
