// bare node:http, and one thing that Express does for every request besides.
import { IncomingMessage, ServerResponse } from "node:http";
import { server } from "../node-http/server.js";

const request = Object.create(IncomingMessage.prototype);
const response = Object.create(ServerResponse.prototype);

server.prependListener("request", (req, res) => {
  Object.setPrototypeOf(req, request);
  Object.setPrototypeOf(res, response);
});
