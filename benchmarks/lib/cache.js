import { estimate, noiseFloor } from "./statistics.js";

/** @import { Estimate } from "./statistics.js" */

/** What a cache is asked for. */
export const OPERATIONS = /** @type {const} */ (["set", "get"]);

/** Ways of load.js to send a set: all but `read` leave the answers unread. */
export const WAYS = ["read", "ignored", "answered", "written", "at-once", "joined"];

/** How much more than memcached ours may take. */
export const MOST_CPU = 1.1;
export const MOST_MEMORY = 1.5;

/**
 * @typedef {object} CacheRun
 * @property {number} microseconds on a core, for a request
 * @property {number} rate requests a second
 * @property {number} server how busy its core was, 0 to 1
 * @property {number} busy the same of the client's
 *
 * @typedef {Record<string, Record<"set" | "get", CacheRun>>} CacheBlock
 *
 * @typedef {object} CacheResult
 * @property {string} node
 * @property {{ cores: number, cpu: string }} where
 * @property {boolean} isPinned
 * @property {boolean} isPublishable
 * @property {number} seconds
 * @property {ReturnType<typeof judgeCache>} goals
 * @property {ReturnType<typeof deriveCache>} derived
 * @property {Record<string, { data: number, nodecached: number, memcached: number,
 *   ratio: number }>} memory bytes of an item
 * @property {{ mebibytes: number, growth: number }} limit
 * @property {Record<string, Record<string, number>>} noreply requests a second
 * @property {Record<string, Estimate>} ignoredToRead requests a second without
 *   reading the answers, beside reading them in the same turn
 * @property {Record<string, Record<string, number>>[]} turns what noreply is
 *   made of: requests a second in each turn, by server and way
 * @property {{ name: string, rate: number, each: number }[]} [packets] runs of
 *   at-once: requests a second, and how many packets there were for each
 * @property {Record<string, string>} [apart] what was measured apart from the
 *   rest, and when
 * @property {Record<string, Record<string, { set: number, get: number }>>} [tester]
 *   requests a second that load.js told, by server and connections
 * @property {CacheBlock[]} runs
 */

/**
 * What each program's requests cost, beside memcached with one thread and
 * beside nodecached in the same block. The noise is how far the interval of
 * the second's ratio to the first of the twins reaches from 1.
 *
 * @param {CacheBlock[]} blocks
 * @param {string[]} [names] of the programs, in the order to show
 */
export function deriveCache(blocks, names = Object.keys(blocks[0])) {
  return Object.fromEntries(
    OPERATIONS.map((what) => {
      const rows = names.map((name) => [name, deriveProgram(name, what, blocks)]);
      const contenders = Object.fromEntries(rows);
      return [what, { noise: noiseFloor(contenders.twin.toNodecached), contenders }];
    }),
  );
}

/**
 * @param {string} name
 * @param {"set" | "get"} what
 * @param {CacheBlock[]} blocks
 */
function deriveProgram(name, what, blocks) {
  const runs = blocks.map((block) => block[name][what]);
  const beside = (/** @type {string} */ base) =>
    estimate(
      blocks.map((block) => block[name][what].microseconds / block[base][what].microseconds),
    );
  return {
    microseconds: estimate(runs.map(({ microseconds }) => microseconds)),
    ratio: beside("memcached"),
    toNodecached: beside("nodecached"),
    rate: estimate(runs.map(({ rate }) => rate)).median,
    server: estimate(runs.map(({ server }) => server)).median,
    busy: estimate(runs.map(({ busy }) => busy)).median,
  };
}

/**
 * The medians of what was sent without an answer, and what ignoring the
 * answers comes to beside reading them in the same turn.
 *
 * @param {CacheResult["turns"]} turns
 * @returns {Pick<CacheResult, "noreply" | "ignoredToRead">}
 */
export function deriveNoreply(turns) {
  /** @type {CacheResult["noreply"]} */
  const noreply = {};
  /** @type {CacheResult["ignoredToRead"]} */
  const ignoredToRead = {};
  for (const name of Object.keys(turns[0])) {
    noreply[name] = {};
    for (const way of WAYS.flatMap((one) => [one, `${one}-nagle`])) {
      noreply[name][way] = estimate(turns.map((rates) => rates[name][way])).median;
    }
    ignoredToRead[name] = estimate(turns.map(({ [name]: { ignored, read } }) => ignored / read));
  }
  return { noreply, ignoredToRead };
}

/**
 * Whether the goals are reached. What a request costs is decided by the whole
 * interval of its ratio, on both operations: as long as the goal lies inside
 * of one, it isn't.
 *
 * @param {Pick<CacheResult, "derived" | "memory">} result
 * @returns {{ cpu: "yes" | "no" | "not decided", memory: "yes" | "no" }}
 */
