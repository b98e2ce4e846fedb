import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";

const port = Number(process.env.PORT ?? 3000);
const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
const [path, count] = process.argv.slice(2);

async function ask(path) {
  const request = http.get({ agent, port, path });
  const [response] = await once(request, "response");
  return text(response);
}

async function load(count) {
  let left = count;
  const askAll = async () => {
    while (left > 0) {
      left -= 1;
      await ask(path);
    }
  };
  await Promise.all(Array.from({ length: 16 }, askAll));
}

async function usedTime() {
  const { user, system } = JSON.parse(await ask("/cpu"));
  return user + system;
}

await load(Number(count));
const before = await usedTime();
await load(Number(count));
const each = ((await usedTime()) - before) / Number(count);
console.log(`for each answer: ${each.toFixed(1)} µs`);
