import { isIP } from "node:net";
import { plainAddress } from "./address.js";

/** @import { BlockList } from "node:net" */

// An address with its port: 192.0.2.1:80, or [2001:db8::1]:80.
const WITH_PORT = /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/;

/**
 * Finds who has sent a request. Each proxy adds, at the right, whom it got
 * the request from. So the field is read from the right, as far as those
 * who wrote it are ours.
 *
 * @param {string | undefined} remoteAddress the socket's
 * @param {string} field X-Forwarded-For
 * @param {BlockList | null} proxies
 */
export function findIp(remoteAddress, field, proxies) {
  let ip = plainAddress(remoteAddress ?? "");
  if (proxies === null || ip === null) return ip;
  const items = field.split(",");
  while (items.length > 0 && isOneOf(proxies, ip)) {
    const item = String(items.pop()).trim();
    const [, inBrackets, dotted] = WITH_PORT.exec(item) ?? [];
    const address = plainAddress(inBrackets ?? dotted ?? item);
    // This proxy didn't know. What is left of its item can be anything.
    if (address === null) return ip;
    ip = address;
  }
  return ip;
}

function isOneOf(networks, ip) {
  return networks.check(ip, isIP(ip) === 4 ? "ipv4" : "ipv6");
}
