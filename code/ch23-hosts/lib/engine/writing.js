import { getSystemErrorName } from "node:util";

// Whether Node passes null for an object of its own, and gives 0 for what
// the kernel takes at once: undefined until we have seen it.
/** @type {boolean | undefined} */
let takesNull;

/**
 * Writes text whose characters are bytes: past the socket's stream, if that
 * has nothing to do.
 *
 * @param {any} socket
 * @param {string} text
 * @param {() => void} onGone is called when what had to wait has gone
 * @returns {boolean} whether there is room for more
 */
export function writeText(socket, text, onGone) {
  if (takesNull !== true || needsStream(socket)) {
    const canWatch = takesNull === undefined && !needsStream(socket);
    if (canWatch) watch(socket._handle);
    return socket.write(text, "latin1");
  }
  const rest = socket._handle.writeLatin1String(null, text);
  if (rest === 0) return true;
  // The stream meets the same error, and tells it.
  if (typeof rest === "number") return socket.write(text, "latin1");
  rest.oncomplete = (status) => {
    if (status < 0) socket.destroy(errorOf(status));
  };
  // An empty text after what waits: then the stream knows of it.
  socket.write("", "latin1", onGone);
  return false;
}

function needsStream(socket) {
  return (
    !socket._handle ||
    socket.encrypted ||
    socket.writableLength > 0 ||
    socket.writableEnded ||
    // Each write sets back its clock.
    socket.timeout > 0
  );
}

// Looks on while the stream writes.
function watch(handle) {
  if (typeof handle.writeLatin1String !== "function") return;
  handle.writeLatin1String = (request, text) => {
    delete handle.writeLatin1String;
    const rest = handle.writeLatin1String(request, text);
    takesNull = request === null && (rest === 0 || rest instanceof Object);
    return rest;
  };
}

function errorOf(errno) {
  const code = getSystemErrorName(errno);
  const details = { code, errno, syscall: "write" };
  return Object.assign(new Error(`write ${code}`), details);
}
