/**
 * The contract for a server in production. Each function takes what a
 * program would import, and adds tests.
 */
export { testShedding } from "./overload.js";
