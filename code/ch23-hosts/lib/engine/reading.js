// One buffer for all sockets: what is read is looked at before the next
// read comes.
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Has a connection read what comes from its socket.
 *
 * @param {any} socket
 * @param {{ listeners: { [name: string]: (...args: any[]) => void },
 *   read: (bytes: Buffer, start: number, end: number) => void }}
 *   connection
 */
export function readFrom(socket, connection) {
  const places = placesOf(socket);
  if (places === null) {
    const read = (chunk) => connection.read(chunk, 0, chunk.length);
    connection.listeners.data = read;
    socket.on("data", read);
    return;
  }
  // As net.connect does with its option `onread`; servers have none.
  socket[places.buffer] = shared;
  socket[places.callback] = (length) => {
    connection.read(shared, 0, length);
    return true;
  };
  socket._handle.useUserBuffer(shared);
  socket.resume();
}

/** Gives the bytes to the socket's own readers, when there are some. */
export function readPlainly(socket) {
  socket.pause();
  socket.readableFlowing = null;
  const places = placesOf(socket);
  if (places === null || socket[places.buffer] === null) return;
  socket[places.callback] = (length) => {
    return socket.push(Buffer.from(shared.subarray(0, length)));
  };
}

// Not documented. Where Node has it otherwise, `data` events are used.
function placesOf(socket) {
  if (typeof socket._handle?.useUserBuffer !== "function") return null;
  if (socket.encrypted) return null;
  const symbols = Object.getOwnPropertySymbols(socket);
  const find = (name) => symbols.find((one) => one.description === name);
  const buffer = find("kBuffer");
  const callback = find("kBufferCb");
  if (buffer === undefined || callback === undefined) return null;
  return { buffer, callback };
}
