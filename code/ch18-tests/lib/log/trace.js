import { randomBytes } from "node:crypto";

// version, trace, parent and flags (W3C Trace Context, section 3.2)
const PARENT =
  /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** What joins this request to those that it comes of and those it makes. */
export class Trace {
  /** Whether it came with the request, or was used in answering it. */
  isUsed = false;
  #traceId = "";
  #spanId = "";
  #flags = 0;

  /** @param {unknown} [traceparent] what the client has sent */
  constructor(traceparent) {
    const parent =
      typeof traceparent === "string" ? read(traceparent) : null;
    if (parent === null) return;
    this.isUsed = true;
    this.#traceId = parent.traceId;
    this.#flags = parent.flags & SAMPLED;
  }

  get traceId() {
    this.isUsed = true;
    if (this.#traceId === "") this.#traceId = randomId(16);
    return this.#traceId;
  }

  /** The id of the work that this request is. */
  get spanId() {
    this.isUsed = true;
    if (this.#spanId === "") this.#spanId = randomId(8);
    return this.#spanId;
  }

  /** What a request that is made for this one sends as `traceparent`. */
  get traceparent() {
    return `00-${this.traceId}-${this.spanId}-0${this.#flags}`;
  }

  /** What all lines of the request have. */
  get fields() {
    if (!this.isUsed) return undefined;
    return { trace_id: this.traceId, span_id: this.spanId };
  }
}

function read(traceparent) {
  const match = PARENT.exec(traceparent);
  if (match === null) return null;
  const [, version, traceId, parentId, flags, more] = match;
  if (version === "ff") return null;
  if (version === "00" && more !== undefined) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return null;
  return { traceId, flags: Number.parseInt(flags, 16) };
}

// Many random bytes at once cost little more than a few.
const POOL = 4096;
let pool = "";
let used = 0;

function randomId(bytes) {
  if (used + bytes * 2 > pool.length) {
    pool = randomBytes(POOL).toString("hex");
    used = 0;
  }
  used += bytes * 2;
  const id = pool.slice(used - bytes * 2, used);
  return /^0+$/.test(id) ? randomId(bytes) : id;
}
