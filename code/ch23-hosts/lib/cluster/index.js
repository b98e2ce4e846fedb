export { supervise } from "./supervisor.js";
