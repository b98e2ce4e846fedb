import { createHash } from "node:crypto";

/** Which of the ports a key belongs to: the one whose number is largest. */
export function serverOf(key, ports) {
  const numbers = ports.map((port) => {
    const digest = createHash("sha1").update(`${port} ${key}`).digest();
    return digest.readUInt32BE(0);
  });
  return numbers.indexOf(Math.max(...numbers));
}
