import { extname } from "node:path";

const UTF_8 = "; charset=utf-8";

const TYPES = new Map([
  [".html", `text/html${UTF_8}`],
  [".css", `text/css${UTF_8}`],
  [".js", `text/javascript${UTF_8}`],
  [".mjs", `text/javascript${UTF_8}`],
  [".txt", `text/plain${UTF_8}`],
  [".md", `text/markdown${UTF_8}`],
  [".csv", `text/csv${UTF_8}`],
  [".vtt", `text/vtt${UTF_8}`],
  [".xml", `application/xml${UTF_8}`],
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
