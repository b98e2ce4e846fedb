import { setTimeout as sleep } from "node:timers/promises";

const base = `http://127.0.0.1:${process.env.PORT ?? 3000}`;
const seconds = Number(process.argv[2]);
const run = Date.now();

async function ask(method, path) {
  const start = performance.now();
  let answer = "no answer";
  try {
    const response = await fetch(base + path, { method });
    await response.text();
    const isFromProxy = [502, 504].includes(response.status);
    if (!isFromProxy) answer = String(response.status);
  } catch {}
  return { method, answer, time: performance.now() - start };
}

async function askAll() {
  const asked = [];
  for (let number = 0; number < seconds * 100; number += 2) {
    asked.push(ask("GET", "/"));
    await sleep(10);
    asked.push(ask("POST", `/orders/${run}/${number}`));
    await sleep(10);
  }
  return Promise.all(asked);
}

function share(count, of) {
  if (count === 0) return "none";
  if (count === of) return `all ${of}`;
  if (count > of / 2) return "most";
  return count > of * 0.15 ? "many" : "a few";
}

const asked = await askAll();
for (const method of ["GET", "POST"]) {
  const answers = asked
    .filter((each) => each.method === method)
    .map(({ answer }) => answer);
  const counts = [...new Set(answers)].sort().map((kind) => {
    const { length } = answers.filter((each) => each === kind);
    return `${kind} (${share(length, answers.length)})`;
  });
  console.log(`${method}: ${counts.join(", ")}`);
}

const pages = asked.filter(({ method }) => method === "GET");
const soon = pages.filter(({ time }) => time < 150).length;
const isSoon = soon > pages.length / 2;
console.log(`half of the pages in time: ${isSoon ? "yes" : "no"}`);
const slow = asked.filter(({ time }) => time > 1_000).length;
console.log(`slower than a second: ${share(slow, asked.length)}`);

async function readOrders() {
  for (let i = 0; i < 50; i += 1) {
    const response = await fetch(`${base}/orders/${run}`);
    if (response.ok) return JSON.parse(await response.text());
    await sleep(100);
  }
  throw new Error("the orders can't be read");
}

const taken = await readOrders();
const twice = taken.length - new Set(taken).size;
console.log(`orders taken twice: ${share(twice, taken.length)}`);
