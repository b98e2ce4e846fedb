/**
 * What a client's handshake is answered with: `[name, fields, expected,
 * method]`. A field that is null is left out. The server's own origin is
 * that of the Host field.
 *
 * @typedef {object} Handshake
 * @property {number} statusCode
 * @property {Record<string, string | null>} [fields] `null`: not there
 *
 * @typedef {[name: string, fields: Record<string, string | null>,
 *   expected: Handshake, path?: string, method?: string]} HandshakeCase
 */

/** @type {Handshake} */
const ACCEPTED = {
  statusCode: 101,
  fields: {
    upgrade: "websocket",
    connection: "Upgrade",
    // RFC 6455, section 1.3.
    "sec-websocket-accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    "sec-websocket-protocol": null,
    "sec-websocket-extensions": null,
    "content-length": null,
    "content-type": null,
    "transfer-encoding": null,
  },
};

/** @type {Handshake} */
const UPGRADE_REQUIRED = {
  statusCode: 426,
  fields: {
    upgrade: "websocket",
    "sec-websocket-version": "13",
    connection: "close, Upgrade",
  },
};

/** @param {string | null} protocol @returns {Handshake} */
const speaking = (protocol) => ({
  statusCode: 101,
  fields: { "sec-websocket-protocol": protocol },
});

/** @param {string} origin @param {string} [host] */
const from = (origin, host = "shop.example") => ({ origin, host });

/** @type {HandshakeCase[]} */
export const HANDSHAKE_CASES = [
  // RFC 6455, sections 4.2.1 and 4.2.2.
  ["a good one", {}, ACCEPTED],
  [
    "a Connection field with other options",
    { connection: "keep-alive, Upgrade" },
    ACCEPTED,
  ],
  [
    "names in capitals",
    { connection: "UPGRADE", upgrade: "WebSocket" },
    ACCEPTED,
  ],
  [
    "several protocols to change to",
    { upgrade: "h2c, websocket" },
    ACCEPTED,
  ],
  // RFC 6455, section 9.1.
  [
    "an extension that nobody speaks",
    { "sec-websocket-extensions": "permessage-deflate" },
    ACCEPTED,
  ],
  ["a query", {}, ACCEPTED, "/echo?a=1"],
  // RFC 6455, sections 4.2.1 and 4.4, and RFC 9110, section 15.5.22.
  ["no Upgrade", { upgrade: null, connection: null }, UPGRADE_REQUIRED],
  [
    "an Upgrade that Connection doesn't name",
    { connection: "keep-alive" },
    UPGRADE_REQUIRED,
  ],
  ["another protocol", { upgrade: "h2c" }, UPGRADE_REQUIRED],
  [
    "a version that was before",
    { "sec-websocket-version": "8" },
    UPGRADE_REQUIRED,
  ],
  ["no version", { "sec-websocket-version": null }, UPGRADE_REQUIRED],
  // RFC 6455, section 4.2.1: a key of 16 bytes.
  ["no key", { "sec-websocket-key": null }, { statusCode: 400 }],
  [
    "a key of 15 bytes",
    { "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAA" },
    { statusCode: 400 },
  ],
  [
    "a key of 17 bytes",
    { "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAAA=" },
    { statusCode: 400 },
  ],
  [
    "a key that isn't base64",
    { "sec-websocket-key": "AAAAAAAAAAAAAAAAAAA*AA==" },
    { statusCode: 400 },
  ],
  // RFC 6455, section 4.2.1: a GET, and an answer as HTTP has it.
  ["a POST", {}, { statusCode: 405 }, "/echo", "POST"],
  ["no such path", {}, { statusCode: 404 }, "/nothing"],
  ["a path that is no path", {}, { statusCode: 400 }, "/%zz"],
  ["two hosts", { host: "a, b" }, { statusCode: 400 }],
  [
    "a route that is no WebSocket",
    {},
    { statusCode: 200, fields: { connection: "close" } },
    "/hello",
  ],
  [
    "a guard that refuses",
    {},
    { statusCode: 401, fields: { connection: "close" } },
    "/guarded/echo",
  ],
  [
    "a guard that sets a field",
    {},
    { statusCode: 101, fields: { "x-guard": "passed" } },
    "/marked/echo",
  ],

  // RFC 6455, section 10.2, and RFC 6454, sections 5 and 7.
  [
    "the server's own origin",
    from("http://shop.example"),
    { statusCode: 101 },
  ],
  [
    "its own, behind a proxy with TLS",
    from("https://shop.example"),
    { statusCode: 101 },
  ],
  [
    "its own, with a port",
    from("http://shop.example:8080", "shop.example:8080"),
    { statusCode: 101 },
  ],
  [
    "its own, with the usual port",
    from("http://shop.example", "shop.example:80"),
    { statusCode: 101 },
  ],
  [
    "its own, in capitals",
    from("http://shop.example", "SHOP.example"),
    { statusCode: 101 },
  ],
  ["another origin", from("http://evil.example"), { statusCode: 403 }],
  ["another port", from("http://shop.example:8080"), { statusCode: 403 }],
  [
    "a name that ends alike",
    from("http://evil-shop.example"),
    { statusCode: 403 },
  ],
  [
    "a name that begins alike",
    from("http://shop.example.evil.example"),
    { statusCode: 403 },
  ],
  [
    "a user that looks like the host",
    from("http://shop.example@evil.example"),
    { statusCode: 403 },
  ],
  [
    "an address for a name",
    from("http://127.0.0.1", "shop.example"),
    { statusCode: 403 },
  ],
  ["no origin that could be named", from("null"), { statusCode: 403 }],
  ["a file", from("file://shop.example"), { statusCode: 403 }],
  [
    "two origins",
    from("http://shop.example, http://evil.example"),
    { statusCode: 403 },
  ],
  ["an empty origin", from(""), { statusCode: 403 }],

  [
    "an origin that is named",
    from("https://app.example"),
    { statusCode: 101 },
    "/named",
  ],
  [
    "its own, when others are named",
    from("http://shop.example"),
    { statusCode: 403 },
    "/named",
  ],
  [
    "a named host by another scheme",
    from("http://app.example"),
    { statusCode: 403 },
    "/named",
  ],

  // RFC 6455, section 4.2.2: a server chooses one, or none.
  [
    "a subprotocol that it speaks",
    { "sec-websocket-protocol": "a, chat" },
    speaking("chat"),
    "/speaks",
  ],
  [
    "two, the client's favourite first",
    { "sec-websocket-protocol": "news,chat" },
    speaking("news"),
    "/speaks",
  ],
  [
    "none that it speaks",
    { "sec-websocket-protocol": "a, b" },
    speaking(null),
    "/speaks",
  ],
  ["none that it was offered", {}, speaking(null), "/speaks"],
  [
    "one that it doesn't speak",
    { "sec-websocket-protocol": "chat" },
    speaking(null),
  ],
];
