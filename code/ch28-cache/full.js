import process from "node:process";
import { Store } from "./lib/store.js";

const [from, to] = process.argv.slice(2).map(Number);
const store = new Store(8 * 1024 * 1024);
let stored = 0;
for (let n = 0; n < 200_000; n++) {
  if (n % 1000 === 0) store.now++;
  const key = Buffer.from(`key:${n}`);
  const length = n < 100_000 ? from : to;
  const item = store.reserve(key, 0, key.length, 0, 0, length);
  if (item <= 0) continue;
  store.link(item, 0);
  stored++;
}
console.log(`${stored} stored, ${store.items} there`);
