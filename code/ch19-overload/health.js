import { setTimeout as sleep } from "node:timers/promises";

const address = `http://localhost:${process.env.PORT ?? 3000}/health`;
let answers = 0;

for (let i = 0; i < 20; i += 1) {
  const response = await fetch(address);
  if (response.ok) answers += 1;
  await sleep(100);
}
console.log(`${answers} of 20`);
