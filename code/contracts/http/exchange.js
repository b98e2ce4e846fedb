import { RawClient } from "./raw-client.js";
import { ResponseReader } from "./response-reader.js";

/**
 * Sends bytes, and reads what comes back until the server has closed, or
 * until so many responses are there: for a test that wants to look at them.
 *
 * @param {{ port: number, host?: string }} address
 * @param {string | Uint8Array} bytes a string is one byte per character
 * @param {object} [options]
 * @param {number} [options.responses] go when so many have come
 * @param {(index: number) => boolean} [options.answersHead]
 * @returns {Promise<{
 *   responses: import("./response-reader.js").Response[],
 *   ending: "open" | "closed" | "reset",
 * }>}
 * @throws {import("./response-reader.js").ResponseError} for what is no
 *   response
 */
export async function exchange(address, bytes, options = {}) {
  const { responses = 100, answersHead } = options;
  const client = await RawClient.connect(address);
  const reader = new ResponseReader(answersHead);
  await new Promise((resolve) => {
    client.onBytes((chunk) => {
      reader.push(chunk);
      if (reader.error || reader.responses.length >= responses) {
        resolve(undefined);
      }
    });
    client.onEnd(() => {
      reader.end();
      resolve(undefined);
    });
    client.write(bytes);
  });
  client.destroy();
  if (reader.error) throw reader.error;
  return { responses: reader.responses, ending: client.ending };
}
