#!/usr/bin/env node
import { parseArgs } from "node:util";
import { supervise } from "../lib/cluster/supervisor.js";
import { refuseUnknown } from "../lib/options.js";

const HELP = `velocy SCRIPT [options] [-- arguments of the script]

Runs a server in several processes, which share its ports.

  --workers N        how many; one for each core it may use
  --sharing WAY      socket, round-robin or reuse-port
  --deadline MS      how long a worker may take to finish
  --start-timeout MS how long it may take until it listens
  --stable-after MS  one that ends sooner isn't replaced at once
  --hung-after MS    a worker that says nothing for so long is killed
  --metrics-port N   where this machine can read what was counted
  --help             this text

kill -HUP replaces the workers one by one, kill -TERM ends them.`;
const TEXT = /** @type {const} */ ({ type: "string" });
const TIMES = ["deadline", "start-timeout", "stable-after", "hung-after"];
const NUMBERS = ["workers", "metrics-port", ...TIMES];
const WHOLE = /^(\d+|Infinity)$/;

function readArguments(words) {
  const names = [...NUMBERS, "sharing"];
  const { values, positionals } = parseArgs({
    args: words,
    options: Object.fromEntries(names.map((name) => [name, TEXT])),
    allowPositionals: true,
    strict: false,
  });
  refuseUnknown(values, names);
  const [script = "", ...args] = positionals;
  const settings = {};
  for (const [name, value] of Object.entries(values)) {
    const key = name.replace(/-./g, (part) => part[1].toUpperCase());
    const isNumber = NUMBERS.includes(name) && WHOLE.test(String(value));
    settings[key] = isNumber ? Number(value) : value;
  }
  return { ...settings, script, args };
}

const words = process.argv.slice(2);
const end = words.indexOf("--");
const own = end < 0 ? words : words.slice(0, end);

try {
  if (words.length === 0 || own.includes("--help")) console.log(HELP);
  else await supervise(readArguments(words)).done;
} catch (err) {
  console.error(`velocy: ${err.message}`);
  process.exitCode = 1;
}
