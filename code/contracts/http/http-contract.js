import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { cases } from "./cases.js";
import { runCase } from "./run-case.js";

/**
 * @typedef {import("./cases/building-blocks.js").GroupedCase} GroupedCase
 * @typedef {import("./start.js").Start} Start
 * @typedef {import("./start.js").RunningServer} RunningServer
 *
 * @typedef {object} Filter which cases of those that the server is to pass
 * @property {string} [group] a theme, such as "framing"
 * @property {number} [since] the chapter that first passes them
 * @property {RegExp} [name]
 * @property {number | number[]} [status] of the last response expected
 * @property {string} [section] such as "RFC 9112, section 6.3"
 */

/** How many cases of a group run at once. */
const CONCURRENCY = 32;

/**
 * The HTTP contract for one server, to be checked in portions, each under a
 * heading of its chapter:
 *
 *     const contract = httpContract({ start, until: 3 });
 *     describe("Two requests in one segment", () => {
 *       contract.check({ group: "pipelining" });
 *     });
 *     describe("What else holds", () => contract.checkTheRest());
 *
 * @param {object} options
 * @param {Start} options.start
 * @param {number} options.until the last chapter whose cases must pass
 * @param {Record<string, string>} [options.known] cases, by name, that this
 *   server is known to answer otherwise, and why. One that it passes after
 *   all is a failure, so that the list stays true.
 */
export function httpContract({ start, until, known = {} }) {
  const mine = cases.filter(({ since }) => since <= until);
  const left = new Set(mine);
  for (const name of Object.keys(known)) {
    assert.ok(
      mine.some((aCase) => aCase.name === name),
      `known differences: there is no case named "${name}"`,
    );
  }

  /** @param {GroupedCase[]} chosen */
  const run = (chosen) => {
    assert.ok(chosen.length > 0, "no case fits that is not checked yet");
    for (const aCase of chosen) left.delete(aCase);
    runAll(chosen, start, known);
  };

  return {
    /**
     * Checks the cases that fit, but those that a call before has checked.
     *
     * @param {Filter} filter
     */
    check: (filter) => run([...left].filter((one) => fits(one, filter))),
    /** Checks what no other call has checked so far. */
    checkTheRest: () => run([...left]),
    /** Sends what must be answered with 200 again, each byte on its own. */
    checkByteByByte: () =>
      runAll(mine.filter(isWorthDripping), start, known, true),
  };
}

/**
 * @param {GroupedCase} aCase
 * @param {Filter} filter
 */
function fits(aCase, { group, since, name, status, section }) {
  const statuses = [aCase.expect.at(-1)?.status].flat();
  const wanted = [status].flat();
  return (
    (group === undefined || aCase.group === group) &&
    (since === undefined || aCase.since === since) &&
    (name === undefined || name.test(aCase.name)) &&
    (section === undefined || aCase.section === section) &&
    (status === undefined || statuses.some((one) => wanted.includes(one)))
  );
}

/** Sending a case byte by byte takes a millisecond a byte. */
const MOST_BYTES = 1000;

/** @param {GroupedCase} aCase */
function isWorthDripping({ send, expect, limits }) {
  const bytes = send.filter((step) => typeof step === "string").join("");
  const isValid = expect.every(({ status }) => status === 200);
  const isShort = bytes.length > 0 && bytes.length <= MOST_BYTES;
  return isValid && isShort && expect.length > 0 && limits === undefined;
}

/**
 * @param {GroupedCase[]} chosen
 * @param {Start} start
 * @param {Record<string, string>} known
 * @param {boolean} [byteByByte]
 */
function runAll(chosen, start, known, byteByByte) {
  const how = byteByByte ? "over a socket, byte by byte" : "over a socket";
  describe(how, { concurrency: CONCURRENCY }, () => {
    const servers = new Servers(start);
    after(() => servers.close());
    for (const aCase of chosen) {
      const skip = servers.reasonToSkip(aCase);
      it(`${aCase.name} (${aCase.section})`, { skip }, async () => {
        const address = await servers.for(aCase);
        const why = known[aCase.name];
        if (why === undefined)
          await runCase(aCase, address, { byteByByte });
        else await mustFail(aCase, address, why);
      });
    }
  });
}

/** How often a known difference may not show: in some, two things race. */
const ATTEMPTS = 10;

/**
 * @param {GroupedCase} aCase
 * @param {RunningServer} address
 * @param {string} why
 */
async function mustFail(aCase, address, why) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const failed = await runCase(aCase, address).then(
      () => false,
      () => true,
    );
    if (failed) return;
  }
  assert.fail(`is no longer a known difference (${why}): it passes`);
}

/** The servers of a group: one for each set of limits, when it's needed. */
export class Servers {
  #start;
  /** @type {Map<string, Promise<RunningServer>>} */
  #running = new Map();

  /** @param {Start} start */
  constructor(start) {
    this.#start = start;
  }

  /** @param {GroupedCase} aCase */
  reasonToSkip({ limits }) {
    const cannot =
      limits !== undefined && this.#start.takesLimits === false;
    return cannot && "this server can't be told other limits";
  }

  /**
   * @param {GroupedCase} aCase
   * @returns {Promise<RunningServer>}
   */
  for({ limits = {} }) {
    const key = JSON.stringify(limits);
    const running = this.#running.get(key) ?? this.#start({ limits });
    this.#running.set(key, running);
    return running;
  }

  async close() {
    const started = await Promise.allSettled(this.#running.values());
    await Promise.all(
      started.map((one) => one.status === "fulfilled" && one.value.close()),
    );
  }
}
