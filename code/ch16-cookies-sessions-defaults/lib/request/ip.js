import { isIP } from "node:net";
import { plainAddress } from "./address.js";

/** @import { BlockList } from "node:net" */

// An address with its port: 192.0.2.1:80, or [2001:db8::1]:80.
const WITH_PORT = /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/;

const ADDRESS = Symbol("address");

/** Reads once who is at the other end: that doesn't change. */
export function addressOf(socket) {
  socket[ADDRESS] ??= plainAddress(socket.remoteAddress ?? "");
  return socket[ADDRESS];
}

/**
 * Finds who has sent a request.
 *
 * @param {string | null} address the connection's, as plainAddress writes it
 * @param {string} field X-Forwarded-For
 * @param {BlockList | null} proxies
 */
export function findIp(address, field, proxies) {
  let ip = address;
  if (proxies === null || ip === null) return ip;
  const items = field.split(",");
  while (items.length > 0 && isOneOf(proxies, ip)) {
    const item = String(items.pop()).trim();
    const [, inBrackets, dotted] = WITH_PORT.exec(item) ?? [];
    const before = plainAddress(inBrackets ?? dotted ?? item);
    // It didn't know who asked. What is left of its item can be anything.
    if (before === null) return ip;
    ip = before;
  }
  return ip;
}

function isOneOf(networks, ip) {
  return networks.check(ip, isIP(ip) === 4 ? "ipv4" : "ipv6");
}
