import { test } from "node:test";
import { fuzz } from "velocy/testing";
import { readClose } from "./lib/realtime/close.js";
import { CLOSE } from "./lib/realtime/frame.js";
import { FrameReader } from "./lib/realtime/frame-reader.js";
import { Messages } from "./lib/realtime/messages.js";
import { ProtocolError } from "./lib/realtime/protocol-error.js";

// The first byte says Ping, the second: a mask, and 0 bytes.
const inputs = [
  "\x89\x80\0\0\0\0",
  "\u0088\u0081\u0000\u0000\u0000\u0000\u0000",
];
const { RUNS = 2000, SEED = 1, SOURCE = "lib/realtime/" } = process.env;
const [runs, seed] = [Number(RUNS), Number(SEED)];
const options = { source: new RegExp(SOURCE), inputs, runs, seed };

const limits = { messageBytes: 1000, fragments: 10 };
const taker = {
  message() {},
  control(opcode, payload) {
    if (opcode === CLOSE) readClose(payload);
  },
};

test("reads or refuses any bytes of a WebSocket", async () => {
  const read = (bytes) => {
    const frames = new FrameReader(new Messages(taker, limits));
    try {
      frames.push(bytes);
    } catch (err) {
      if (!(err instanceof ProtocolError)) throw err;
    }
  };
  await fuzz(read, options);
});
