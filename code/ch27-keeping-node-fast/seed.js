import { createHash, randomBytes } from "node:crypto";

const MINUTE = 60_000;
const seed = randomBytes(5000).toString("hex");

/** Another one for another content. */
export const version = createHash("sha256")
  .update(seed)
  .digest("base64url")
  .slice(0, 12);

/** The content of a URL, or undefined if there is none. */
export async function fetchContent(url) {
  return url === "/seed/v1" ? seed : undefined;
}

/** When this minute has begun, in milliseconds since 1970. */
export function timestamp() {
  return Math.floor(Date.now() / MINUTE) * MINUTE;
}
