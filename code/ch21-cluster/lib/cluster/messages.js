import { isPort } from "./sockets.js";

// What Prometheus takes: a name, and perhaps labels with commas between.
const NAME = /^[a-zA-Z_:][\w:]*$/;
const SERIES =
  /^[a-zA-Z_:][\w:]*(\{([a-zA-Z_]\w*="[^"\\\n]*"(,|(?=\})))+\})?$/;

/** What a worker says. The program in it may send anything. */
export function readMessage(message) {
  const said = message?.velocy;
  if (typeof said !== "object" || said === null) return undefined;
  const { ready, barrier, beat, want } = said;
  return {
    ready: ready === true,
    barrier: barrier === true,
    beat: beat ? countsOf(beat) : undefined,
    want: isAddress(want) ? want : undefined,
  };
}

// A gauge gets its label, the worker's number, from the supervisor.
function countsOf({ counters, gauges }) {
  return {
    counters: numbersOf(counters, SERIES),
    gauges: numbersOf(gauges, NAME),
  };
}

function numbersOf(series, pattern) {
  const entries = Object.entries(series ?? {}).filter(
    ([name, value]) => pattern.test(name) && Number.isFinite(value),
  );
  return Object.fromEntries(entries);
}

function isAddress(want) {
  const { port, host = "" } = want ?? {};
  return isPort(port) && typeof host === "string";
}
