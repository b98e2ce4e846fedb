export { RouteError } from "./lib/errors.js";
export { Router } from "./lib/router.js";
export { createServer } from "./lib/server.js";
