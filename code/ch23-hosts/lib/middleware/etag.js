import { etagOf } from "../response/etag.js";
import { setType } from "../response/send.js";
import { isStream, serialize } from "../response/serialize.js";
import { isThenable } from "./chain.js";

/** @import { Middleware } from "./chain.js" */

/**
 * Gives an answer that is returned whole an entity tag, so that a client
 * which has it is told so. Streams are left alone.
 *
 * @returns {Middleware}
 */
export function etag() {
  return (_req, res, next) => {
    const inside = next();
    return isThenable(inside)
      ? inside.then((value) => withTag(res, value))
      : withTag(res, inside);
  };
}

function withTag(res, value) {
  if (value === undefined || value === res) return value;
  const { type, body } = serialize(value);
  setType(res, type);
  if (!isStream(body) && !res.hasHeader("etag")) {
    res.setHeader("etag", etagOf(body));
  }
  return body;
}
