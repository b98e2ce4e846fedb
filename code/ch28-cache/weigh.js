import process from "node:process";

const COUNT = 500_000;
const before = process.memoryUsage.rss();
const items = new Map();
for (let n = 0; n < COUNT; n++) {
  const key = `key:${String(n).padStart(8, "0")}`;
  const data = process.argv[2] === "text" ? "abc" : Buffer.from("abc");
  items.set(key, { flags: 0, expires: 0, data });
}
const bytes = process.memoryUsage.rss() - before;
console.log(`${items.size} items, ${Math.round(bytes / COUNT)} bytes each`);
