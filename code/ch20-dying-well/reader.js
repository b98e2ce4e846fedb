import { setTimeout as sleep } from "node:timers/promises";

const address = `http://localhost:${process.env.PORT ?? 3000}/news`;
const headers = { "last-event-id": process.env.LAST_ID ?? "" };
const leaving = new AbortController();
const { signal } = leaving;
const { body } = await fetch(address, { headers, signal });

async function putUpNews() {
  for (const text of process.argv.slice(2)) {
    await fetch(address, { method: "POST", body: text });
  }
  await sleep(500);
  leaving.abort();
}

putUpNews();
let text = "";
try {
  const stream = body.pipeThrough(new TextDecoderStream());
  for await (const chunk of stream) text += chunk;
} catch (err) {
  if (err.name !== "AbortError") throw err;
}

let event = Object.create(null);
for (const line of text.split(/\r\n|\r|\n/)) {
  const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
  if (line !== "") event[field] = [...(event[field] ?? []), value];
  else if (event.data !== undefined) {
    const { event: type = ["message"], id = ["-"], data } = event;
    console.log(`${id.at(-1)} ${type.at(-1)}: ${data.join(" | ")}`);
  }
  if (line === "") event = Object.create(null);
}
