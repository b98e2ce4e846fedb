// One buffer for all sockets: what was read is used before the next read.
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** Calls `onBytes` with a buffer, and how many bytes of it came. */
export function readFrom(socket, onBytes) {
  const places = placesOf(socket);
  if (places === null) {
    socket.on("data", (chunk) => onBytes(chunk, chunk.length));
    return;
  }
  // As net.connect does with its option `onread`; servers have none.
  socket[places.buffer] = shared;
  socket[places.callback] = (length) => {
    onBytes(shared, length);
    return !socket.isPaused();
  };
  socket._handle.useUserBuffer(shared);
  socket.resume();
}

// Not documented. Where Node has it otherwise, `data` events are used.
function placesOf(socket) {
  if (typeof socket._handle?.useUserBuffer !== "function") return null;
  const symbols = Object.getOwnPropertySymbols(socket);
  const find = (name) => symbols.find((one) => one.description === name);
  const buffer = find("kBuffer");
  const callback = find("kBufferCb");
  if (buffer === undefined || callback === undefined) return null;
  return { buffer, callback };
}
