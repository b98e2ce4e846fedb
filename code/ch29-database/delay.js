import net from "node:net";
import { fileURLToPath } from "node:url";

function passOn(from, to, milliseconds) {
  const later = (action) => setTimeout(action, milliseconds);
  from.on("data", (chunk) => later(() => to.write(chunk)));
  from.on("end", () => later(() => to.end()));
  from.on("error", () => to.destroy());
  from.setNoDelay();
}

/**
 * Makes a server that passes each connection on to a port of this machine,
 * and holds every byte for a while, both ways.
 *
 * @param {number} port
 * @param {number} milliseconds
 */
export function delayed(port, milliseconds) {
  const allowHalfOpen = true;
  return net.createServer({ allowHalfOpen }, (client) => {
    const server = net.connect({ port, host: "127.0.0.1", allowHalfOpen });
    passOn(client, server, milliseconds);
    passOn(server, client, milliseconds);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [own, other, milliseconds] = process.argv.slice(2).map(Number);
  delayed(other, milliseconds).listen(own, "127.0.0.1", () => {
    console.log(`listening, ${milliseconds} ms each way`);
  });
}
