import { once } from "node:events";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const port = Number(process.env.PORT ?? 3000);
const seconds = Number(process.argv[2]);
const agents = [true, false].map((keepAlive) => {
  return new http.Agent({ keepAlive });
});
let lost = 0;

async function work(agent) {
  const signal = AbortSignal.timeout(3000);
  const options = { agent, port, method: "POST", path: "/work", signal };
  try {
    const request = http.request(options).end();
    const [response] = await once(request, "response");
    await once(response.resume(), "end");
    if (response.statusCode !== 200) lost += 1;
  } catch {
    lost += 1;
  }
}

const all = [];
for (let i = 0; i < 100 * seconds; i += 1) {
  all.push(work(agents[i % 2]));
  await sleep(10);
}
await Promise.all(all);
for (const agent of agents) agent.destroy();
console.log("lost:", lost === 0 ? "none" : "some");
