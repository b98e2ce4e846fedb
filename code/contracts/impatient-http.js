/**
 * Loaded before a program (`node --import`), this makes each server of
 * node:http impatient: a test can't wait the minute that it gives a client.
 */
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";

/** In milliseconds. */
const IMPATIENT = {
  headersTimeout: 300,
  requestTimeout: 300,
  connectionsCheckingInterval: 50,
};

/** @type {{ createServer: (...args: any[]) => http.Server }} */
const changeable = http;
const { createServer } = changeable;

changeable.createServer = (options, listener) =>
  typeof options === "function"
    ? createServer(IMPATIENT, options)
    : createServer({ ...options, ...IMPATIENT }, listener);
syncBuiltinESMExports();
