import net from "node:net";

/** How long a server may take over an answer, in milliseconds. */
const PATIENCE = 5_000;

/**
 * @typedef {object} Answer
 * @property {string} text all bytes that came, one character each
 * @property {number} statusCode 0 if no head came
 * @property {string} reason
 * @property {Map<string, string[]>} fields by name in small letters
 * @property {string} body all that came behind the head
 */

/**
 * Sends one request on a connection of its own, and reads until the server
 * closes.
 *
 * @param {number} port
 * @param {string} method
 * @param {string} target
 * @param {Record<string, string>} [fields]
 * @returns {Promise<Answer>}
 */
export async function exchange(port, method, target, fields = {}) {
  const all = { Host: "x", Connection: "close", ...fields };
  const lines = Object.entries(all).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`${method} ${target} HTTP/1.1`, ...lines, "", ""].join(
    "\r\n",
  );
  return parse(await readAll(port, head));
}

/**
 * Sends bytes, and reads until the server closes.
 *
 * @param {number} port
 * @param {string} bytes
 * @returns {Promise<string>} what came, also before a reset
 */
export async function readAll(port, bytes) {
  const socket = net.connect(port, "127.0.0.1").setEncoding("latin1");
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  socket.on("error", () => {});
  socket.setTimeout(PATIENCE, () => socket.destroy());
  socket.write(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

/**
 * @param {string} text
 * @returns {Answer}
 */
function parse(text) {
  const end = text.indexOf("\r\n\r\n");
  const head = end === -1 ? text : text.slice(0, end);
  const [statusLine = "", ...lines] = head.split("\r\n");
  const fields = new Map();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  const body = end === -1 ? "" : text.slice(end + 4);
  const [, code = "0", reason = ""] =
    /^HTTP\/1\.1 (\d+) ?(.*)$/.exec(statusLine) ?? [];
  return { text, statusCode: Number(code), reason, fields, body };
}
