import { defaultLimits } from "./lib/limits.js";
import { RequestParser } from "./lib/request-parser.js";

const length = 256 * 1024;
const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
const limits = { ...defaultLimits, requestLineBytes: length };
const parsers = [];
measure("a line", "GET");
measure("a body", head);

function measure(what, beginning) {
  const parser = new RequestParser({ onRequest: () => {}, limits });
  parsers.push(parser);
  parser.push(Buffer.from(beginning));
  const before = occupied();
  for (let i = 0; i < length - 4; i++) parser.push(Buffer.alloc(1, "a"));
  const size = (occupied() - before) / length > 10 ? "more" : "less";
  console.log(`${what}: ${size} than 10 bytes of memory for each`);
}

function occupied() {
  // The second run waits for what the first lets go of.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
