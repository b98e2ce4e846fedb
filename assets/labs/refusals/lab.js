/** Chapter 4's lab: bytes to the milestone's parser, and what it says to them. */

import { count, glyphOf } from "../bytes.js";
import { refusals as lab } from "../labs.js";
import { fact, make, partTitle, requestItem } from "../page.js";
import { readCommand, send } from "./model.js";
import { addressOf, reasonPhrases, rules } from "./rules.js";

/**
 * @import { Start } from "../start.js"
 * @import { Outcome } from "./model.js"
 */

/** How many bytes are shown before the one that was refused, and after it. */
const [bytesBefore, bytesAfter] = [36, 12];

/** @param {Start} start */
export function startRefusals({ place, name, modules }) {
  const parts = makeParts(name);
  const { form, example, text, startAgain, all } = parts;
  const show = (/** @type {Outcome} */ outcome) =>
    showOutcome(parts, outcome, modules.limits.defaultLimits);
  const ask = () => show(send(modules["request-parser"], readCommand(text.value)));
  const begin = () => {
    text.value = lab.examples[example.selectedIndex].text;
    ask();
  };
  example.addEventListener("change", begin);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  startAgain.addEventListener("click", () => {
    example.selectedIndex = 0;
    begin();
  });
  begin();
  place.replaceChildren(...all);
}

/**
 * @param {ReturnType<typeof makeParts>} parts
 * @param {Outcome} outcome
 * @param {Record<string, number>} limits
 */
function showOutcome({ verdict, facts, bytes, requests, requestsPart }, outcome, limits) {
  verdict.replaceChildren(...verdictOf(outcome));
  facts.replaceChildren(...factsOf(outcome, limits));
  bytes.replaceChildren(...cellsOf(outcome));
  requests.replaceChildren(...outcome.requests.slice(0, 5).map(requestItem));
  requestsPart.hidden = outcome.requests.length === 0;
}

/** @param {Outcome} outcome */
function verdictOf({ refusal, requests, isWaiting }) {
  if (refusal) {
    const { statusCode, message } = refusal;
    const status = `${statusCode} ${reasonPhrases[statusCode] ?? ""}`.trim();
    return [make("strong", {}, status), `: ${message}.`];
  }
  const taken = `Nothing is refused: ${count(requests.length, "request")}.`;
  return [taken, isWaiting ? " The parser waits for the rest of another." : ""];
}

/**
 * @param {Outcome} outcome
 * @param {Record<string, number>} limits
 */
function factsOf({ bytes, refusal }, limits) {
  if (refusal === null) return fact("Read", count(bytes.length, "byte"));
  const { index, message } = refusal;
  const where = `byte ${(index + 1).toLocaleString("en")} of ${bytes.length.toLocaleString("en")}`;
  const rule = Object.hasOwn(rules, message) ? rules[message] : undefined;
  if (rule === undefined) return fact("Refused at", where);
  const { rfc, section, says, limit } = rule;
  const source = make("a", { href: addressOf(rule) }, `RFC ${rfc}, section ${section}`);
  return [
    ...fact("Refused at", where),
    ...fact("The rule", make("span", {}, source, `: ${says}.`)),
    ...(limit === undefined ? [] : fact("The limit", limitWords(limit, limits[limit]))),
  ];
}

/**
 * @param {string} name
 * @param {number} value
 */
function limitWords(name, value) {
  const amount = name.endsWith("Bytes") ? count(value, "byte") : value.toLocaleString("en");
  return make("span", {}, make("code", {}, name), ` is ${amount}.`);
}

/**
 * The bytes around the one that was refused, or the last ones.
 *
 * @param {Outcome} outcome
 */
function cellsOf({ bytes, refusal }) {
  const last = refusal?.index ?? bytes.length - 1;
  const from = Math.max(0, last - bytesBefore);
  const to = Math.min(bytes.length, last + 1 + bytesAfter);
  const cells = Array.from(bytes.subarray(from, to), (byte, offset) => {
    const index = from + offset;
    const cell = make("span", { className: "lab-byte" }, glyphOf(byte));
    cell.classList.toggle("is-long", glyphOf(byte).length > 1);
    if (refusal === null || index < last) cell.dataset.read = "line";
    else if (index === last) cell.dataset.read = "here";
    return cell;
  });
  const more = (/** @type {number} */ hidden) =>
    hidden > 0 ? [make("span", { className: "lab-more" }, `${count(hidden, "byte")} more`)] : [];
  return [...more(from), ...cells, ...more(bytes.length - to)];
}

/** @param {string} name */
function makeParts(name) {
  const id = (/** @type {string} */ part) => `lab-${name}-${part}`;
  const startAgain = make("button", { type: "button", className: "lab-quiet" }, "Start again");
  const example = make(
    "select",
    { id: id("example") },
    ...lab.examples.map((each) => make("option", {}, each.name)),
  );
  const text = make("textarea", { id: id("text"), rows: 2, spellcheck: false });
  text.setAttribute("autocapitalize", "none");
  const form = make(
    "form",
    { className: "lab-part lab-wide lab-source-text" },
    make("label", { htmlFor: example.id }, "An attack: "),
    example,
    make("label", { htmlFor: text.id }, "or bytes of your own, as raw.js takes them"),
    text,
    make("div", { className: "lab-buttons" }, make("button", { type: "submit" }, "Send")),
  );
  const verdict = make("p", { className: "lab-verdict" });
  verdict.setAttribute("role", "status");
  const facts = make("dl", { className: "lab-facts" });
  const bytes = make("div", { className: "lab-bytes" });
  bytes.setAttribute("role", "img");
  bytes.setAttribute("aria-label", "The bytes around the one that was refused");
  const requests = make("ol", { className: "lab-requests" });
  requests.setAttribute("aria-label", "Requests");
  const requestsPart = make(
    "div",
    { className: "lab-part lab-wide" },
    partTitle("Requests that were taken"),
    requests,
  );
  const all = [
    make("p", { className: "lab-head" }, make("strong", {}, lab.title), startAgain),
    form,
    make(
      "div",
      { className: "lab-part lab-wide" },
      partTitle("What the parser says"),
      verdict,
      facts,
      bytes,
    ),
    requestsPart,
  ];
  return { all, startAgain, form, example, text, verdict, facts, bytes, requests, requestsPart };
}
