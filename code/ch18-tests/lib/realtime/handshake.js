import { createHash } from "node:crypto";
import { HttpError } from "../errors.js";

// RFC 6455, section 1.3.
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

// 16 bytes in base64.
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/**
 * Reads a client's half of the handshake, and gives the fields of ours
 * (RFC 6455, section 4.2).
 *
 * @throws {HttpError} 400, 403, 426
 */
export function answerHandshake(req, { origins, protocols }) {
  const { headers, handover } = req;
  if (handover === null) throw upgradeRequired("this is a WebSocket");
  if (headers["sec-websocket-version"] !== "13") {
    throw upgradeRequired("the version of WebSocket must be 13");
  }
  const key = headers["sec-websocket-key"] ?? "";
  if (!KEY.test(key)) {
    throw new HttpError(400, "Sec-WebSocket-Key must be 16 bytes");
  }
  if (!mayConnect(headers, origins)) {
    throw new HttpError(403, "no page of this origin may connect");
  }
  const fields = {
    upgrade: "websocket",
    connection: "Upgrade",
    "sec-websocket-accept": acceptOf(key),
  };
  const protocol = protocolOf(headers["sec-websocket-protocol"], protocols);
  if (protocol === "") return fields;
  return { ...fields, "sec-websocket-protocol": protocol };
}

function acceptOf(key) {
  return createHash("sha1").update(`${key}${GUID}`).digest("base64");
}

function upgradeRequired(detail) {
  const headers = {
    connection: "close, Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
  };
  return new HttpError(426, detail, { headers });
}

// A browser tells the origin of the page. Other programs tell none.
function mayConnect(headers, origins) {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (origins !== null) return origins.has(origin);
  if (!/^https?:\/\//.test(origin)) return false;
  // The scheme tells which port may be left out.
  const [scheme] = origin.split("//");
  return originOf(origin) === originOf(`${scheme}//${host}`);
}

function originOf(address) {
  return URL.canParse(address) ? new URL(address).origin : address;
}

// Of those that the client offers, the first that we have.
function protocolOf(offered = "", protocols) {
  const offers = offered.split(",").map((offer) => offer.trim());
  return offers.find((offer) => protocols.includes(offer)) ?? "";
}
