/**
 * The HTTP contract of the book: what its servers promise, as cases that run
 * over real sockets, each with the section of the RFC that it comes from.
 *
 * - `httpContract({ start, until })` checks a server in portions.
 * - `startProgram(folder)` and `startServer(create)` make its `start`.
 * - `splitAnywhere(RequestParser, { until })` cuts every case at every byte,
 *   and `parserProperties(RequestParser)` feeds a parser what chance makes.
 * - `slowReaders(start)` sends much and reads nothing.
 * - `answers(createServer)` has handlers answer what a server must mend.
 * - `node compare.js` prints where node:http answers otherwise.
 */
export { answers } from "./answers.js";
export { cases, groups } from "./cases.js";
export { exchange } from "./exchange.js";
export { httpContract } from "./http-contract.js";
export { parserProperties } from "./properties.js";
export { slowReaders } from "./slow-readers.js";
export { splitAnywhere } from "./split-anywhere.js";
export { startProgram, startServer } from "./start.js";
