import { describe } from "node:test";
import { testLateReaders } from "../../contracts/http/late-readers.js";
import * as velocy from "../index.js";
import { createServer } from "../lib/engine/index.js";

const programOf = (/** @type {string} */ path) =>
  new URL(path, import.meta.url).href;

describe("Who reads late", () => {
  describe("the engine", { concurrency: true }, () => {
    const program = programOf("../lib/engine/index.js");
    testLateReaders({ ...velocy, createServer }, program);
  });
  describe("node:http", { concurrency: true }, () => {
    testLateReaders(velocy, programOf("../index.js"));
  });
});
