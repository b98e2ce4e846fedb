export { count } from "./counts.js";
export { supervise } from "./supervisor.js";
