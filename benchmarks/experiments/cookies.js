/**
 * What chapter 16's cookies, sessions and limits take beside npm's packages,
 * each function alone, in processor time:
 *
 *     node benchmarks/experiments/cookies.js [--machine NAME]
 *
 * The two take turns. What is compared is the ratio within a round.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { describeMachine } from "../lib/machine.js";
import { estimate } from "../lib/statistics.js";

const ROUNDS = 15;
const CALLS = 20_000;
const RESULTS = new URL("../results/", import.meta.url);
const VELOCY = new URL("../../code/ch16-cookies-sessions-defaults/", import.meta.url);

const { parseCookies } = await import(new URL("lib/cookies/parse.js", VELOCY).href);
const { formatCookie } = await import(new URL("lib/cookies/format.js", VELOCY).href);
const { MemoryLimits, signer } = await import(new URL("index.js", VELOCY).href);

/** They are for newer Nodes than the oldest that the tools run on. */
const names = { cookie: "cookie", signature: "cookie-signature" };
const cookie = await import(names.cookie);
const { default: signature } = await import(names.signature);
const parseTheirs = cookie.parseCookie ?? cookie.parse;
const formatTheirs = cookie.stringifySetCookie ?? cookie.serialize;

const SECRET = "a secret of at least thirty-two bytes";
const ours = signer([SECRET]);
const id = "abcdefghijklmnopqrstuvwx";
const options = { httpOnly: true, path: "/", sameSite: /** @type {const} */ ("lax") };
const one = `id=${id}`;
const ten = Array.from({ length: 10 }, (_, i) => `name${i}=value%20${i}`).join("; ");
const signedByUs = ours.sign("id", id);
const signedByThem = signature.sign(id, SECRET);
const limits = new MemoryLimits();
const limit = { requests: 1e9, seconds: 1 };
let client = 0;

/** @type {Record<string, { velocy: () => unknown, other?: () => unknown }>} */
const works = {
  "parse-one": { velocy: () => parseCookies(one), other: () => parseTheirs(one) },
  "parse-ten-escaped": { velocy: () => parseCookies(ten), other: () => parseTheirs(ten) },
  format: {
    velocy: () => formatCookie("id", id),
    other: () => formatTheirs("id", id, options),
  },
  sign: { velocy: () => ours.sign("id", id), other: () => signature.sign(id, SECRET) },
  verify: {
    velocy: () => ours.verify("id", signedByUs),
    other: () => signature.unsign(signedByThem, SECRET),
  },
  "limit-in-memory": { velocy: () => limits.take(`${client++ % 10_000}`, limit) },
};

/**
 * @param {() => unknown} work
 * @returns {number} nanoseconds for each call
 */
function measure(work) {
  const start = process.cpuUsage();
  for (let i = 0; i < CALLS; i += 1) work();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / CALLS;
}

const { values } = parseArgs({ options: { machine: { type: "string" } } });
const startedAt = new Date().toISOString();
const where = describeMachine();
/** @type {Record<string, Record<string, ReturnType<typeof estimate>>>} */
const derived = {};
for (const [name, { velocy, other }] of Object.entries(works)) {
  /** @type {{ velocy: number[], other: number[] }} */
  const times = { velocy: [], other: [] };
  // The first three rounds warm up.
  for (let round = -3; round < ROUNDS; round += 1) {
    const mine = measure(velocy);
    const theirs = other ? measure(other) : 0;
    if (round < 0) continue;
    times.velocy.push(mine);
    times.other.push(theirs);
  }
  derived[name] = { velocy: estimate(times.velocy) };
  let said = `${name.padEnd(18)} velocy ${derived[name].velocy.median.toFixed(0)} ns`;
  if (other) {
    derived[name].other = estimate(times.other);
    derived[name].ratio = estimate(times.velocy.map((time, i) => time / times.other[i]));
    said += `, other ${derived[name].other.median.toFixed(0)} ns`;
    said += `, ratio ${derived[name].ratio.median.toFixed(2)}`;
  }
  console.log(said);
}
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/cookies.js --machine ${values.machine}`;
  const settings = { rounds: ROUNDS, calls: CALLS };
  const node = process.version;
  const result = { suite: "cookies", startedAt, command, node, where, settings, derived };
  writeFileSync(new URL("cookies.json", folder), `${JSON.stringify(result, null, 2)}\n`);
}
