/** @type {import("./engine.js").Row[]} */
export const DIFFERENCES = [];
