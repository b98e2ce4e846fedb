import { extname } from "node:path";

const TEXT = "; charset=utf-8";

const TYPES = new Map([
  [".html", `text/html${TEXT}`],
  [".css", `text/css${TEXT}`],
  [".js", `text/javascript${TEXT}`],
  [".mjs", `text/javascript${TEXT}`],
  [".txt", `text/plain${TEXT}`],
  [".xml", `application/xml${TEXT}`],
  [".json", "application/json"],
  [".wasm", "application/wasm"],
  [".pdf", "application/pdf"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".webp", "image/webp"],
  [".ico", "image/x-icon"],
  [".mp4", "video/mp4"],
  [".woff2", "font/woff2"],
]);

/** The media type of a file, by the end of its name. */
export function typeOf(name) {
  const end = extname(name).toLowerCase();
  return TYPES.get(end) ?? "application/octet-stream";
}
