import { velocyMilestones } from "./contenders.js";
import {
  absoluteFormContract,
  benchmarkContract,
  browserContract,
  closingContract,
  echoContract,
  fileContract,
  frameworkContract,
  jsonContract,
  largeContract,
  pageContract,
  secureContract,
} from "./contract.js";
import {
  browserWrk,
  closingWrk,
  ownLoad,
  pipeliningWrk,
  postingWrk,
  rewrk,
  secureWrk,
  wrk,
} from "./generators.js";
import { openLoad, vegeta } from "./open-generators.js";

/** @import { Contract } from "./contract.js" */
/** @import { Generator } from "./generators.js" */
/** @import { RatesPlan } from "./measure-rates.js" */

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} title
 * @property {() => string[]} contenders
 * @property {string} baseline
 * @property {Contract} contract
 * @property {Generator} generator
 * @property {number} workers
 * @property {string[]} tools that it needs, besides
 * @property {[a: string, b: string][]} [pairs] contenders that the book
 *   compares with each other
 * @property {string} [work] what the same servers are asked beside the small GET,
 *   in a few words
 * @property {boolean} [isLab] one of the wrong ways to measure, for chapter 24
 * @property {"requestsPerSecond" | "p50"} [rankedBy] the figure that a
 *   careless person would rank this lab's servers by
 * @property {number} [mostConnections] where to open one is dear
 * @property {Record<string, number>} [connectionsOf] servers that get another
 *   number of connections than the rest
 * @property {boolean} [servesFiles] the servers find a folder of files in FILES
 * @property {boolean} [isClosing] each connection carries one request
 * @property {boolean} [isCold] no warm-up, and the first second is the whole run
 * @property {boolean} [isStarved] the generator has to share the server's core
 * @property {"saturation" | "rates"} [kind] as fast as it goes, or at fixed
 *   rates
 * @property {RatesPlan} [rates] of the second kind: which, and who asks
 * @property {boolean} [hasTwin] of the second kind: the baseline is in twice
 * @property {"cost"} [shows] CPU time over the rate, and not latency
 */

const then = ["express-4", "elysia-0.6", "axum-0.6", "velocy-npm"];
const now = ["express", "elysia", "axum", "velocy"];
const controls = [
  "node-http",
  "node-net",
  "bun-serve",
  "fastify",
  "hono",
  "express-node-20",
  "node-http-node-20",
];

/** Those of today again, written as their documentation has it. */
const documented = [
  "express-documented",
  "elysia-documented",
  "axum-documented",
  "velocy-documented",
  "velocy-engine-documented",
];

/** The documented form of what stands beside them. */
const documentedControls = [
  "bun-serve-documented",
  "fastify-documented",
  "hono-documented",
  "hono-bun-documented",
];

/** And the same frameworks, answering by hand. */
const rawOfDocumented = [
  "express",
  "elysia",
  "axum-current-thread",
  "velocy",
  "velocy-engine",
  "bun-serve",
  "fastify",
  "hono",
];

/** What every suite of one work asks. */
export const sameServers = [
  "c-floor",
  "node-http",
  ...documented,
  ...documentedControls,
  "go-http",
];

/** What the servers of today stand on, and others of today beside them. */
const underNow = [
  "node-http",
  "bun-serve",
  "fastify",
  "hono",
  "velocy-engine",
  "node-net",
  "axum-current-thread",
  "c-floor",
];

