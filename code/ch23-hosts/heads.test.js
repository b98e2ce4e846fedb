import { test } from "node:test";
import { HttpError } from "velocy";
import { fuzz } from "velocy/testing";
import { parsePartHead } from "./lib/request/part-head.js";

const inputs = [
  '\r\ncontent-disposition: form-data; name="a"',
  "\r\ncontent-disposition:form-data",
];
const runs = Number(process.env.RUNS ?? 2000);
const source = new RegExp(process.env.SOURCE ?? "lib/request/");

test("reads or refuses any head of a part", async () => {
  const read = (bytes) => {
    try {
      parsePartHead(bytes);
    } catch (err) {
      if (!(err instanceof HttpError)) throw err;
    }
  };
  await fuzz(read, { source, inputs, runs });
});