export function judgeCache({ derived, memory }) {
  const ratios = OPERATIONS.map((what) => derived[what].contenders.nodecached.ratio);
  const isReached = ratios.every(({ high }) => high <= MOST_CPU);
  const isMissed = ratios.some(({ low }) => low > MOST_CPU);
  const isSmall = Object.values(memory).every(({ ratio }) => ratio <= MOST_MEMORY);
  return {
    cpu: isReached ? "yes" : isMissed ? "no" : "not decided",
    memory: isSmall ? "yes" : "no",
  };
}

/** @param {number} number */
const round = (number) => number.toFixed(number < 10 ? 2 : 0);
/** @param {number} number */
const inCell = (number) => Math.round(number).toLocaleString("en").padStart(10);

/**
 * @param {"set" | "get"} what
 * @param {{ noise: number, contenders: Record<string, ReturnType<typeof deriveProgram>> }} derived
 */
function formatOperation(what, { noise, contenders }) {
  const rows = Object.entries(contenders).map(([name, row]) => {
    return [
      name.padEnd(12),
      row.microseconds.median.toFixed(2).padStart(10),
      ` ${formatRatio(row.ratio)}`.padEnd(17),
      inCell(row.rate),
      `${Math.round(row.server * 100)} %`.padStart(7),
      `${Math.round(row.busy * 100)} %`.padStart(7),
    ].join(" ");
  });
  const percent = (noise * 100).toFixed(0);
  return [
    `${what.padEnd(12)} us/request  to memcached    requests/s  server  client`,
    ...rows,
    `the interval of the twins' ratio reaches ${percent} % from 1`,
  ];
}

/** @param {NonNullable<CacheResult["tester"]>} tester */
function formatTester(tester) {
  const rows = Object.entries(tester).flatMap(([server, byConnections]) =>
    Object.entries(byConnections).map(([connections, { set, get }]) =>
      [server.padEnd(12), connections.padStart(11), inCell(set), inCell(get)].join(" "),
    ),
  );
  return ["load.js      connections        set        get  requests/s", ...rows];
}

/** @param {NonNullable<CacheResult["packets"]>} packets */
function formatPackets(packets) {
  const rows = [...new Set(packets.map(({ name }) => name).sort())].map((name) => {
    const runs = packets.filter((run) => run.name === name);
    const each = runs.map((run) => run.each).sort((a, b) => a - b);
    const rates = runs.map((run) => run.rate).sort((a, b) => a - b);
    const cells = [
      `${each[0].toFixed(2)}-${each[each.length - 1].toFixed(2)}`.padStart(16),
      `${inCell(rates[0]).trim()}-${inCell(rates[rates.length - 1]).trim()}`.padStart(17),
    ];
    return `${name.padEnd(16)} ${cells.join(" ")}`;
  });
  return ["at-once          packets/request        requests/s", ...rows];
}

/** @param {Estimate} ratio */
function formatRatio({ median, low, high }) {
  return `${median.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`;
}

/**
 * @param {CacheResult} result
 * @returns {string} for a person
 */
export function formatCache(result) {
  const { derived, isPinned, limit, memory, node, runs, seconds, tester, where } = result;
  const { noreply, ignoredToRead, packets, apart = {} } = result;
  const goals = judgeCache(result);
  const grown = Math.round(limit.growth / 1024 / 1024);
  const lines = [
    `${runs.length} blocks of ${seconds} s, 50 connections, values of 3 bytes, Node ${node}`,
    `${where.cores} cores of ${where.cpu}${isPinned ? ", pinned" : ""}`,
    "",
    ...OPERATIONS.flatMap((what) => [...formatOperation(what, derived[what]), ""]),
    "data of an item  nodecached  memcached  ratio",
    ...Object.values(memory).map(({ data, nodecached, memcached, ratio }) => {
      const cells = [Math.round(nodecached), Math.round(memcached), round(ratio)];
      const text = cells.map((cell) => String(cell).padStart(10)).join(" ");
      return `${`${data} bytes`.padEnd(16)} ${text}`;
    }),
    `four times a limit of ${limit.mebibytes} MiB: the process grew by ${grown} MiB`,
    "",
    "noreply          nodecached  memcached  requests/s",
    ...Object.keys(noreply.nodecached).map((way) => {
      const cells = [noreply.nodecached[way], noreply.memcached[way]].map(inCell);
      return `${way.padEnd(16)} ${cells.join(" ")}`;
    }),
    ...Object.entries(ignoredToRead).map(
      ([name, ratio]) => `ignored to read, ${name}: ${formatRatio(ratio)}`,
    ),
    "",
    ...(packets === undefined ? [] : [...formatPackets(packets), ""]),
    ...Object.keys(apart).flatMap((name) => [`${name} was measured apart, by --${name}`, ""]),
    ...(tester === undefined ? [] : [...formatTester(tester), ""]),
    `CPU at most ${MOST_CPU} of memcached's: ${goals.cpu}`,
    `memory at most ${MOST_MEMORY} of memcached's: ${goals.memory}`,
  ];
  return lines.join("\n");
}
