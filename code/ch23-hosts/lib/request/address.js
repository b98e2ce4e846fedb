import { BlockList, isIP } from "node:net";
import { show, UsageError } from "../errors.js";

const MAPPED = "0:0:0:0:0:ffff:";

/**
 * Writes an address in one way: one of IPv6 as RFC 5952 says, and one of
 * IPv4 that is mapped into IPv6 (RFC 4291, section 2.5.5.2) as one of IPv4.
 *
 * @param {string} address
 * @returns {string | null} null if it is none
 */
export function plainAddress(address) {
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : null;
  const groups = groupsOf(address);
  const full = groups.join(":");
  if (!full.startsWith(MAPPED)) {
    return new URL(`http://[${full}]`).hostname.slice(1, -1);
  }
  const [high, low] = groups.slice(-2).map((group) => parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/**
 * The network that an address stands for: who has one of IPv6 has, as a
 * rule, all that begin with the same 64 bits.
 */
export function networkOf(address) {
  if (isIP(address) !== 6) return address;
  return `${groupsOf(address).slice(0, 4).join(":")}::/64`;
}

// An IPv6 address's eight groups, in hexadecimal without zeros in front.
function groupsOf(address) {
  const [text] = address.split("%");
  const dotted = text.replace(/\d+\.\d+\.\d+\.\d+$/, (ipv4) => {
    const [a, b, c, d] = ipv4.split(".").map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [front, back] = dotted.split("::").map(splitGroups);
  const missing = 8 - front.length - (back?.length ?? 0);
  const groups = [...front, ...Array(missing).fill("0"), ...(back ?? [])];
  return groups.map((group) => parseInt(group, 16).toString(16));
}

function splitGroups(text) {
  return text === "" ? [] : text.split(":");
}

/**
 * @param {string[]} list addresses, and networks as `10.0.0.0/8`
 * @throws {UsageError} ERR_OPTION_INVALID
 */
export function readNetworks(option, list) {
  const networks = new BlockList();
  if (!Array.isArray(list)) refuse(option, list);
  for (const each of list) addNetwork(networks, option, each);
  return networks;
}

function addNetwork(networks, option, text) {
  const [, address = "", bits] = /^([^/]*)(?:\/(\d+))?$/.exec(text) ?? [];
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const size = Number(bits ?? most);
  if (version === 0 || size > most) refuse(option, text);
  networks.addSubnet(address, size, version === 4 ? "ipv4" : "ipv6");
}

function refuse(option, given) {
  const details = ["a list of addresses and networks", show(given)];
  throw new UsageError("ERR_OPTION_INVALID", option, ...details);
}
