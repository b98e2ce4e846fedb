import process from "node:process";

const BYTES = 48_000_000;
const count = Number(process.argv[2]);
const items = new Map();
for (let n = 0; n < count; n++) {
  const data = Buffer.allocUnsafe(BYTES / count);
  items.set(`key:${n}`, { flags: 0, expires: 0, data });
}
const start = performance.now();
globalThis.gc();
const took = (performance.now() - start).toFixed(1);
console.log(`items: ${items.size}, a collection: ${took} ms`);
