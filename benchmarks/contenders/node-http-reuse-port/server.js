import "../node-http/server.js";
