import { createServer } from "node:net";
import { parseArgs } from "node:util";
import { Cache } from "./lib/cache.js";
import { serve } from "./lib/socket.js";

const MEBIBYTE = 1024 * 1024;
const { values } = parseArgs({
  options: {
    port: { type: "string", short: "p", default: "11211" },
    unix: { type: "string", short: "s" },
    memory: { type: "string", short: "m", default: "64" },
    largest: { type: "string", short: "I", default: String(MEBIBYTE) },
    delay: { type: "boolean", default: false },
    error: { type: "boolean", default: false },
  },
});

const refuse = (connection) => connection.answer("ERROR\r\n");
const cache = new Cache({
  memory: Number(values.memory) * MEBIBYTE,
  largest: Number(values.largest),
});
if (values.error) cache.run = refuse;
setInterval(() => cache.store.tick(), 1000).unref();

const place = values.unix ?? Number(values.port);
const server = createServer({ noDelay: !values.delay }, (socket) => {
  serve(socket, cache);
});
server.listen(place, () => console.log(`listening on ${place}`));
