import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { RawClient, toBytes } from "./raw-client.js";
import { ResponseReader } from "./response-reader.js";

/**
 * @typedef {import("./cases/building-blocks.js").Case} Case
 * @typedef {import("./cases/building-blocks.js").Step} Step
 * @typedef {import("./cases/building-blocks.js").ExpectedResponse}
 *   ExpectedResponse
 * @typedef {import("./response-reader.js").Response} Response
 *
 * @typedef {object} Observation what a server did with a case
 * @property {Response[]} responses to the case's own requests
 * @property {"open" | "closed" | "reset" | "aborted" | "silent"} ending
 *   silent: neither answers nor closes
 * @property {string} [nonsense] why what came is no response
 */

/** What is sent to see whether a connection that should be open is. */
const PROBE = "GET /still-open HTTP/1.1\r\nHost: a\r\n\r\n";
/**
 * What is sent behind everything that must be refused: a server that goes on
 * reading where it should have stopped answers it.
 */
const SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

/** How long a server may take over anything, in milliseconds. */
const PATIENCE = 2500;

/**
 * Plays a case against a server.
 *
 * @param {Case} aCase
 * @param {{ port: number, host?: string }} address
 * @param {object} [options]
 * @param {boolean} [options.byteByByte] each byte in a segment of its own
 * @param {number} [options.patience] milliseconds to wait for what is
 *   expected and doesn't come
 * @returns {Promise<Observation>}
 */
export async function observe(aCase, address, options = {}) {
  const { byteByByte, patience = PATIENCE } = options;
  const client = await RawClient.connect(address);
  const conversation = new Conversation(client, aCase, patience);
  try {
    for (const step of aCase.send) {
      await conversation.play(step, byteByByte);
    }
    return await conversation.conclude(address);
  } finally {
    client.destroy();
  }
}

/**
 * Plays a case, and says what is wrong with what the server did. A request
 * that must be refused is sent twice: alone, since a server must not wait
 * for more before it refuses, and with another request behind it.
 *
 * @param {Case} aCase
 * @param {{ port: number, host?: string }} address
 * @param {{ byteByByte?: boolean }} [options]
 * @throws {Error} with what was sent, expected, and got
 */
export async function runCase(aCase, address, options) {
  await play(aCase, address, options);
  const followed = withFollowUp(aCase);
  if (followed !== aCase) await play(followed, address, options);
}

/**
 * @param {Case} aCase
 * @param {{ port: number, host?: string }} address
 * @param {{ byteByByte?: boolean }} [options]
 */
async function play(aCase, address, options) {
  const observation = await observe(aCase, address, options);
  const faults = findFaults(aCase, observation);
  if (faults.length > 0) {
    const error = new Error(report(aCase, observation, faults));
    // The stack is this runner's, and of no use to whoever reads it.
    error.stack = error.message;
    throw error;
  }
}

/**
 * @param {Case} aCase
 * @returns {Case} the same, if it isn't to be refused
 */
function withFollowUp(aCase) {
  const { send, expect, connection } = aCase;
  const last = send.at(-1);
  const isRefusal =
    connection === "closed" &&
    [expect.at(-1)?.status].flat().some(isFramingError);
  const endsInBytes =
    typeof last === "string" || last instanceof Uint8Array;
  if (!isRefusal || !endsInBytes) return aCase;
  // In the same write: the server holds it in its hands when it refuses.
  const bytes = Buffer.concat([toBytes(last), toBytes(SMUGGLED)]);
  return { ...aCase, send: [...send.slice(0, -1), bytes] };
}

/** @param {number | undefined} status */
function isFramingError(status) {
  return status !== undefined && status >= 400 && status !== 408;
}

