import { setTimeout as sleep } from "node:timers/promises";

const waiting = [];
let free = 8;

export async function query() {
  if (free > 0) free -= 1;
  else await new Promise((resolve) => waiting.push(resolve));
  await sleep(40);
  const next = waiting.shift();
  if (next === undefined) free += 1;
  else next();
  return "data\n";
}
