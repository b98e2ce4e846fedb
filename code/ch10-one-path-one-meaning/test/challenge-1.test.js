import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as paths from "../lib/router/path.js";

const { pathOf } = paths;
const skip = process.env.CHALLENGE !== "1" && "challenge 1";

/** What random segments are made of. */
const LETTERS = [..."aZ09-._~!$&'()*+,;=:@/\\?#%\"<>[]^`{|} éß日本😀"];

describe("Challenges", { skip }, () => {
  /** @type {(path: string) => string} the reader's function */
  let canonicalTarget;
  before(() => {
    canonicalTarget = /** @type {any} */ (paths).canonicalTarget;
    assert.equal(typeof canonicalTarget, "function");
  });

  for (const [path, target] of [
    ["/", "/"],
    ["/users/7", "/users/7"],
    ["/a b", "/a%20b"],
    ["/café", "/caf%C3%A9"],
    ["/😀/x", "/%F0%9F%98%80/x"],
    ["/a%2Fb", "/a%2Fb"],
    ["/100%25", "/100%25"],
    ["/%2561", "/%2561"],
    ["/a?b", "/a%3Fb"],
    ["/a#b", "/a%23b"],
    ["/a\\b", "/a%5Cb"],
    ["/a+b&c=d;e:f@g", "/a+b&c=d;e:f@g"],
    ["/.a/...", "/.a/..."],
    ["/a/", "/a/"],
  ]) {
    it(`gives ${target} for ${path}`, () => {
      assert.equal(upper(canonicalTarget(path)), upper(target));
    });
  }

  it("is the inverse of pathOf, ten thousand times", () => {
    const random = generator(2026);
    let count = 0;
    while (count < 10_000) {
      const path = randomPath(random);
      if (path === null) continue;
      count += 1;
      const target = canonicalTarget(path);
      assert.match(target, /^[!-~]+$/, path);
      assert.equal(pathOf(target), path);
      assert.equal(target.length, shortest(path), `${target} for ${path}`);
    }
  });
});

/** @param {string} target whose escapes may be in small letters */
function upper(target) {
  return target.replace(/%[0-9a-f]{2}/gi, (text) => text.toUpperCase());
}

/**
 * How long a target has to be: three characters for each byte that can't
 * stand for itself.
 *
 * @param {string} path
 */
function shortest(path) {
  const lengths = [...path].map((letter) =>
    /[!-~]/.test(letter) && !/[?#\\]/.test(letter)
      ? 1
      : 3 * Buffer.byteLength(letter),
  );
  return lengths.reduce((sum, length) => sum + length, 0);
}

/**
 * @param {(below: number) => number} random
 * @returns {string | null} null if it has no canonical form
 */
function randomPath(random) {
  const segments = Array.from({ length: 1 + random(3) }, () => {
    const letters = Array.from(
      { length: 1 + random(5) },
      () => LETTERS[random(LETTERS.length)],
    );
    return encodeURIComponent(letters.join(""));
  });
  try {
    return pathOf(`/${segments.join("/")}`);
  } catch {
    return null;
  }
}

/**
 * Numbers that look random, and are the same every time.
 *
 * @param {number} seed
 */
function generator(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
