import { extname } from "node:path";

const TEXT = "; charset=utf-8";

const TYPES = new Map([
  [".html", `text/html${TEXT}`],
  [".css", `text/css${TEXT}`],
  [".js", `text/javascript${TEXT}`],
  [".mjs", `text/javascript${TEXT}`],
  [".txt", `text/plain${TEXT}`],
  [".md", `text/markdown${TEXT}`],
  [".csv", `text/csv${TEXT}`],
  [".vtt", `text/vtt${TEXT}`],
  [".xml", `application/xml${TEXT}`],
  [".json", "application/json"],
  [".map", "application/json"],
  [".webmanifest", "application/manifest+json"],
  [".wasm", "application/wasm"],
  [".pdf", "application/pdf"],
  [".zip", "application/zip"],
  [".gz", "application/gzip"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
  [".avif", "image/avif"],
  [".ico", "image/x-icon"],
  [".mp3", "audio/mpeg"],
  [".ogg", "audio/ogg"],
  [".mp4", "video/mp4"],
  [".webm", "video/webm"],
  [".woff", "font/woff"],
  [".woff2", "font/woff2"],
]);

/** The media type of a file, by the end of its name. */
export function typeOf(name) {
  const end = extname(name).toLowerCase();
  return TYPES.get(end) ?? "application/octet-stream";
}
