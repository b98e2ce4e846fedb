/** @import { Response } from "./response.js" */

const NEWEST = Symbol("newest answer");

/** @param {any} connection @param {Response} res */
export function setNewestAnswer(connection, res) {
  connection[NEWEST] = res;
}

/** @param {any} connection @returns {Response | undefined} */
export function newestAnswer(connection) {
  return connection[NEWEST];
}

/** @param {any} connection @param {Response} res */
export function forgetAnswer(connection, res) {
  if (connection[NEWEST] === res) connection[NEWEST] = undefined;
}
