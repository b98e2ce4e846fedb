export { UsageError } from "./lib/errors.js";
export { Router } from "./lib/router/router.js";
export { createServer } from "./lib/server.js";
