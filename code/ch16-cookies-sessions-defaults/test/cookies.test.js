import { describe } from "node:test";
import {
  testCookieFields,
  testSetCookie,
  testSigner,
} from "../../contracts/defaults/index.js";
import * as velocy from "../index.js";

describe("What a browser keeps", () => {
  describe("req.cookies", () => testCookieFields(velocy));
  describe("res.setCookie", () => testSetCookie(velocy));
});

describe("Signed", () => testSigner(velocy));
