import assert from "node:assert/strict";
import { Client } from "./serving.js";

/**
 * Plays a case to a server.
 *
 * @param {any} each
 * @param {any} place
 * @param {(seconds: number) => unknown} pass lets time go by
 */
export async function play(each, place, pass) {
  const client = await Client.open(place);
  let version = "";
  try {
    for (const step of each.steps) {
      if (typeof step === "number") await pass(step);
      else if (Array.isArray(step)) await ask(client, step);
      else if (step.another) (await Client.open(place)).close();
      else if (step.stats) await readStats(client, step.stats);
      else if (step.gets) version = await gets(client, step);
      else {
        const word = step.quiet ? " noreply" : "";
        const { length } = step.data;
        const line = `cas ${step.cas} 0 0 ${length} ${version}${word}`;
        await ask(client, [`${line}\r\n${step.data}\r\n`, step.answer]);
      }
    }
  } finally {
    client.close();
  }
}

/** @param {any} client @param {any} step */
async function ask(client, step) {
  const [sent, expected] = step;
  if (expected === null) {
    client.socket.write(sent);
    const rest = await client.ended();
    assert.ok(
      !rest.includes("VALUE"),
      `closed after ${JSON.stringify(rest)}`,
    );
    return;
  }
  const answer = await client.ask(sent, expected);
  assert.equal(
    cut(answer),
    cut(expected),
    `to ${JSON.stringify(cut(sent))}`,
  );
}

function cut(text) {
  return text.length > 300
    ? `${text.slice(0, 300)}... (${text.length})`
    : text;
}

async function gets(client, { gets: key, data }) {
  const answer = await client.askUntil(`gets ${key}\r\n`, "END\r\n");
  const [head, body] = answer.split("\r\n");
  assert.match(head, new RegExp(`^VALUE ${key} 0 ${data.length} \\d+$`));
  assert.equal(body, data);
  return head.split(" ").at(-1);
}

async function readStats(client, expected) {
  const answer = await client.askUntil("stats\r\n", "END\r\n");
  const rows = answer.split("\r\n").map((line) => line.split(" "));
  const found = Object.fromEntries(
    rows.map(([, name, value]) => [name, value]),
  );
  for (const [name, value] of Object.entries(expected)) {
    assert.equal(found[name], String(value), name);
  }
}
