import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  testAccepts,
  testConditionalAnswers,
  testDates,
  testErrors,
  testFraming,
  testHooks,
  testMethods,
  testPreconditions,
  testPreconditionsHold,
  testPreferredType,
  testQuietStreams,
  testRedirects,
  testReturned,
  testSend,
  testShortWays,
  testStreams,
  testTags,
} from "../../contracts/responses/index.js";
import * as velocy from "../index.js";
import { formatDate, parseDate } from "../lib/response/date.js";
import * as etag from "../lib/response/etag.js";
import { preferredType } from "../lib/response/negotiate.js";
import { judgePreconditions } from "../lib/response/preconditions.js";
import { send } from "../lib/response/send.js";

describe("A length is counted in bytes", () => {
  testMethods(velocy);

  it("keeps the classes of requests and responses for itself", () => {
    for (const option of ["IncomingMessage", "ServerResponse"]) {
      const options = { [option]: class {} };
      assert.throws(
        () => velocy.createServer(new velocy.Router(), options),
        { code: "ERR_OPTION_RESERVED" },
      );
    }
  });
});

describe("What Node's own methods let through", () => {
  testFraming(velocy, { returns: true });
});

describe("Return it", () => {
  testReturned(velocy);
});

describe("Go there instead", () => {
  testRedirects(velocy);
});

describe("No, and why", () => {
  testErrors(velocy);
});

describe("What would you like?", () => {
  testPreferredType(preferredType);
  testAccepts(velocy);
});

describe("The last word", () => {
  testHooks(velocy);
});

describe("As it comes", () => {
  testStreams(velocy);
});

describe("Streams that say nothing", () => {
  testQuietStreams(velocy);
  testSend(velocy, send);
});

describe("Has it changed?", () => {
  testDates(parseDate, formatDate);
  testTags(etag);
});

describe("Four fields, one order", () => {
  testPreconditions(judgePreconditions);
  testConditionalAnswers(velocy);
});

describe("Only if nobody was faster", () => {
  testPreconditionsHold(velocy);
});

describe("Making the checks cheaper", () => {
  testShortWays(velocy);
});
