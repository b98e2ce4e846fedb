/**
 * The contract for a server in production. Each function takes what a
 * program would import, and adds tests.
 */
export { openServer, testClosing } from "./closing.js";
export { testShedding } from "./overload.js";
