#!/usr/bin/env node
import { parseArgs } from "node:util";
import { supervise } from "../lib/cluster/supervisor.js";

const HELP = `velocy SCRIPT [options] [-- arguments of the script]

Runs a server in several processes, which share its ports.

  --workers N        how many; one for each core
  --sharing WAY      socket, round-robin or reuse-port
  --deadline MS      how long a worker may take to finish
  --hung-after MS    a worker that says nothing for so long is killed
  --metrics-port N   where this machine can read what was counted
  --help             this text

kill -HUP replaces the workers one by one, kill -TERM ends them.`;
const TEXT = /** @type {const} */ ({ type: "string" });
const NUMBERS = ["workers", "deadline", "hung-after", "metrics-port"];

function readArguments(words) {
  const names = [...NUMBERS, "sharing"];
  const { values, positionals } = parseArgs({
    args: words,
    options: Object.fromEntries(names.map((name) => [name, TEXT])),
    allowPositionals: true,
    strict: false,
  });
  const [script = "", ...args] = positionals;
  const settings = { script, args };
  for (const [name, value] of Object.entries(values)) {
    const key = name.replace(/-./g, (part) => part[1].toUpperCase());
    const isNumber = NUMBERS.includes(name) && /^\d+$/.test(String(value));
    settings[key] = isNumber ? Number(value) : value;
  }
  return settings;
}

const words = process.argv.slice(2);
const own = words.slice(0, words.indexOf("--") >>> 0);

try {
  if (words.length === 0 || own.includes("--help")) console.log(HELP);
  else await supervise(readArguments(words)).done;
} catch (err) {
  console.error(`velocy: ${err.message}`);
  process.exitCode = 1;
}
