import assert from "node:assert/strict";
import { test } from "node:test";
import { checkProperty } from "velocy/testing";
import { anyBody, cutAt } from "./bodies.js";
import { MultipartParser } from "./lib/request/multipart-parser.js";
import { takeApart } from "./parts.js";

test("takes a body apart, also in two halves", () => {
  const body = Buffer.from("--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--");
  const halves = [body.subarray(0, 20), body.subarray(20)];
  const whole = takeApart(MultipartParser, [body]);
  assert.equal(whole.length, 3);
  assert.deepEqual(takeApart(MultipartParser, halves), whole);
});

test("takes any body apart, however it is cut", async () => {
  const check = (any) => {
    const whole = takeApart(MultipartParser, [Buffer.from(any.body)]);
    assert.deepEqual(takeApart(MultipartParser, cutAt(any)), whole);
  };
  await checkProperty(anyBody, check, { runs: 2000 });
});
