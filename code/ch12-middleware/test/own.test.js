import { describe } from "node:test";
import { testOwn, testSignal } from "../../contracts/middleware/index.js";
import {
  connect,
  createServer,
  etag,
  HttpError,
  Router,
} from "../index.js";

describe("When the client has left", () => {
  testSignal({ Router, createServer, HttpError });
});

describe("Middleware from npm", () => {
  testOwn({ Router, createServer, connect, etag });
});
