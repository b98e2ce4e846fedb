/**
 * What the tables of cases are written with.
 *
 * @typedef {string | Uint8Array
 *   | { pause: number } | { answers: number }
 *   | { end: true } | { abort: true }} Step
 *
 * @typedef {object} ExpectedResponse
 * @property {number | number[]} status several where the RFC leaves it open
 * @property {Record<string, unknown>} [json] what the JSON body must have;
 *   in `fields` a value of undefined says that the field must be absent
 * @property {Record<string, string | RegExp | undefined>} [fields] what the
 *   response's own fields must be; undefined: absent
 * @property {boolean} [head] answers a HEAD request: no body comes
 * @property {boolean} [mayOmit] the RFC allows the server not to send it
 *
 * @typedef {object} Case
 * @property {string} name what a person would see
 * @property {string} section where the rule stands
 * @property {2 | 3 | 4} since the chapter whose server first passes it
 * @property {Step[]} send
 * @property {ExpectedResponse[]} expect
 * @property {Ending} connection what becomes of it
 * @property {Limits} [limits] what the server is to be started with
 *
 * @typedef {Case & { group: string }} GroupedCase
 *
 * @typedef {"open" | "closed" | "closed quietly" | "aborted"} Ending
 *   open: a further request is answered. closed: the last response says
 *   `connection: close`, and the server closes. closed quietly: it closes
 *   without having announced it. aborted: our client broke off, and the
 *   server answers the next connection.
 *
 * @typedef {Partial<Record<"requestLineBytes" | "fieldSectionBytes"
 *   | "fieldCount" | "bodyBytes" | "chunkLineBytes" | "headTimeout"
 *   | "requestTimeout" | "idleTimeout" | "sendTimeout" | "lingerTimeout"
 *   | "requestsPerConnection",
 *   number>>} Limits
 *   the names that chapter 4's createServer takes: bytes, milliseconds
 */

/** What a server's limits are if nothing else is said. */
export const DEFAULT_LIMITS = {
  requestLineBytes: 8192,
  fieldSectionBytes: 16384,
  fieldCount: 100,
  bodyBytes: 1024 ** 2,
  chunkLineBytes: 256,
  headTimeout: 10_000,
  requestTimeout: 120_000,
  idleTimeout: 5_000,
  sendTimeout: 60_000,
  lingerTimeout: 5_000,
  requestsPerConnection: Number.POSITIVE_INFINITY,
};

/** @param {string} section such as "6.3" */
export const rfc9110 = (section) => `RFC 9110, section ${section}`;
/** @param {string} section such as "6.3" */
export const rfc9112 = (section) => `RFC 9112, section ${section}`;

/**
 * The head of a request: its lines, each ended, and the empty line.
 *
 * @param {...string} lines
 */
export const head = (...lines) => `${lines.join("\r\n")}\r\n\r\n`;

/** @param {string} target @param {...string} fieldLines beside Host */
export const get = (target, ...fieldLines) =>
  head(`GET ${target} HTTP/1.1`, "Host: a", ...fieldLines);

/** @param {string} target @param {...string} fieldLines beside Host */
export const post = (target, ...fieldLines) =>
  head(`POST ${target} HTTP/1.1`, "Host: a", ...fieldLines);

/** The head of a POST request with a chunked body. */
export const postChunked = post("/", "Transfer-Encoding: chunked");

/**
 * Wait before the next bytes, so that the server reads them on their own.
 *
 * @param {number} milliseconds
 * @returns {Step}
 */
export const pause = (milliseconds) => ({ pause: milliseconds });

/** How long a pause must be to part two segments. */
export const A_MOMENT = pause(15);

/**
 * Wait until so many responses have come, 1xx ones included.
 *
 * @param {number} count
 * @returns {Step}
 */
export const answers = (count) => ({ answers: count });

/** @type {Step} the client ends its half, and still listens */
export const HALF_CLOSE = { end: true };

/** @type {Step} the client breaks off: the server gets ECONNRESET */
export const ABORT = { abort: true };

/** @typedef {{ expect: ExpectedResponse[], connection: Ending }} Outcome */

/**
 * Answered with 200 and this JSON; the connection stays open.
 *
 * @param {...Record<string, unknown>} jsons one for each response
 * @returns {Outcome}
 */
export const served = (...jsons) => ({
  expect: jsons.map((json) => ({ status: 200, json })),
  connection: "open",
});

/**
 * Answered with 200 and this JSON; then the server closes.
 *
 * @param {...Record<string, unknown>} jsons one for each response
 * @returns {Outcome}
 */
export const servedThenClosed = (...jsons) => ({
  ...served(...jsons),
  connection: "closed",
});

/**
 * Answered once, with this status; then the server closes.
 *
 * @param {number | number[]} status
 * @returns {Outcome}
 */
export const refused = (status) => ({
  expect: [{ status }],
  connection: "closed",
});

/**
 * Gives the cases of a table the name of their group.
 *
 * @param {string} group
 * @param {Case[]} cases
 * @returns {GroupedCase[]}
 */
export const inGroup = (group, cases) =>
  cases.map((aCase) => ({ ...aCase, group }));
