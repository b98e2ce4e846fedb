import { isPort } from "./sockets.js";

// What Prometheus takes: a name, and perhaps labels.
const SERIES = /^[a-zA-Z_:][\w:]*(\{[^\n]*\})?$/;

/** What a worker says. The program in it may send anything. */
export function readMessage(message) {
  const said = message?.velocy;
  if (typeof said !== "object" || said === null) return undefined;
  const { ready, barrier, beat, want, isWell } = said;
  return {
    ready: ready === true,
    barrier: barrier === true,
    beat: beat ? countsOf(beat) : undefined,
    want: isAddress(want) ? want : undefined,
    isWell: typeof isWell === "boolean" ? isWell : undefined,
  };
}

function countsOf({ counters, gauges }) {
  return { counters: numbersOf(counters), gauges: numbersOf(gauges) };
}

function numbersOf(series) {
  const entries = Object.entries(series ?? {}).filter(
    ([name, value]) => SERIES.test(name) && Number.isFinite(value),
  );
  return Object.fromEntries(entries);
}

function isAddress(want) {
  const { port, host = "" } = want ?? {};
  return isPort(port) && typeof host === "string";
}