/** One client, what came back to it, and the wait for more. */
class Conversation {
  #client;
  #case;
  #patience;
  #reader;
  #isOpen = false;
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /**
   * @param {RawClient} client
   * @param {Case} aCase
   * @param {number} patience
   */
  constructor(client, aCase, patience) {
    this.#client = client;
    this.#case = aCase;
    this.#patience = patience;
    const finals = aCase.expect.filter(({ status }) => status !== 100);
    this.#reader = new ResponseReader(
      (index) => finals[index]?.head === true,
    );
    client.onBytes((bytes) => {
      this.#reader.push(bytes);
      this.#wake();
    });
    client.onEnd(() => {
      this.#reader.end();
      this.#wake();
    });
  }

  #wake() {
    for (const check of this.#waiting) check();
  }

  /**
   * @param {() => boolean} isReached
   * @param {number} [patience]
   */
  async #until(isReached, patience = this.#patience) {
    const stop = new AbortController();
    const { signal } = stop;
    await new Promise((resolve) => {
      const check = () => {
        const { ending } = this.#client;
        if (isReached() || ending !== "open" || this.#reader.error) {
          resolve(undefined);
        }
      };
      this.#waiting.add(check);
      signal.addEventListener("abort", () => this.#waiting.delete(check));
      delay(patience, undefined, { signal }).then(resolve, () => {});
      check();
    });
    stop.abort();
  }

  /**
   * @param {Step} step
   * @param {boolean} [byteByByte]
   */
  async play(step, byteByByte) {
    if (typeof step === "string" || step instanceof Uint8Array) {
      await (byteByByte
        ? this.#client.writeByteByByte(step)
        : this.#client.write(step));
    } else if ("pause" in step) {
      await delay(step.pause);
    } else if ("answers" in step) {
      await this.#until(
        () => this.#reader.responses.length >= step.answers,
      );
    } else if ("end" in step) {
      this.#client.halfClose();
    } else {
      this.#client.abort();
    }
  }

  /**
   * @param {{ port: number, host?: string }} address
   * @returns {Promise<Observation>}
   */
  async conclude(address) {
    const { connection, expect } = this.#case;
    if (connection === "aborted") return this.#seeWhoLives(address);
    const due = expect.filter(({ mayOmit }) => !mayOmit).length;
    const isAnswered = () => this.#reader.responses.length >= due;
    await this.#until(isAnswered);
    if (isAnswered()) {
      if (connection !== "open") await this.#until(() => false);
      if (this.#client.ending === "open") await this.#probe();
    }
    return this.#observation();
  }

  /** Asks for one thing more: whatever comes, the connection is open. */
  async #probe() {
    const { length } = this.#reader.responses;
    await this.#client.write(PROBE);
    const isMore = () => this.#reader.responses.length > length;
    await this.#until(isMore);
    this.#isOpen = isMore();
  }

  /**
   * Our connection is gone: whether the server still lives, another tells.
   *
   * @param {{ port: number, host?: string }} address
   * @returns {Promise<Observation>}
   */
  async #seeWhoLives(address) {
    const probing = {
      ...this.#case,
      send: [],
      expect: [],
      connection: "open",
    };
    const { ending } = await observe(
      /** @type {Case} */ (probing),
      address,
      { patience: this.#patience },
    );
    return {
      responses: this.#reader.responses,
      ending: ending === "open" ? "aborted" : ending,
    };
  }

  /** @returns {Observation} */
  #observation() {
    const { responses, error, rest } = this.#reader;
    const { ending } = this.#client;
    return {
      responses: responses.filter((response) => !isAnswerToProbe(response)),
      ending: ending === "open" && !this.#isOpen ? "silent" : ending,
      nonsense: error && `${error.message}: ${visible(rest)}`,
    };
  }
}

/** @param {Response} response */
function isAnswerToProbe({ body }) {
  return body.includes('"/still-open"');
}

/**
 * @param {Case} aCase
 * @param {Observation} observation
 * @returns {string[]} what is wrong, in words; empty when all is well
 */
export function findFaults(aCase, observation) {
  const { responses, ending, nonsense } = observation;
  if (nonsense) return [nonsense];
  const faults = [];
  const left = [...responses];
  let number = 0;
  for (const expected of aCase.expect) {
    const response = left[0];
    const isThere =
      response !== undefined && statusFits(expected, response.status);
    if (expected.mayOmit && !isThere) continue;
    number++;
    if (response === undefined) {
      faults.push(`response ${number} never came`);
      break;
    }
    left.shift();
    for (const fault of faultsOfResponse(expected, response)) {
      faults.push(`response ${number}: ${fault}`);
    }
  }
  for (const { status, body } of left) {
    faults.push(`one response too many: ${status} ${visible(body)}`);
  }
  faults.push(...faultsOfEnding(aCase, observation));
  return ending === "silent" && faults.length === 0
    ? ["the server went silent"]
    : faults;
}

/**
 * @param {Case} aCase
 * @param {Observation} observation
 */
function faultsOfEnding({ connection }, { responses, ending }) {
  const isQuiet = connection === "closed quietly";
  const wanted = isQuiet ? "closed" : connection;
  if (ending !== wanted) {
    return [`the connection should be ${wanted}, and is ${ending}`];
  }
  const announced = saysClose(responses.at(-1));
  if (connection === "closed" && !announced) {
    return ["the last response does not say connection: close"];
  }
  if (connection === "open" && announced) {
    return ["the response says connection: close, and it stays open"];
  }
  return [];
}

/** @param {Response | undefined} response */
function saysClose(response) {
  const options = response?.fields.get("connection")?.join().toLowerCase();
  return options?.split(",").some((option) => option.trim() === "close");
}

/**
 * @param {ExpectedResponse} expected
 * @param {number} status
 */
function statusFits(expected, status) {
  return [expected.status].flat().includes(status);
}

/**
 * @param {ExpectedResponse} expected
 * @param {Response} response
 * @returns {string[]}
 */
