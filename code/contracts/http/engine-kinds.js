/**
 * In what the engine and node:http differ where chance makes the requests.
 *
 * @typedef {object} Both
 * @property {Buffer} bytes
 * @property {import("./verdict.js").Verdict} ours
 * @property {import("./verdict.js").Verdict} theirs
 *
 * @typedef {object} Kind
 * @property {string} what
 * @property {string} reason with the section of the RFC
 * @property {string} example bytes, latin1
 * @property {(both: Both) => boolean} isSo
 */

/** @type {Kind[]} */
export const KINDS = [];
