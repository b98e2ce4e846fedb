import { once } from "node:events";
import { createServer } from "node:net";
import { connect } from "node:tls";

/** @import { AddressInfo } from "node:net" */

/**
 * What wrk offers too (one-cipher.cnf). The certificate is the harness' own
 * (certificate.js), and nobody has signed it.
 */
const offered = {
  host: "127.0.0.1",
  minVersion: /** @type {const} */ ("TLSv1.3"),
  ciphers: "TLS_AES_128_GCM_SHA256",
  rejectUnauthorized: false,
};

/**
 * Lets a client that knows nothing of TLS ask a server that asks for it: gives
 * it a port that hands on what comes in.
 *
 * @template T
 * @param {number} port of the server
 * @param {(plainPort: number) => Promise<T>} ask
 * @returns {Promise<T>}
 */
export async function throughTls(port, ask) {
  const relay = createServer({ allowHalfOpen: true }, (socket) => {
    const secured = connect({ ...offered, port });
    // One that breaks off ends the other, and that is what the client sees.
    socket.on("error", () => secured.destroy());
    secured.on("error", () => socket.destroy());
    socket.pipe(secured).pipe(socket);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  try {
    return await ask(/** @type {AddressInfo} */ (relay.address()).port);
  } finally {
    relay.close();
  }
}
