/** What chapter 19's simulation says of a server, for its lab. */

/**
 * @typedef {object} Settings
 * @property {number} load new requests, as a share of what the server can answer
 * @property {number} service milliseconds that a handler takes
 * @property {number} servers how many handlers run at once
 * @property {boolean} varies whether handlers take longer and shorter
 * @property {number} tries how often a client asks
 * @property {boolean} hasCrowd whether four times as many come for three seconds
 * @property {number} line which of `lines`
 */

/** Who waits, and who is next. Ages are in milliseconds. */
export const lines = [
  { name: "everybody waits", line: { order: "oldest" } },
  { name: "at most 20 wait, the oldest is next", line: { order: "oldest", waiting: 20 } },
  { name: "for 100 ms, the oldest is next", line: { order: "oldest", age: 100 } },
  { name: "for 100 ms, the newest is next", line: { order: "newest", age: 100 } },
  { name: "for 100 ms, adaptive, as in shed()", line: { order: "adaptive", age: 100 } },
];

/** @type {Settings} */
export const beginning = {
  load: 2,
  service: 5,
  servers: 1,
  varies: false,
  tries: 1,
  hasCrowd: false,
  line: 0,
};

/** How long a crowd comes, in seconds. */
export const crowd = { from: 5, to: 8, times: 4 };

const seconds = 20;
const secondsOfPoint = 8;
/** What it takes to begin doesn't count. */
const warmUp = 3;
const mostLoad = 3;

/** The share of the load at each point of the curve. */
const loads = Array.from({ length: 12 }, (_, index) => ((index + 1) / 12) * mostLoad);

/** @param {Settings} settings */
export function capacityOf({ service, servers }) {
  return (1000 / service) * servers;
}

/**
 * @param {Record<string, any>} modules the milestone's
 * @param {Settings} settings
 */
function modelOf(modules, { service, servers, varies, tries, line }) {
  return {
    service,
    servers,
    tries,
    ...(varies ? { times: modules.random.exponential } : {}),
    ...{ pause: 500, refusal: 0.2, deadline: 200, patience: 1000 },
    line: lines[line].line,
  };
}

/**
 * Goodput by load.
 *
 * @param {Record<string, any>} modules
 * @param {Settings} settings
 * @returns {{ load: number, goodput: number }[]} as shares of what the server can
 */
export function curveOf(modules, settings) {
  const capacity = capacityOf(settings);
  return loads.map((load) => {
    const model = { ...modelOf(modules, settings), rate: load * capacity };
    const { goodBySecond } = modules.simulate.simulate({ ...model, seconds: secondsOfPoint });
    const good = goodBySecond
      .slice(warmUp)
      .reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0);
    return { load, goodput: good / (secondsOfPoint - warmUp) / capacity };
  });
}

/**
 * What happens second by second.
 *
 * @param {Record<string, any>} modules
 * @param {Settings} settings
 * @returns {{ goodBySecond: number[], p50: number, p99: number, refused: number,
 *   left: number, sent: number }}
 */
export function play(modules, settings) {
  const base = settings.load * capacityOf(settings);
  const isCrowd = (/** @type {number} */ now) => now >= crowd.from * 1000 && now < crowd.to * 1000;
  const rate = settings.hasCrowd
    ? (/** @type {number} */ now) => (isCrowd(now) ? crowd.times * base : base)
    : base;
  const result = modules.simulate.simulate({ ...modelOf(modules, settings), rate, seconds });
  const { goodBySecond, percentile, refused, left, sent } = result;
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(share) ?? 0);
  return { goodBySecond, p50, p99, refused, left, sent };
}
