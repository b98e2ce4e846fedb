import * as zlib from "node:zlib";

/** @import { Transform } from "node:stream" */
/** @import { Response } from "./response.js" */

const { BROTLI_PARAM_QUALITY, Z_SYNC_FLUSH } = zlib.constants;

/** @type {Record<string, () => Transform & { flush(): void }>} */
const CODERS = {
  zstd: zlib.createZstdCompress,
  br: () =>
    zlib.createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: zlib.createGzip,
};

/** The favourite first; zstd only where Node.js has it, since 22.15. */
export const CODINGS = Object.keys(CODERS).filter((name) => CODERS[name]);

/** A stream that compresses what is written to it. */
export function startCoder(coding) {
  return CODERS[coding]();
}

/** Makes a coder give out what it has, and remember it. */
export function flushCoder(coder) {
  if (coder instanceof zlib.Gzip) coder.flush(Z_SYNC_FLUSH);
  else coder.flush();
}

const TEXT =
  /^(?:text\/|application\/(?:json|javascript|xml|wasm)\b|[^;]+\+(?:json|xml))/i;

/** Whether it is of use, and allowed. @param {Response} res */
export function isCompressible(res) {
  if ([204, 205, 206].includes(res.statusCode)) return false;
  if (res.hasHeader("content-encoding")) return false;
  const control = String(res.getHeader("cache-control") ?? "");
  if (/no-transform/i.test(control)) return false;
  return TEXT.test(String(res.getHeader("content-type") ?? ""));
}
