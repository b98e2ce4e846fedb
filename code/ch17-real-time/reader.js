import { setTimeout as sleep } from "node:timers/promises";

const address = `http://localhost:${process.env.PORT ?? 3000}/news`;
const texts = process.argv.slice(2);
const leaving = new AbortController();
const { signal } = leaving;
const headers = { "last-event-id": process.env.LAST_ID ?? "" };
const { body } = await fetch(address, { headers, signal });

async function putUpNews() {
  for (const text of texts) {
    await fetch(address, { method: "POST", body: text });
  }
  await sleep(500);
  leaving.abort();
}

let event = Object.create(null);

function take(line) {
  const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
  if (line !== "") event[field] = [...(event[field] ?? []), value];
  else if (event.data !== undefined) {
    const { event: type = ["message"], id = ["-"], data } = event;
    console.log(`${id.at(-1)} ${type.at(-1)}: ${data.join(" | ")}`);
  }
  if (line === "") event = Object.create(null);
}

if (texts.length > 0) putUpNews();
else console.log("waiting for news");
let rest = "";
try {
  const stream = body.pipeThrough(new TextDecoderStream());
  for await (const chunk of stream) {
    // Behind a CR at the end, an LF may still come.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) take(line);
  }
} catch (err) {
  if (err.name !== "AbortError") throw err;
}
