import { etagOf } from "../response/etag.js";
import { setType } from "../response/send.js";
import { isStream, serialize } from "../response/serialize.js";
import { isThenable } from "./chain.js";

/** @import { Middleware } from "./chain.js" */

/**
 * Gives what a GET returns whole, with the status 200, an entity tag, so
 * that a client which has it is told so. Streams are left alone.
 *
 * @returns {Middleware}
 */
export function etag() {
  return (req, res, next) => {
    const inside = next();
    if (req.method !== "GET" && req.method !== "HEAD") return inside;
    return isThenable(inside)
      ? inside.then((value) => withTag(res, value))
      : withTag(res, inside);
  };
}

function withTag(res, value) {
  if (value === undefined || value === res) return value;
  if (res.statusCode !== 200) return value;
  const { type, body } = serialize(value);
  setType(res, type);
  if (!isStream(body) && !res.hasHeader("etag")) {
    res.setHeader("etag", etagOf(body));
  }
  return body;
}
