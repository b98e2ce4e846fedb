// An import of node:http would load what its getters need, too.
const http = process.getBuiltinModule("node:http");

export const { IncomingMessage, METHODS, ServerResponse, STATUS_CODES } =
  http;
export const { validateHeaderName, validateHeaderValue } = http;
export const createHttpServer = http.createServer;
export const sendRequest = http.request;

export function createHttpsServer(options) {
  return process.getBuiltinModule("node:https").createServer(options);
}
