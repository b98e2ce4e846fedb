import net from "node:net";
import { show, UsageError } from "../errors.js";
import { checkOptions, checkTime, refuseUnknown } from "../options.js";
import { connectionsOf, untilEmpty } from "./connections.js";

/**
 * @typedef {object} ClosingOptions
 * @property {number} [deadline] milliseconds until what is left is cut
 * @property {number} [notice] how many of them the server goes on as before,
 *   and only says that it isn't ready any more
 *
 * @typedef {object} Closed
 * @property {number} finished how many connections came to their end
 * @property {number} cut how many were cut, with something under way
 */

const DEFAULTS = { deadline: 8_000, notice: 0 };

/**
 * The servers that have been told to close.
 *
 * @type {WeakMap<object, { isClosing: boolean, closed: Promise<any>,
 *   endNotice?: () => void }>}
 */
const leaving = new WeakMap();

/** @type {WeakMap<object, Set<() => void>>} */
const goodbyes = new WeakMap();

/** Whether a server was told to close. It may still take connections. */
export function isLeaving(server) {
  return leaving.has(server);
}

/** Whether each answer of a server is to be its connection's last. */
export function isClosing(server) {
  return leaving.get(server)?.isClosing === true;
}

/**
 * Has a function called when a server closes, for what has no end.
 *
 * @param {net.Server | null} server
 * @param {() => void} sayGoodbye
 * @returns {() => void} to call when it has ended
 */
export function onClosing(server, sayGoodbye) {
  if (server === null) return () => {};
  if (isClosing(server)) process.nextTick(sayGoodbye);
  const all = goodbyes.get(server) ?? new Set();
  goodbyes.set(server, all.add(sayGoodbye));
  return () => all.delete(sayGoodbye);
}

/**
 * Stops taking connections, lets those that are there come to their end,
 * and cuts what is left at the deadline.
 *
 * @param {net.Server} server one of createServer; of others the deadline cuts
 *   only connections that come after the first call, and an earlier one may
 *   keep the promise waiting for ever
 * @param {ClosingOptions} [options]
 * @returns {Promise<Closed>} the same one when it is called again, which
 *   ends a notice unless it gives one itself, and changes nothing else
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 */
export function closeGracefully(server, options = {}) {
  checkServer(server);
  checkOptions("closeGracefully", options);
  refuseUnknown(options, Object.keys(DEFAULTS));
  const settings = { ...DEFAULTS, ...options };
  checkTime("deadline", settings.deadline);
  checkNotice(settings);
  const known = leaving.get(server);
  if (known !== undefined) {
    if (settings.notice === 0) known.endNotice?.();
    return known.closed;
  }
  const state = { isClosing: false, closed: /** @type {any} */ (null) };
  leaving.set(server, state);
  state.closed = close(server, state, settings);
  return state.closed;
}

function checkServer(server) {
  if (server instanceof net.Server) return;
  const details = ["server", "a server of node:net", show(server)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

function checkNotice({ notice, deadline }) {
  if (notice !== 0) checkTime("notice", notice);
  if (notice < deadline) return;
  const details = ["notice", "less than the deadline", show(notice)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

function giveNotice(state, notice) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, notice);
    state.endNotice = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
  });
}

async function close(server, state, { deadline, notice }) {
  const sockets = connectionsOf(server);
  let cut = 0;
  const cutAll = () => {
    cut = cutRest(server, sockets);
  };
  const timer = startTimer(cutAll, deadline);
  if (notice > 0) await giveNotice(state, notice);
  state.isClosing = true;
  let count = sockets.size;
  // Another process may still hand over one that it has accepted.
  server.on("connection", () => {
    count += 1;
  });
  const closed = stopListening(server);
  for (const sayGoodbye of goodbyes.get(server) ?? []) sayGoodbye();
  await closed;
  stopClock(server);
  await untilEmpty(sockets);
  clearTimeout(timer);
  return { finished: count - cut, cut };
}

// node:http's own close() cuts idle connections, to which a request may be
// on its way, and stops the clock of those that are slow with a head.
function stopListening(server) {
  if (!server.listening) {
    const stop = () => server.close();
    server.once("listening", () => process.nextTick(stop));
  }
  return new Promise((resolve) => {
    net.Server.prototype.close.call(server, resolve);
  });
}

// With it the server would stay in memory, too.
function stopClock(server) {
  const name = "http.server.connectionsCheckingInterval";
  const symbols = Object.getOwnPropertySymbols(server);
  const clock = symbols.find(({ description }) => description === name);
  if (clock !== undefined) clearInterval(server[clock]);
}

function cutRest(server, sockets) {
  const isSending = (socket) => socket.writableLength > 0;
  const sending = [...sockets].filter(isSending);
  // What is idle, or hasn't said a word, is no loss.
  server.closeIdleConnections?.();
  const open = [...sockets].filter((socket) => !socket.destroyed);
  for (const socket of open) socket.destroy();
  const busy = open.filter(({ bytesRead }) => bytesRead !== 0);
  return new Set([...sending, ...busy]).size;
}

// A timer can't wait for ever.
function startTimer(fn, milliseconds) {
  return milliseconds === Infinity
    ? undefined
    : setTimeout(fn, milliseconds);
}