/** @type {[a: string, b: string][]} */
const pairs = [
  ["elysia", "express"],
  ["axum", "express"],
  ["velocy", "express"],
  ["elysia-0.6", "express-4"],
  ["axum-0.6", "express-4"],
  ["velocy-npm", "express-4"],
  ["velocy", "axum"],
  ["node-net", "axum"],
  ["elysia", "axum"],
  ["velocy", "elysia"],
  ["express-node-20", "node-http-node-20"],
  ["express-4", "node-http-node-20"],
  ["express-4", "express-4-node-26"],
  ["velocy-engine", "velocy"],
  ["velocy-engine", "axum"],
  ["velocy-engine", "axum-current-thread"],
  ["velocy-documented", "fastify-documented"],
  ["velocy-documented", "express-documented"],
  ["velocy-engine-documented", "axum-documented"],
  ["velocy-engine-documented", "elysia-documented"],
  ["velocy-engine-documented", "go-http"],
  ["velocy-engine-documented", "velocy-documented"],
  // What a reply layer costs: as documented, over by hand.
  ["express-documented", "express"],
  ["elysia-documented", "elysia"],
  ["axum-documented", "axum-current-thread"],
  ["velocy-documented", "velocy"],
  ["velocy-engine-documented", "velocy-engine"],
  ["fastify-documented", "fastify"],
  ["hono-documented", "hono"],
  ["bun-serve-documented", "bun-serve"],
  ["hono-bun-documented", "hono-documented"],
  ["axum-current-thread", "axum"],
];

/** What most suites have in common: one process, loaded by wrk. */
const usual = {
  baseline: "node-http",
  contract: benchmarkContract,
  generator: wrk,
  tools: ["wrk"],
  workers: 1,
};

/** What the suites of one work have in common. */
const oneWork = {
  ...usual,
  contenders: () => sameServers,
  pairs: pairs.filter((pair) => pair.every((id) => sameServers.includes(id))),
};

/** The programs of which `node-versions` takes one on each Node.js. */
const onEachNode = ["node-http", "velocy", "fastify-documented", "express"];

/** What the suites of chapter 22's engine have in common. */
const ownEngine = {
  ...usual,
  contenders: () => [
    "c-floor",
    "node-net-constant",
    "node-net",
    "velocy-engine-raw",
    "velocy-engine",
    "axum",
    "axum-current-thread",
    "velocy",
    "node-http",
  ],
  pairs: /** @type {[a: string, b: string][]} */ ([
    ["velocy-engine", "axum"],
    ["velocy-engine", "axum-current-thread"],
    ["velocy-engine", "velocy"],
    ["velocy-engine", "velocy-engine-raw"],
    ["velocy-engine", "c-floor"],
    ["node-net-constant", "c-floor"],
    ["axum-current-thread", "axum"],
  ]),
};

/** Latency at rates that the server doesn't choose. */
const latencyRates = {
  openGenerator: openLoad,
  shares: [0.25, 0.5, 0.75, 0.9],
  hasCommonRate: true,
};

/** What most labs have in common besides. */
const lab = {
  ...usual,
  contenders: () => [...now, "node-http"],
  isLab: true,
  rankedBy: /** @type {const} */ ("requestsPerSecond"),
};

/** What the suites of files have in common. */
const files = {
  ...usual,
  contenders: () => ["files-velocy", "files-send", "files-sirv", "files-sirv-dev", "files-nginx"],
  baseline: "files-send",
  servesFiles: true,
  pairs: /** @type {[a: string, b: string][]} */ ([
    ["files-velocy", "files-send"],
    ["files-velocy", "files-sirv"],
    ["files-velocy", "files-sirv-dev"],
    ["files-velocy", "files-nginx"],
  ]),
};

