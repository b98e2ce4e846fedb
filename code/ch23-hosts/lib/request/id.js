import { randomBytes } from "node:crypto";

const SAFE = /^[\w-]{1,64}$/;

// Different in each process, so that ids don't meet.
const start = randomBytes(6).toString("base64url");
let count = 0;

/** Makes an id for a request. It can be guessed: it is no secret. */
export function makeId() {
  count += 1;
  return `${start}-${count.toString(36)}`;
}

/** @param {unknown} id what a client sent @returns {id is string} */
export function isSafeId(id) {
  return typeof id === "string" && SAFE.test(id);
}
