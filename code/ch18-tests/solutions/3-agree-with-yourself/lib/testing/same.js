import assert from "node:assert/strict";
import { inject } from "./inject.js";
import { checkProperty } from "./property.js";

/**
 * Sends requests that mean the same, and compares the answers.
 *
 * @param {import("../router/router.js").Router} router
 * @param {(choices: import("./choices.js").Choices) => any} make a request
 * @param {object} [options] as for `checkProperty`
 */
export function checkSame(router, make, options) {
  const pair = (choices) => {
    const request = make(choices);
    const target = spell(choices, request.target ?? "/");
    return { request, other: { ...request, target } };
  };
  const check = async ({ request, other }) => {
    const [a, b] = [
      await inject(router, request),
      await inject(router, other),
    ];
    assert.equal(b.statusCode, a.statusCode);
    assert.equal(b.text(), a.text());
  };
  return checkProperty(pair, check, options);
}

function spell(choices, target) {
  const [path, ...query] = target.split("?");
  const spelled = path.replace(/(?<!%|%.)[a-z]/gi, (letter) => {
    if (choices.below(2) === 0) return letter;
    return `%${letter.charCodeAt(0).toString(16)}`;
  });
  return [spelled, ...query].join("?");
}