/** @type {Suite[]} */
export const suites = [
  {
    ...usual,
    name: "engine",
    title: "Chapter 4's server beside bare node:http",
    contenders: () => ["node-http-echo", "node-http-echo-at-once", "ch04-server"],
    baseline: "node-http-echo",
    contract: echoContract,
  },
  {
    ...ownEngine,
    name: "own-engine",
    title: "velocy's own engine, and what is under it",
  },
  {
    ...ownEngine,
    name: "own-engine-browser",
    title: "velocy's own engine, asked with ten fields of a browser's",
    generator: browserWrk,
  },
  {
    ...usual,
    name: "typical",
    title: "One process each",
    pairs,
    contenders: () => [
      ...now,
      "axum-current-thread",
      "velocy-engine",
      ...then,
      "express-4-node-26",
      ...controls,
      "go-http",
      "c-floor",
    ],
  },
  {
    ...usual,
    name: "documented",
    title: "One process each, as documented, beside raw",
    pairs,
    contenders: () => [
      "node-http",
      ...documented,
      ...documentedControls,
      ...rawOfDocumented,
      "go-http",
    ],
  },
  {
    ...usual,
    name: "real",
    title: "Two workers each",
    pairs,
    contenders: () => [
      ...now,
      ...documented,
      ...then,
      "node-http",
      "bun-serve",
      ...documentedControls,
      "go-http",
    ],
    workers: 2,
  },
  {
    ...oneWork,
    name: "browser",
    title: "A request with ten fields of a browser's",
    work: "ten fields of a browser's",
    contract: browserContract,
    generator: browserWrk,
  },
  {
    ...oneWork,
    name: "json-body",
    title: "A small body of JSON, parsed and answered",
    work: "a POST with JSON",
    contract: jsonContract,
    generator: postingWrk,
  },
  {
    ...oneWork,
    name: "answer-64k",
    title: "An answer of 64 KiB",
    work: "an answer of 64 KiB",
    contract: largeContract,
  },
  {
    ...oneWork,
    name: "file",
    title: "A file of 16 KiB, from the file system at every request",
    work: "a file",
    contenders: () => [...sameServers, "axum-documented-no-delay"],
    contract: pageContract(),
    servesFiles: true,
  },
  {
    ...oneWork,
    name: "connection-each",
    title: "A connection for every request, by servers that say so",
    work: "a connection each",
    contract: closingContract,
    generator: closingWrk,
    isClosing: true,
  },
  {
    ...oneWork,
    name: "tls",
    title: "The same over TLS, its handshakes counted in",
    work: "over TLS",
    contenders: () => sameServers.filter((id) => id !== "c-floor"),
    contract: secureContract,
    generator: secureWrk,
    // So that what they take to open is little beside what they carry.
    mostConnections: 64,
  },
  {
    ...usual,
    name: "node-versions",
    title: "The same programs on Node.js 26, 24, 22 and 20",
    contenders: () =>
      onEachNode.flatMap((id) => [id, ...[24, 22, 20].map((version) => `${id}-node-${version}`)]),
    pairs: onEachNode.flatMap((id) =>
      [24, 22, 20].map(
        (version) => /** @type {[string, string]} */ ([`${id}-node-${version}`, id]),
      ),
    ),
  },
  {
    ...usual,
    name: "scheduling",
    title: "Three ways to deal out connections to two workers",
    contenders: () => ["node-http", "node-http-unscheduled", "node-http-reuse-port"],
    workers: 2,
  },
  {
    ...usual,
    name: "cluster",
    title: "Two workers under velocy's supervisor beside one process",
    contenders: () => [
      "velocy-one",
      "velocy",
      "velocy-cluster",
      "velocy-cluster-round-robin",
      "velocy-cluster-reuse-port",
    ],
    baseline: "velocy-one",
    pairs: [
      ["velocy", "velocy-one"],
      ["velocy-cluster", "velocy"],
      ["velocy-cluster", "velocy-one"],
      ["velocy-cluster-round-robin", "velocy-one"],
      ["velocy-cluster-reuse-port", "velocy-one"],
    ],
    workers: 2,
  },
  {
    ...usual,
    name: "ladder",
    title: "What each step costs",
    contenders: () => [
      "node-net",
      "ch04-engine",
      "node-http",
      ...velocyMilestones().map((name) => `velocy@${name.slice(0, 4)}`),
      "express",
    ],
  },
  {
    ...usual,
    name: "framework",
    title: "Three middleware and a returned object, in each framework's own idiom",
    pairs: [
      ["velocy-raw", "node-http-bare"],
      ["velocy-framework", "node-http-bare"],
      ["velocy-framework", "fastify-framework"],
      ["velocy-framework", "hono-framework"],
      ["velocy-framework", "express-framework"],
    ],
    contenders: () => [
      "node-http-bare",
      "velocy-raw",
      "velocy-framework",
      "fastify-framework",
      "hono-framework",
      "express-framework",
    ],
    baseline: "node-http-bare",
    contract: frameworkContract,
  },
  {
    ...usual,
    name: "framework-log",
    title: "A line in a log for each request, beside pino in the same server",
    pairs: [
      ["log-velocy", "log-pino"],
      ["log-velocy", "log-none"],
    ],
    contenders: () => ["log-none", "log-velocy", "log-pino", "log-pino-async"],
    baseline: "log-none",
    contract: frameworkContract,
  },
  {
    ...files,
    name: "files-small",
    title: "A file of one kibibyte",
    contract: fileContract("small.txt"),
  },
  {
    ...files,
    name: "files-large",
    title: "A file of one mebibyte",
    contract: fileContract("large.txt"),
  },
  {
    ...usual,
    name: "latency",
    title: "Latency at rates that the server doesn't choose",
    contenders: () => [...now, "node-http"],
    kind: "rates",
    rates: latencyRates,
  },
  {
    ...usual,
    name: "latency-vegeta",
    title: "Latency at such rates, asked for by vegeta",
    contenders: () => [...now, "node-http"],
    tools: ["wrk", "vegeta"],
    kind: "rates",
    rates: { ...latencyRates, openGenerator: vegeta },
  },
  {
    ...usual,
    name: "curve",
    title: "CPU time per request, from a tenth of what a server can to all of it",
    contenders: () => [...now, ...underNow],
    kind: "rates",
    rates: { openGenerator: openLoad, shares: [0.1, 0.25, 0.5, 0.75, 0.9], hasCommonRate: false },
    hasTwin: true,
    shows: "cost",
  },
  {
    ...usual,
    name: "cross-check",
    title: "One process each, loaded by rewrk",
    pairs,
    contenders: () => [...now, "node-http-absolute", "node-http"],
    baseline: "node-http-absolute",
    contract: absoluteFormContract,
    generator: rewrk,
    tools: ["rewrk"],
  },
  {
    ...usual,
    name: "node-2023",
    title: "The servers of 2023 on a Node.js of 2023",
    pairs: [
      ["elysia-0.6", "express-4"],
      ["elysia-0.6", "express-4-node-20.6"],
      ["axum-0.6", "express-4-node-20.6"],
      ["velocy-npm-node-20.6", "express-4-node-20.6"],
      ["express-4", "express-4-node-20.6"],
    ],
    contenders: () => [
      "express-4-node-20.6",
      "velocy-npm-node-20.6",
      "elysia-0.6",
      "axum-0.6",
      "express-4",
      "node-http",
    ],
  },
  {
    ...lab,
    name: "pipelining",
    title: "Sixteen requests at a time, unasked for",
    contenders: () => [...now, "axum-no-delay", "node-http", "node-net"],
    generator: pipeliningWrk,
  },
  {
    ...lab,
    name: "no-keep-alive",
    title: "A new connection for every request",
    contract: closingContract,
    generator: closingWrk,
    isClosing: true,
  },
  {
    ...lab,
    name: "node-20",
    title: "The same programs on Node.js 20 and 26",
    pairs: [
      ["express-node-20", "node-http-node-20"],
      ["node-http-prototypes-node-20", "node-http-node-20"],
      ["elysia", "express-node-20"],
      ["elysia", "express"],
    ],
    contenders: () => [
      "express",
      "express-node-20",
      "elysia",
      "fastify",
      "node-http",
      "node-http-node-20",
      "node-http-prototypes",
      "node-http-prototypes-node-20",
    ],
  },
  {
    ...lab,
    name: "starved",
    title: "The generator on the server's own core",
    isStarved: true,
  },
  {
    ...lab,
    name: "weak",
    title: "A generator that is slower than what it measures",
    generator: ownLoad,
    tools: [],
  },
  {
    ...lab,
    name: "cold",
    title: "The first second, connections and compiling counted in",
    isCold: true,
  },
  {
    ...lab,
    name: "saturation",
    title: "Latency at saturation, with as many connections as suits each",
    rankedBy: "p50",
    connectionsOf: { express: 16, velocy: 64 },
  },
  {
    ...usual,
    name: "stall",
    title: "A server that stops for a tenth of each second",
    contenders: () => ["node-http", "node-http-stalls", "express"],
    isLab: true,
    kind: "rates",
    rates: latencyRates,
  },
];

/**
 * @param {string} name
 * @returns {Suite | undefined}
 */
export function findSuite(name) {
  return suites.find((suite) => suite.name === name);
}
