import { createInterface } from "node:readline";

const names = process.argv.slice(2);
for await (const line of createInterface({ input: process.stdin })) {
  const fields = JSON.parse(line);
  const values = names.map((name) => JSON.stringify(fields[name]) ?? "-");
  console.log(values.join(" "));
}
