export { testGuards } from "./guards.js";
export { testInvalid, testMounts, testNames } from "./mounts.js";
export { testOnion } from "./onion.js";
export { testOwn } from "./own.js";
export { testSignal } from "./signal.js";
