/**
 * The client that stands in C's place: 50 connections, one request under way
 * on each.
 *
 *     node benchmarks/experiments/cache-client.js PORT[,PORT] set|get SECONDS [--delay]
 *
 * With several ports there are 50 connections to each, and still 50 requests
 * under way: each asks for a hundred keys in turn, at the port that the key's
 * hash names. Tells how many were answered, and how long the client was busy.
 */
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { crc32 } from "node:zlib";
import { report } from "./cache-report.js";

/** @import { Socket } from "node:net" */

const [portList, what, seconds, delay] = process.argv.slice(2);
const ports = portList.split(",").map(Number);
const CONNECTIONS = 50;
const KEYS = ports.length === 1 ? 1 : 100;
const ending = what === "set" ? "\r\n" : "END\r\n";
const keys = Array.from({ length: KEYS }, (_, n) => `key:${String(n + 1).padStart(8, "0")}`);
const setOf = (/** @type {string} */ key) => `set ${key} 0 0 3\r\nabc\r\n`;
const textOf = (/** @type {string} */ key) => (what === "set" ? setOf(key) : `get ${key}\r\n`);

let answered = 0;
const noDelay = delay === undefined;

async function open() {
  const sockets = ports.map((port) => connect({ port, host: "127.0.0.1", noDelay }));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return sockets;
}

/** @param {Socket[]} sockets @param {string} key */
const placeOf = (sockets, key) =>
  sockets.length === 1 ? sockets[0] : sockets[crc32(key) % sockets.length];

const all = await Promise.all(Array.from({ length: CONNECTIONS }, open));
for (const key of keys) {
  const socket = placeOf(all[0], key);
  socket.write(setOf(key));
  await once(socket, "data");
}
for (const [number, sockets] of all.entries()) {
  let rest = "";
  let turn = number % KEYS;
  const next = () => {
    const key = keys[turn];
    turn = (turn + 1) % KEYS;
    placeOf(sockets, key).write(textOf(key));
  };
  for (const socket of sockets) {
    socket.on("data", (bytes) => {
      rest += bytes.toString("latin1");
      if (!rest.endsWith(ending) && !rest.startsWith("ERROR")) return;
      rest = "";
      answered++;
      next();
    });
  }
  next();
}
report(() => answered, Number(seconds));
