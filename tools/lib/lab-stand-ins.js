/**
 * What stands in a page for modules of Node.js that a milestone's files import:
 * the names that they use, and no others. tests/site/lab-files.test.js holds
 * them against Node's own.
 */

import { METHODS } from "node:http";

// What URL takes for an address, within the bounds that Node.js has.
const isIPv6 = `export function isIPv6(text) {
  const [address, zone, ...more] = String(text).split("%");
  if (zone === "" || more.length > 0) return false;
  if (!/^[\\dA-Fa-f:.]+$/.test(address)) return false;
  if (zone !== undefined && !/^[\\dA-Za-z.:\\-]+$/.test(zone)) return false;
  const dotted = address.slice(address.lastIndexOf(":") + 1);
  if (dotted.includes(".") && !/^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}$/.test(dotted)) {
    return false;
  }
  return URL.canParse("http://[" + address + "]/");
}
`;

/** @type {Record<string, { names: string[], text: string }>} */
export const standIns = {
  "node:http": {
    names: ["METHODS"],
    text: `export const METHODS = ${JSON.stringify(METHODS)};\n`,
  },
  "node:net": { names: ["isIPv6"], text: isIPv6 },
};
