// From 26 on a write gives its error, or an object if it has to wait. In
// older versions a call without such an object ends the process.
const MAJOR = Number(process.versions.node.split(".")[0]);

/**
 * Gives a function that writes a text of bytes, and says whether more may
 * come. If not, `onDrain` is called when it may.
 */
export function writerOf(socket, onDrain) {
  const handle = socket._handle;
  if (MAJOR < 26 || typeof handle?.writeLatin1String !== "function") {
    socket.on("drain", onDrain);
    return (text) => socket.write(text, "latin1");
  }
  return (text) => {
    if (socket.destroyed) return false;
    const result = handle.writeLatin1String(null, text);
    if (result === 0) return true;
    if (typeof result === "number") {
      socket.destroy();
      return false;
    }
    result.oncomplete = () => {
      if (!socket.destroyed) onDrain();
    };
    return false;
  };
}
