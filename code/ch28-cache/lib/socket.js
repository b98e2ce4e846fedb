import { Connection } from "./connection.js";
import { readFrom } from "./reading.js";
import { writerOf } from "./writing.js";

/** Has a cache answer what a socket asks. */
export function serve(socket, cache) {
  const { counts } = cache;
  cache.connections++;
  counts.total_connections++;
  const write = writerOf(socket, () => {
    connection.resume();
    goOn();
  });
  const connection = new Connection(cache, (text) => {
    counts.bytes_written += text.length;
    return write(text);
  });

  function goOn() {
    if (connection.isClosed) socket.pause().destroySoon();
    else if (connection.isBlocked) socket.pause();
    else if (socket.isPaused()) socket.resume();
  }

  readFrom(socket, (bytes, length) => {
    counts.bytes_read += length;
    connection.read(bytes, 0, length);
    goOn();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    connection.close();
    cache.connections--;
  });
}
