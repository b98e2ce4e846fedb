import { encodeMessage } from "./frame.js";

/** @import { ServerSocket } from "./socket.js" */

/** Sockets by the names of the rooms that they are in. */
export class Rooms {
  /** @type {Map<string, Set<ServerSocket>>} */
  #rooms = new Map();
  /** @type {WeakMap<ServerSocket, Set<string>>} */
  #names = new WeakMap();

  /**
   * Lets a socket in. It leaves when it closes.
   *
   * @param {string} name @param {ServerSocket} socket
   */
  join(name, socket) {
    if (!socket.isOpen) return;
    this.#namesOf(socket).add(name);
    const members = this.#rooms.get(name) ?? new Set();
    this.#rooms.set(name, members.add(socket));
  }

  // One listener for each socket, in however many rooms it is.
  #namesOf(socket) {
    const known = this.#names.get(socket);
    if (known !== undefined) return known;
    const names = new Set();
    this.#names.set(socket, names);
    socket.once("close", () => {
      for (const name of names) this.leave(name, socket);
    });
    return names;
  }

  /** @param {string} name @param {ServerSocket} socket */
  leave(name, socket) {
    this.#names.get(socket)?.delete(name);
    const members = this.#rooms.get(name);
    if (members?.delete(socket) && members.size === 0) {
      this.#rooms.delete(name);
    }
  }

  /** How many are in a room. @param {string} name */
  size(name) {
    return this.#rooms.get(name)?.size ?? 0;
  }

  /**
   * Sends a message to all in a room. It is encoded once.
   *
   * @param {string} name
   * @param {string | Uint8Array} data
   * @param {ServerSocket} [except] who said it
   */
  send(name, data, except) {
    const frame = encodeMessage(data);
    for (const socket of this.#rooms.get(name) ?? []) {
      if (socket !== except) socket.sendFrame(frame);
    }
  }

  /**
   * Closes all sockets in a room.
   *
   * @param {string} name @param {number} [code] @param {string} [reason]
   */
  close(name, code, reason) {
    const members = this.#rooms.get(name) ?? [];
    for (const socket of members) socket.close(code, reason);
  }
}
