import { checkLimit, checkOptions, refuseUnknown } from "../options.js";
import {
  CODINGS,
  flushCoder,
  isCompressible,
  startCoder,
} from "../response/coders.js";
import { preferredCoding } from "../response/coding.js";
import { setFields } from "../response/response.js";

/** @import { Response } from "../response/response.js" */
/** @import { Middleware } from "./chain.js" */

/**
 * Makes middleware that compresses answers, whoever sends them and however.
 *
 * @param {{ minBytes?: number }} [options] shorter answers stay as they
 *   are, 1,024 bytes unless set
 * @returns {Middleware}
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 */
export function compress(options = {}) {
  checkOptions("compress", options);
  refuseUnknown(options, ["minBytes"]);
  const { minBytes = 1024 } = options;
  checkLimit("minBytes", minBytes);
  return (_req, res, next) => {
    new Compression(res, minBytes);
    return next();
  };
}

// Stands between an answer and the methods that send it.
class Compression {
  #res;
  #minBytes;
  #plain;
  #isDecided = false;
  /** @type {string | null} the coding that waits for the head */
  #coding = null;
  /** @type {any} the stream that compresses, where one does */
  #coder = null;
  #willFlush = false;

  /** @param {Response} res */
  constructor(res, minBytes) {
    const { writeHead, write, end } = res;
    this.#res = res;
    this.#minBytes = minBytes;
    this.#plain = { writeHead, write, end };
    res.end = this.#end.bind(this);
    res.writeHead = this.#writeHead.bind(this);
    res.write = this.#write.bind(this);
  }

  #write(...args) {
    this.#begin(Infinity);
    if (this.#coder !== null) this.#flushSoon();
    return this.#pass("write", args);
  }

  #writeHead(statusCode, reason, fields) {
    const res = this.#res;
    const hasReason = typeof reason === "string";
    res.statusCode = statusCode;
    setFields(res, hasReason ? fields : (fields ?? reason));
    this.#decide(Infinity);
    const message = hasReason ? reason : undefined;
    this.#sendHead(statusCode, message);
    return res;
  }

  #end(...args) {
    const [chunk] = args;
    const isText = typeof chunk === "string";
    const hasChunk = isText || chunk instanceof Uint8Array;
    this.#begin(hasChunk ? Buffer.byteLength(chunk) : 0);
    const isFirst = this.#coder?.writableEnded === false;
    if (isFirst && typeof args.at(-1) === "function") {
      this.#res.once("finish", args.pop());
    }
    this.#pass("end", args);
    if (this.#coder !== null) {
      const property = { value: true, configurable: true };
      Object.defineProperty(this.#res, "writableEnded", property);
    }
    return this.#res;
  }

  // What is compressed goes to the coder, and all else to the response.
  #pass(name, args) {
    const coder = this.#coder;
    if (coder === null || coder.readableEnded) {
      return this.#plain[name].apply(this.#res, args);
    }
    if (coder.writableEnded) {
      coder.once("end", () => this.#pass(name, args));
      return false;
    }
    return coder[name](...args);
  }

  #begin(length) {
    this.#decide(length);
    if (this.#coding !== null) this.#sendHead(this.#res.statusCode);
  }

  #sendHead(statusCode, message) {
    const coding = this.#coding;
    this.#coding = null;
    this.#plain.writeHead.call(this.#res, statusCode, message);
    if (coding !== null) this.#start(startCoder(coding));
  }

  #decide(length) {
    if (this.#isDecided) return;
    this.#isDecided = true;
    const res = this.#res;
    if (res.statusCode === 206) res.vary("accept-encoding");
    if (!this.#isWorthIt(length)) return;
    res.vary("accept-encoding");
    const field = res.req.headers["accept-encoding"];
    const coding = preferredCoding(field, CODINGS);
    if (coding === "identity") return;
    weakenTag(res);
    if (res.statusCode === 304) return;
    res.setHeader("content-encoding", coding);
    res.removeHeader("content-length");
    if (res.req.method !== "HEAD") this.#coding = coding;
  }

  // A Content-Length is better than `length`: HEAD has no chunk.
  #isWorthIt(length) {
    const res = this.#res;
    const size = Number(res.getHeader("content-length") ?? length);
    return size >= this.#minBytes && isCompressible(res);
  }

  #start(coder) {
    const res = this.#res;
    const { write, end } = this.#plain;
    const { emit } = res;
    const get = () => coder.writableNeedDrain;
    Object.defineProperty(res, "writableNeedDrain", { get });
    this.#coder = coder;
    coder.on("data", (chunk) => {
      if (!write.call(res, chunk)) coder.pause();
    });
    coder.on("end", () => end.call(res));
    coder.on("error", (err) => res.destroy(err));
    res.on("close", () => coder.destroy());
    // The coder's drain is for whoever writes.
    coder.on("drain", () => emit.call(res, "drain"));
    // The socket's is for the coder.
    const emitOther = (name, ...args) => {
      if (name !== "drain") return emit.call(res, name, ...args);
      coder.resume();
      return true;
    };
    res.emit = emitOther;
  }

  #flushSoon() {
    if (this.#willFlush) return;
    this.#willFlush = true;
    setImmediate(() => {
      this.#willFlush = false;
      flushCoder(this.#coder);
    });
  }
}

function weakenTag(res) {
  const etag = String(res.getHeader("etag") ?? "");
  if (etag.startsWith('"')) res.setHeader("etag", `W/${etag}`);
}