function faultsOfResponse(expected, response) {
  if (!statusFits(expected, response.status)) {
    const statuses = [expected.status].flat().join(" or ");
    return [`the status is ${response.status}, not ${statuses}`];
  }
  return [
    ...faultsOfFields(expected.fields ?? {}, response),
    ...(response.status === 200 ? faultsOfServed(expected, response) : []),
  ];
}

/**
 * @param {Record<string, string | RegExp | undefined>} expected
 * @param {Response} response
 */
function faultsOfFields(expected, { fields }) {
  const faults = [];
  for (const [name, value] of Object.entries(expected)) {
    const got = fields.get(name)?.join(", ");
    const fits =
      value instanceof RegExp ? value.test(got ?? "") : got === value;
    if (!fits) {
      faults.push(`its ${name} is ${show(got)}, not ${show(value)}`);
    }
  }
  return faults;
}

/** What every answered request has, and what this one has. */
const JSON_KEYS = ["method", "target", "version", "fields", "body"];
const IMF_FIXDATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * @param {ExpectedResponse} expected
 * @param {Response} response
 */
function faultsOfServed({ head, json = {} }, response) {
  const always = { "content-type": "application/json", date: IMF_FIXDATE };
  const faults = faultsOfFields(always, response);
  if (!response.fields.has("content-length")) {
    faults.push("it has no content-length");
  }
  if (!isNow(response.fields.get("date")?.[0])) {
    faults.push("its date is not now");
  }
  if (!head) faults.push(...faultsOfBody(json, response.body));
  return faults;
}

/** @param {string | undefined} date */
function isNow(date) {
  return Math.abs(Date.now() - Date.parse(date ?? "")) < 5000;
}

/**
 * @param {Record<string, unknown>} expected
 * @param {Buffer} body
 */
function faultsOfBody(expected, body) {
  let json;
  try {
    json = JSON.parse(body.toString());
  } catch {
    return [`its body is no JSON: ${visible(body)}`];
  }
  const faults = [];
  for (const key of JSON_KEYS) {
    if (!Object.hasOwn(json, key)) faults.push(`its JSON has no ${key}`);
  }
  const { fields = {}, ...rest } = expected;
  for (const [key, value] of Object.entries(rest)) {
    if (!isDeepStrictEqual(json[key], value)) {
      faults.push(`its ${key} is ${show(json[key])}, not ${show(value)}`);
    }
  }
  for (const [name, value] of Object.entries(fields ?? {})) {
    const got = Object.hasOwn(json.fields ?? {}, name)
      ? json.fields[name]
      : undefined;
    if (!isDeepStrictEqual(got, value)) {
      faults.push(`the field ${name} is ${show(got)}, not ${show(value)}`);
    }
  }
  return faults;
}

/** @param {unknown} value */
function show(value) {
  if (value === undefined) return "absent";
  if (value instanceof RegExp) return `like ${value}`;
  return shorten(JSON.stringify(value));
}

/**
 * @param {Case} aCase
 * @param {Observation} observation
 * @param {string[]} faults
 */
function report(aCase, observation, faults) {
  const sent = aCase.send.map(showStep);
  return [
    `${faults.join("; ")} (${aCase.section})`,
    "  sent:",
    ...sent
      .flatMap((step) => step.split("\n"))
      .map((line) => `    ${line}`),
    `  expected: ${expectation(aCase)}`,
    `  got:      ${outcome(observation)}`,
  ].join("\n");
}

/** @param {Step} step */
function showStep(step) {
  if (typeof step === "string" || step instanceof Uint8Array) {
    return shorten(visible(toBytes(step)), 2000).replaceAll(
      /\\n(?!$)/g,
      "\\n\n",
    );
  }
  if ("pause" in step) return `(${step.pause} ms later)`;
  if ("answers" in step) return `(after ${step.answers} responses)`;
  return "end" in step ? "(the client half-closes)" : "(the client aborts)";
}

/**
 * @param {Case} aCase
 * @returns {string} such as "200, 400, then closed"
 */
export function expectation({ expect, connection }) {
  const responses = expect.map(({ status, mayOmit }) => {
    const statuses = [status].flat().join(" or ");
    return mayOmit ? `(${statuses})` : statuses;
  });
  return `${responses.join(", ") || "no response"}, then ${connection}`;
}

/**
 * @param {Observation} observation
 * @returns {string} such as "200, 400, then closed"
 */
export function outcome({ responses, ending, nonsense }) {
  const statuses = responses.map(({ status }) => status);
  const what = statuses.join(", ") || "no response";
  return `${what}, then ${nonsense ?? ending}`;
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} with what can't be seen written out
 */
export function visible(bytes) {
  return Buffer.from(bytes)
    .toString("latin1")
    .replaceAll("\\", "\\\\")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replace(/[^\x20-\x7e]/g, (character) => {
      const hex = character.charCodeAt(0).toString(16).padStart(2, "0");
      return `\\x${hex}`;
    });
}

/**
 * @param {string} text
 * @param {number} [most] characters
 */
function shorten(text, most = 200) {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}… (${text.length} characters)`;
}
