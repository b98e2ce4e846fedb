import { once } from "node:events";

/** Waits until the server has done all that came before. */
async function settle(socket) {
  socket.write("version\r\n");
  await once(socket, "data");
}

/** Ways to send requests whose answers nobody reads. */
export const ways = {
  /** As in 2013: without the word, the next when something comes back. */
  ignored(socket, text, takeOne) {
    const loud = text.replace(" noreply", "");
    return new Promise((resolve) => {
      function next() {
        if (takeOne()) socket.write(loud);
        else resolve(null);
      }
      socket.on("data", next);
      next();
    });
  },

  /** With the word, and a question behind it. */
  async answered(socket, text, takeOne) {
    while (takeOne()) {
      socket.write(text);
      await settle(socket);
    }
  },

  /** The next one when the last has been written. */
  async written(socket, text, takeOne) {
    while (takeOne()) {
      await new Promise((resolve) => socket.write(text, resolve));
    }
    await settle(socket);
  },

  /** The next one at once, until the socket says stop. */
  async "at-once"(socket, text, takeOne) {
    while (takeOne()) {
      if (!socket.write(text)) await once(socket, "drain");
    }
    await settle(socket);
  },

  /** Fifty in one write. */
  async joined(socket, text, takeOne) {
    let batch = "";
    for (let count = 0; takeOne(); ) {
      batch += text;
      if (++count % 50 !== 0) continue;
      if (!socket.write(batch)) await once(socket, "drain");
      batch = "";
    }
    socket.write(batch);
    await settle(socket);
  },
};
