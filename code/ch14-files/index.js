export { HttpError, UsageError } from "./lib/errors.js";
export { files } from "./lib/files/files.js";
export { compress } from "./lib/middleware/compress.js";
export { connect } from "./lib/middleware/connect.js";
export { etag } from "./lib/middleware/etag.js";
export { etagOf } from "./lib/response/etag.js";
export { Router } from "./lib/router/router.js";
export { createServer } from "./lib/server.js";
