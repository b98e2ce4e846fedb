import net from "node:net";
import { isPort } from "./sockets.js";

/** @typedef {import("./sockets.js").Address} Address */

// Node refuses a port that is an empty text.
function portOf(value) {
  const isBlank = typeof value === "string" && value.trim() === "";
  return isBlank ? NaN : Number(value ?? 0);
}

/**
 * What `listen` was called with, if it was a port.
 *
 * @param {any[]} args
 * @returns {Address & { backlog?: number } | null}
 */
function addressOf([first, ...more]) {
  const backlog = more.find((each) => typeof each === "number");
  if (typeof first !== "object" || first === null) {
    const port = typeof first === "function" ? 0 : portOf(first);
    const host = typeof more[0] === "string" ? more[0] : "";
    if (!isPort(port)) return null;
    return { port, host: host || undefined, backlog };
  }
  const { fd, handle, _handle, exclusive } = first;
  const other = fd ?? handle ?? _handle ?? null;
  if (other !== null || exclusive || !("port" in first)) return null;
  const ipv6Only = first.ipv6Only === true || undefined;
  const host = first.host || undefined;
  const port = portOf(first.port);
  if (!isPort(port)) return null;
  return { port, host, ipv6Only, backlog: first.backlog ?? backlog };
}

/**
 * The pipe that it was called with, unless it is this worker's own.
 *
 * @param {any[]} args
 */
function pipeOf([first]) {
  if (typeof first === "object") {
    // Node takes the port where both are given.
    const isOther = !first || first.exclusive || "port" in first;
    return isOther ? undefined : first.path;
  }
  const isPipe = typeof first === "string" && !(Number(first) >= 0);
  return isPipe ? first : undefined;
}

/**
 * Has each server of this process listen in the worker's way, also those
 * that aren't velocy's.
 *
 * @param {(server: net.Server, address: Address | null,
 *   listen: (change?: object) => void, pipe?: string) => void} decide
 *   calls `listen` with what has to be different
 */
export function takeListen(decide) {
  const { listen } = /** @type {any} */ (net.Server.prototype);
  net.Server.prototype.listen = function takenListen(...args) {
    const address = addressOf(args);
    const callback = args.findLast((each) => typeof each === "function");
    const listenAs = (change) => {
      if (change === undefined) {
        listen.apply(this, args);
        return;
      }
      const [first] = args;
      const hasOptions = typeof first === "object" && first !== null;
      const all = { ...(hasOptions ? first : address), ...change };
      listen.call(this, all, address?.backlog, callback);
    };
    decide(this, address, listenAs, pipeOf(args));
    return this;
  };
}
