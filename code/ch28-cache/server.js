import { constants } from "node:buffer";
import { lstatSync, unlinkSync } from "node:fs";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Cache } from "./lib/cache.js";
import { serve } from "./lib/socket.js";

const MEBIBYTE = 1024 * 1024;
// A word's address has 31 bits, and in Node 20 a buffer ends at 4 GiB.
const MOST = Math.min(8192, Math.floor(constants.MAX_LENGTH / MEBIBYTE));
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

/** An option's whole number, from 1 to `most`. Another ends the program. */
function numberOf(name, most) {
  const number = /^\d+$/.test(values[name]) ? Number(values[name]) : 0;
  if (number >= 1 && number <= most) return number;
  console.error(`--${name} takes a whole number from 1 to ${most}`);
  process.exit(1);
}

/** Removes the socket that an earlier run has left here. */
function makeWay(path) {
  const left = lstatSync(path, { throwIfNoEntry: false });
  if (left?.isSocket()) unlinkSync(path);
}

const refuse = (connection) => connection.answer("ERROR\r\n");
const cache = new Cache({
  memory: numberOf("memory", MOST) * MEBIBYTE,
  largest: numberOf("largest", MEBIBYTE),
});
if (values.error) cache.run = refuse;
setInterval(() => cache.store.tick(), 1000).unref();

const place = values.unix ?? Number(values.port);
if (values.unix !== undefined) makeWay(values.unix);
const server = createServer({ noDelay: !values.delay }, (socket) => {
  serve(socket, cache);
});
// To listen(), a path such as "3000" would be a port, on every address.
const address =
  values.unix === undefined
    ? { port: place, host: "127.0.0.1" }
    : { path: resolve(values.unix) };
server.listen(address, () => console.log(`listening on ${place}`));
