import { execFile } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

const VEGETA = process.env.VEGETA ?? "vegeta";
const USER = { email: "ada@example.org", password: "correct horse" };
// vegeta's columns: time, status, latency, bytes out and in, error, body,
// name, number. The times are in nanoseconds.
const LINE =
  /^(\d+),(\d+),(\d+),\d+,\d+,("(?:[^"]|"")*"|[^,]*),[^,]*,[^,]*,(\d+),/gm;
const NEVER_SENT = "never sent";
const run = promisify(execFile);

function readAnswers(csv, rate, seconds) {
  const rows = [...csv.matchAll(LINE)].map((row) => ({
    at: Number(row[1]) / 1e6,
    status: Number(row[2]),
    latency: Number(row[3]) / 1e6,
    error: row[4],
    number: Number(row[5]),
  }));
  rows.sort((a, b) => a.number - b.number);
  const dueAt = (number) => (number * 1000) / rate;
  const start = rows.reduce(
    (first, { at, number }) => Math.min(first, at - dueAt(number)),
    Number.POSITIVE_INFINITY,
  );
  const answers = rows.map(({ at, status, latency, error, number }) => {
    const due = dueAt(number);
    const late = at - start - due;
    return { due, late, took: late + latency, status, error };
  });
  const over = seconds * 1000;
  for (let number = rows.length; number < rate * seconds; number++) {
    const due = dueAt(number);
    const late = over - due;
    answers.push({ due, late, took: late, status: 0, error: NEVER_SENT });
  }
  return answers;
}

/**
 * Sends users at a rate, whatever the server does.
 *
 * @param {object} options
 * @param {string} options.url
 * @param {number} options.rate requests a second
 * @param {number} options.seconds
 * @param {number} [options.timeout] seconds after which vegeta gives up
 * @param {string[]} [options.before] words to put before vegeta's
 * @param {string[]} [options.more] further words of vegeta's
 * @throws {RangeError} for a number that isn't above 0
 */
export async function attack(options) {
  const { url, rate, seconds, timeout = 30 } = options;
  const { before = [], more = [] } = options;
  // For vegeta 0 is no bound.
  if (!(rate > 0 && seconds > 0 && timeout > 0)) {
    throw new RangeError("rate, seconds and timeout have to be above 0");
  }
  const folder = fs.mkdtempSync(`${tmpdir()}/attack-`);
  try {
    const target = `POST ${url}\nContent-Type: application/json\n`;
    fs.writeFileSync(`${folder}/target`, target);
    fs.writeFileSync(`${folder}/user`, JSON.stringify(USER));
    const words = [...before, VEGETA, "attack", `-rate=${rate}/1s`];
    words.push(`-duration=${seconds}s`, `-timeout=${timeout}s`, ...more);
    words.push(`-targets=${folder}/target`, `-body=${folder}/user`);
    words.push(`-output=${folder}/results`);
    const [program, ...rest] = words;
    await run(program, rest);
    const kept = [`-output=${folder}/csv`, `${folder}/results`];
    await run(VEGETA, ["encode", "-to=csv", ...kept]);
    const csv = fs.readFileSync(`${folder}/csv`, "utf8");
    return readAnswers(csv, rate, seconds);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const reasonOf = (error) => error.split(": ").at(-1).replaceAll('"', "");

// Those given up or never sent would have taken longer.
function hasLatency({ status, error }) {
  if (status !== 0) return status === 201;
  return /^never sent|deadline|timeout/i.test(reasonOf(error));
}

export function summarise(answers) {
  const all = answers.filter(hasLatency).map((each) => each.took);
  const took = all.sort((a, b) => a - b);
  const percentile = (p) => took[Math.ceil((p / 100) * took.length) - 1];
  const count = (test) => answers.filter(test).length;
  return {
    due: answers.length,
    sent: count(({ error }) => error !== NEVER_SENT),
    added: count(({ status }) => status === 201),
    refused: count(({ status }) => status !== 0 && status !== 201),
    unanswered: count(({ status }) => status === 0),
    p50: percentile(50),
    p99: percentile(99),
    max: percentile(100),
  };
}

function countReasons(answers) {
  const counts = new Map();
  for (const { status, error } of answers) {
    if (status === 201) continue;
    const reason = reasonOf(error || `status ${status}`);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rate: { type: "string", default: "500" },
      seconds: { type: "string", default: "5" },
      timeout: { type: "string", default: "30" },
    },
  });
  const [url] = positionals;
  const [rate, seconds, timeout] = ["rate", "seconds", "timeout"].map(
    (name) => Number(values[name]),
  );
  const answers = await attack({ url, rate, seconds, timeout });
  const result = summarise(answers);
  const { due, sent, added, refused, unanswered } = result;
  const [p50, p99, max] = ["p50", "p99", "max"].map(
    (name) => `${name} ${result[name]?.toFixed(1) ?? "–"} ms`,
  );
  console.log(`${due} due, ${sent} sent, ${added} added`);
  console.log(`${p50}, ${p99}, ${max}`);
  if (refused > 0) console.log(`${refused} refused`);
  if (unanswered > 0) console.log(`${unanswered} without an answer`);
  for (const [reason, count] of countReasons(answers)) {
    console.log(`${count}: ${reason}`);
  }
}
