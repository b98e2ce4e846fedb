/**
 * What can't be equal from run to run or from machine to machine, and what it
 * becomes on both sides before a transcript is compared. Everything that isn't
 * in this list is compared to the letter.
 *
 * @type {{ what: string, pattern: RegExp, becomes: string }[]}
 */
export const RULES = [
  {
    what: "an HTTP date (RFC 9110, section 5.6.7)",
    pattern: /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT\b/g,
    becomes: "<date>",
  },
  {
    what: "an ISO 8601 date",
    pattern: /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g,
    becomes: "<date>",
  },
  {
    what: 'a process id: `pid 123`, `"pid": 123`, Node\'s `(node:123)`',
    pattern: /(\bpid\b["']?[ :=]{1,3}|\(node:)\d+/gi,
    becomes: "$1<pid>",
  },
  {
    what: "a duration with decimals: `1.25 ms`, `0.3s`, `duration_ms 2.1`",
    pattern: /\b\d+\.\d+( ?(?:ms|µs|us|ns|s|seconds|milliseconds)\b)|(\bduration_ms )\d+(\.\d+)?/g,
    becomes: "$2<duration>$1",
  },
  {
    what: "a measured duration in whole units: `in 12 ms`, `after 3 ms`, `took 8 ms`",
    pattern: /\b(in|after|took) \d+( ?)(ms|milliseconds)\b/g,
    becomes: "$1 <duration>$2$3",
  },
  {
    what: "an ephemeral port after a loopback address or the word port",
    pattern:
      /((?:127\.0\.0\.1|::1\]?|localhost)[: ]|port["']?[ :=]{1,3})(?:3[2-9]|[45]\d|6[0-5])\d{3}\b/gi,
    becomes: "$1<port>",
  },
  {
    what: "the any and loopback addresses, which are IPv4 or IPv6 by the machine",
    pattern: /::ffff:127\.0\.0\.1|\[::1\]|(?<![\w:])::1(?!\w)|\b127\.0\.0\.1\b/g,
    becomes: "<loopback>",
  },
  {
    what: "the address of a listener on every interface",
    pattern: /(?<![\w:])::(?=:\d|'|"|$)|\b0\.0\.0\.0\b/g,
    becomes: "<any>",
  },
  { what: "Node's version", pattern: /\bv[23]\d\.\d+\.\d+\b/g, becomes: "<node>" },
  { what: "curl's version", pattern: /\bcurl\/\d+\.\d+\.\d+/g, becomes: "curl/<version>" },
  {
    what: "curl's two spellings of one error",
    pattern: /Couldn't connect to server/g,
    becomes: "Could not connect to server",
  },
  { what: "a system's number for an error", pattern: /\berrno: -\d+/g, becomes: "errno: <errno>" },
  {
    what: "a line of Node's own source",
    pattern: /\bnode:[\w/]+:\d+(:\d+)?/g,
    becomes: "node:<internal>",
  },
];

/** A frame of a stack trace, and what it may be followed by. */
const FRAME = /^\s+at .*?( \{)?$/;

/** A frame in the reader's own file, which stays: its line number has to be true. */
const OWN_FRAME = /[(/ ](?!node:)[^\s()]*\.[cm]?js:\d+:\d+\)?( \{)?$/;

/**
 * Makes a transcript's lines comparable. Runs of stack frames from inside
 * Node become one line.
 *
 * @param {string[]} lines
 * @returns {{ text: string, index: number }[]} the lines, each with its index
 *   before
 */
export function normalise(lines) {
  const result = [];
  for (const [index, line] of lines.entries()) {
    if (FRAME.test(line) && !OWN_FRAME.test(line)) {
      const text = line.endsWith(" {") ? "    at <node> {" : "    at <node>";
      if (result.at(-1)?.text === "    at <node>") result.pop();
      result.push({ text, index });
    } else {
      result.push({ text: normaliseLine(line), index });
    }
  }
  return result;
}

/** @param {string} line */
function normaliseLine(line) {
  let text = line;
  for (const { pattern, becomes } of RULES) text = text.replace(pattern, becomes);
  return text;
}
