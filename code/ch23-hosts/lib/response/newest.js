/** @import { Response } from "./response.js" */

/** @type {WeakMap<object, Response>} by their connections */
const newest = new WeakMap();

/** @param {object} socket @param {Response} res */
export function setNewestAnswer(socket, res) {
  newest.set(socket, res);
}

/** @param {object} socket */
export function newestAnswer(socket) {
  return newest.get(socket);
}
