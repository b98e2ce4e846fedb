import { createHash } from "node:crypto";

/**
 * Says which server a key belongs to (rendezvous hashing).
 *
 * @param {string} key
 * @param {string[]} servers
 * @returns {string}
 */
export function shardOf(key, servers) {
  let best = servers[0];
  let most = "";
  for (const server of servers) {
    const weight = weigh(`${server}\n${key}`);
    if (weight < most) continue;
    best = server;
    most = weight;
  }
  return best;
}

function weigh(text) {
  return createHash("sha1").update(text).digest("hex");
}
