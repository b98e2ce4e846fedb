import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isAboutLacking, lacks } from "../../tools/lib/programs.js";

describe("a program", () => {
  it("that is there is nothing to speak of", () => {
    assert.equal(lacks("node"), false);
    assert.equal(lacks("node", "npm"), false);
  });

  it("that is missing is named, with the ways to install it", (t) => {
    const { PATH } = process.env;
    t.after(() => {
      process.env.PATH = PATH;
    });
    process.env.PATH = "/nowhere";
    const said = lacks("ps", "curl");
    assert.equal(
      said,
      "ps is not on this machine: apt-get install procps (Debian, Ubuntu), " +
        "dnf install procps-ng (Fedora)",
    );
    assert.match(String(lacks("curl")), /^curl is not .* brew install curl \(macOS\)$/);
    assert.ok(isAboutLacking(`3 SKIPPED: ${said}`), "the note of a stage is known for what it is");
    assert.ok(!isAboutLacking("3 SKIPPED: challenge 2"), "another one is not");
  });
});
