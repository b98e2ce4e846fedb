/** Chapter 17's chat, in two windows of a browser, as a reader opens it. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { milestonesFolder } from "../../benchmarks/lib/paths.js";
import { Program } from "../../code/contracts/program.js";
import { noBrowser, openBrowser } from "./support.js";

/** @import { Browser } from "playwright-core" */

/** @type {Browser | null} */
const browser = await openBrowser();
const skip = browser ? false : noBrowser;
const folder = `${milestonesFolder}/ch17-real-time`;
/** @type {Program} */
let program;

before(async () => {
  program = await Program.start(folder);
});
after(async () => {
  await browser?.close();
  await program.close();
});

/** @param {string} [room] */
async function openChat(room = "tea") {
  const context = await /** @type {Browser} */ (browser).newContext();
  const page = await context.newPage();
  /** @type {Error[]} */
  const errors = [];
  page.on("pageerror", (err) => errors.push(err));
  await page.goto(`http://localhost:${program.port}/chat.html?room=${room}`);
  await page.getByText(`in the room ${room}`).waitFor();
  return { page, errors };
}

test("two windows talk, and a third in another room hears nothing", { skip }, async () => {
  const first = await openChat();
  const second = await openChat();
  const third = await openChat("coffee");
  await second.page.getByRole("textbox").fill("<img src=x onerror=alert(1)>");
  await second.page.getByRole("button").click();
  const item = first.page.locator("li", { hasText: "onerror" });
  await item.waitFor();
  assert.match(await item.innerText(), /^guest \d+: <img src=x onerror=alert\(1\)>$/);
  assert.equal(await first.page.locator("img").count(), 0, "text stays text");
  assert.equal(await third.page.locator("li", { hasText: "onerror" }).count(), 0);
  await second.page.context().close();
  await first.page.locator("li", { hasText: "has left" }).waitFor();
  for (const { errors } of [first, third]) assert.deepEqual(errors, []);
});

test("a page comes back when the server has been started again", { skip }, async () => {
  const { page } = await openChat("milk");
  const { port } = program;
  await program.close();
  await page.getByText("away").waitFor();
  program = await Program.start(folder, "server.js", { PORT: String(port) });
  await page.getByText("in the room milk").waitFor();
});

test("the page of another origin isn't let in", { skip }, async () => {
  const context = await /** @type {Browser} */ (browser).newContext();
  const page = await context.newPage();
  // The same server, by another name.
  await page.goto(`http://127.0.0.1:${program.port}/chat.html`);
  const outcome = await page.evaluate(async (port) => {
    const socket = new WebSocket(`ws://localhost:${port}/chat/tea`);
    return new Promise((resolve) => {
      socket.onopen = () => resolve("open");
      socket.onclose = ({ code }) => resolve(code);
    });
  }, program.port);
  assert.equal(outcome, 1006);
});

test("an EventSource comes back with the last id, and an alarm can't be forged", {
  skip,
}, async () => {
  const context = await /** @type {Browser} */ (browser).newContext();
  const page = await context.newPage();
  const address = `http://localhost:${program.port}`;
  await page.goto(`${address}/chat.html`);
  const seen = await page.evaluate(async () => {
    const source = new EventSource("/news");
    await new Promise((resolve) => source.addEventListener("open", resolve));
    /** @type {string[]} */
    const events = [];
    source.addEventListener("alarm", () => events.push("alarm"));
    const message = new Promise((resolve) => {
      source.onmessage = ({ data, lastEventId }) => {
        events.push(`${lastEventId} ${data}`);
        resolve(undefined);
      };
    });
    const body = "rain\r\revent: alarm\rdata: fire";
    await fetch("/news", { method: "POST", body });
    await message;
    await new Promise((resolve) => setTimeout(resolve, 100));
    source.close();
    return events;
  });
  assert.deepEqual(seen, ["1 rain\n\nevent: alarm\ndata: fire"]);
});
