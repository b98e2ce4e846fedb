import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";

EventEmitter.defaultMaxListeners = Infinity;

function hash(text) {
  return createHash("sha512").update(text).digest("hex");
}

/** Gives an answer the tag of the last one for the same URL. */
export function tags() {
  const known = new Map();
  const attached = new WeakSet();

  function attach(server) {
    if (attached.has(attach)) return;
    attached.add(server);
    server.on("answered", (url, value) => {
      known.set(hash(url), hash(JSON.stringify(value)));
    });
  }

  return (server, url, res) => {
    attach(server);
    const tag = known.get(hash(url));
    if (tag !== undefined) res.setHeader("etag", tag);
    res.setHeader("cache-control", "public, max-age=120");
  };
}
