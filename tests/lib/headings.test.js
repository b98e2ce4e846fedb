import assert from "node:assert/strict";
import { it } from "node:test";
import { headingsOf } from "../../tools/lib/headings.js";

/** Headings, and the ids that mdBook 0.5.4 gave them. */
const IDS = [
  ["# A Title", "a-title"],
  ["## What `node:http` is: ch05 – “quoted” & é's", "what-nodehttp-is-ch05--quoted--és"],
  ["## The *this* that goes_missing, 1.5  two", "the-this-that-goes_missing-15--two"],
  ["## The *this* that goes_missing, 1.5  two", "the-this-that-goes_missing-15--two-1"],
  ['## It\'s "fast" -- really... ÀB', "its-fast--really-àb"],
  ["### `req.url` & <b>x</b> [link](a.md)", "requrl--x-link"],
];

it("headings have the ids that they have on the page", () => {
  const markdown = IDS.map(([heading]) => `${heading}\n`).join("\n");
  assert.deepEqual(
    headingsOf(markdown).map(({ anchor }) => anchor),
    IDS.map(([, id]) => id),
  );
});
