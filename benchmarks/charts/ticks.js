import { formatNumber } from "../lib/table.js";
import { widthOf } from "./text.js";

/**
 * @typedef {object} Tick
 * @property {number} at
 * @property {string} label
 * @property {string} [short] for where the label has no room
 */

/** @param {number} value without the dust of floating point */
function tidy(value) {
  return Number(value.toPrecision(6));
}

/**
 * @param {number} least
 * @returns {number} 1, 2 or 5 times a power of ten, not below it
 */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((each) => each * power >= least * 0.999);
  return tidy((factor ?? 10) * power);
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} count about how many steps
 * @param {number} [least] step
 * @returns {number[]}
 */
export function linearTicks(from, to, count, least = 0) {
  const step = Math.max(least, niceStep((to - from) / count || 1));
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => tidy((first + index) * step));
}

/**
 * @param {number} from above zero
 * @param {number} to
 * @returns {number[]} round numbers between, dense enough to read a log axis
 */
export function logTicks(from, to) {
  const decades = Math.log10(to / from);
  if (decades < 0.5) return linearTicks(from, to, 4);
  const factors = decades > 3.2 ? [1] : decades > 1.1 ? [1, 2, 5] : [1, 1.5, 2, 3, 5, 7];
  const first = Math.floor(Math.log10(from));
  const powers = Array.from(
    { length: Math.ceil(decades) + 2 },
    (_, index) => 10 ** (first + index),
  );
  return powers
    .flatMap((power) => factors.map((factor) => tidy(factor * power)))
    .filter((value) => value >= from * 0.999 && value <= to * 1.001);
}

/** @param {number} value */
export function formatTick(value) {
  const digits = Math.max(0, Math.min(3, 2 - Math.floor(Math.log10(Math.abs(value) || 1))));
  return value >= 1000 ? formatNumber(value) : String(Number(value.toFixed(digits)));
}

/** @param {number} value */
export function shortenTick(value) {
  if (value >= 1_000_000) return `${formatTick(value / 1_000_000)}M`;
  return value >= 1000 ? `${formatTick(value / 1000)}k` : formatTick(value);
}

/**
 * @param {{ type: "linear" | "log", domain: number[], range: number[] }} scale
 * @returns {(at: number) => number} pixels
 */
export function scaleOf({ type, domain, range }) {
  const of = (/** @type {number} */ value) => (type === "log" ? Math.log(value) : value);
  const [from, to] = domain.map(of);
  return (at) => range[0] + ((of(at) - from) / (to - from)) * (range[1] - range[0]);
}

const gap = 10;

/**
 * @typedef {object} Placed a tick's label, by its middle
 * @property {string} label
 * @property {number} x
 * @property {number} at
 */

/**
 * Places the labels of a horizontal axis so that none touches another or
 * leaves the picture: in short form, or fewer of them, where they must. The
 * roundest numbers stay.
 *
 * @param {Tick[]} ticks in rising order
 * @param {(at: number) => number} positionOf
 * @param {{ from: number, to: number }} room in pixels
 * @returns {Placed[]}
 */
export function placeTicks(ticks, positionOf, room) {
  const long = fit(ticks, positionOf, room);
  if (long.length === ticks.length) return long;
  const short = ticks.map((tick) => ({ ...tick, label: tick.short ?? tick.label }));
  const shortened = fit(short, positionOf, room);
  return shortened.length > long.length ? shortened : long;
}

/**
 * @param {Tick[]} ticks
 * @param {(at: number) => number} positionOf
 * @param {{ from: number, to: number }} room
 * @returns {Placed[]}
 */
function fit(ticks, positionOf, { from, to }) {
  /** @type {(Placed & { half: number })[]} */
  const placed = [];
  for (const { at, label } of byRoundness(ticks)) {
    const half = widthOf(label) / 2;
    const x = Math.min(Math.max(positionOf(at), from + half), to - half);
    const isFree = placed.every((other) => Math.abs(other.x - x) >= other.half + half + gap);
    if (isFree) placed.push({ label, x, at, half });
  }
  return placed.sort((a, b) => a.x - b.x).map(({ label, x, at }) => ({ label, x, at }));
}

/**
 * @param {Tick[]} ticks
 * @returns {Tick[]} 1 and the powers of ten first, then the ends
 */
function byRoundness(ticks) {
  const rank = (/** @type {Tick} */ tick, /** @type {number} */ index) => {
    if (Number.isInteger(Math.log10(tick.at))) return 0;
    return index === 0 || index === ticks.length - 1 ? 1 : 2;
  };
  return ticks
    .map((tick, index) => ({ tick, rank: rank(tick, index) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ tick }) => tick);
}
