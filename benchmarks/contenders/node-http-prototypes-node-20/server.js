import "../node-http-prototypes/server.js";
