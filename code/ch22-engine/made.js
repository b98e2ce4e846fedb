import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

const socket = new Socket();
const req = new IncomingMessage(socket);
req.httpVersionMajor = 1;
req.httpVersionMinor = 1;
time("a request", () => new IncomingMessage(socket));
time("a response", () => new ServerResponse(req));

function time(name, make) {
  for (let i = 0; i < 100_000; i += 1) make();
  const start = performance.now();
  for (let i = 0; i < 1_000_000; i += 1) make();
  console.log(`${name}: ${(performance.now() - start).toFixed(0)} ns`);
}
