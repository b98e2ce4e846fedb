/**
 * The labs of the tree: a reader adds and removes routes, asks for paths, and sees what
 * the tree makes of it. What runs is the milestone's own files.
 */

import { trees } from "../labs.js";
import { make } from "../page.js";
import { makeParts, moveFrom, positionOf, treeItem } from "./elements.js";
import { describeChange, labelsByKey, Model, placesAfter } from "./model.js";

/**
 * @import { Example } from "../labs.js"
 * @import { Start } from "../start.js"
 * @import { Answer, Entry, Milestone, Step } from "./model.js"
 */

/** Milliseconds from a step to the next, and for all of them at most. */
const stepTime = 450;
const longestPlay = 4500;

const wantsStillness = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Start} start */
export function startTree({ place, name, modules }) {
  const example = trees[/** @type {keyof typeof trees} */ (name)];
  new Lab(place, name, example, modules).begin();
}

/** One lab, in its place. */
class Lab {
  /** @type {Answer | null} */
  #answer = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} place
   * @param {string} name
   * @param {Example} example
   * @param {Milestone} milestone
   */
  constructor(place, name, example, milestone) {
    this.place = place;
    this.example = example;
    this.milestone = milestone;
    this.model = new Model(milestone);
    this.parts = makeParts(name, example);
  }

  begin() {
    const { addForm, askForm, startAgain, all } = this.parts;
    addForm.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add();
    });
    askForm.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#ask();
    });
    startAgain.addEventListener("click", () => {
      this.#reset();
      this.parts.change.textContent = "As it was at the beginning.";
    });
    this.#reset();
    this.place.replaceChildren(...all);
  }

  #reset() {
    const { pattern, path, addMethod, askMethod } = this.parts;
    this.model = new Model(this.milestone);
    for (const route of this.example.routes) this.model.add(entryOf(route));
    addMethod.value = "GET";
    askMethod.value = "GET";
    pattern.value = this.example.suggestion;
    path.value = this.example.path;
    this.#showError("");
    this.#redraw();
  }

  #add() {
    const { addMethod, pattern } = this.parts;
    const entry = { method: addMethod.value, pattern: pattern.value.trim() };
    const before = labelsByKey(this.model.tree());
    try {
      this.model.add(entry);
    } catch (err) {
      const { code, message } = /** @type {Error & { code?: string }} */ (err);
      if (code === undefined) throw err;
      this.#showError(message, code);
      pattern.focus();
      return;
    }
    this.#showError("");
    this.#afterChange(`Added ${entry.method} ${entry.pattern}.`, before);
    pattern.select();
  }

  /** @param {Entry} entry */
  #remove(entry) {
    const before = labelsByKey(this.model.tree());
    const index = this.model.entries.indexOf(entry);
    this.model.remove(entry);
    this.#showError("");
    this.#afterChange(`Removed ${entry.method} ${entry.pattern}.`, before);
    // The button that was pressed is gone: on to the next one.
    const buttons = this.parts.routes.querySelectorAll("button");
    const next = buttons[Math.min(index, buttons.length - 1)] ?? this.parts.pattern;
    next.focus();
  }

  /**
   * @param {string} what
   * @param {Map<string, string>} before
   */
  #afterChange(what, before) {
    const after = labelsByKey(this.model.tree());
    this.#redraw(before);
    this.parts.change.textContent = `${what} ${describeChange(before, after)}`;
  }

  /**
   * @param {string} message empty if all is well
   * @param {string} [code]
   */
  #showError(message, code = "") {
    const { pattern, error, change } = this.parts;
    pattern.toggleAttribute("aria-invalid", message !== "");
    if (message !== "") {
      pattern.setAttribute("aria-invalid", "true");
      change.textContent = "";
    }
    error.replaceChildren();
    if (message === "") return;
    error.append(make("code", {}, code), ` ${message}`);
  }

  #ask() {
    const { askMethod, path, verdict } = this.parts;
    clearTimeout(this.#timer);
    const target = path.value.trim();
    this.#answer = this.model.ask(askMethod.value, target);
    verdict.textContent = "";
    this.#showSteps(this.#answer.steps);
    this.#play(1);
  }

  /**
   * Shows one step after the other, or all at once to who wants no motion.
   *
   * @param {number} count of the steps to be shown now
   */
  #play(count) {
    const { steps = [] } = this.#answer ?? {};
    const now = wantsStillness.matches ? steps.length : Math.min(count, steps.length);
    this.#showPlaces(now);
    if (now >= steps.length) {
      this.#showVerdict();
      return;
    }
    const pause = Math.min(stepTime, longestPlay / steps.length);
    this.#timer = setTimeout(() => this.#play(now + 1), pause);
  }

  #showVerdict() {
    const { verdict } = this.parts;
    if (this.#answer === null) return;
    const { statusCode, route, params, allow } = this.#answer;
    if (route !== null) {
      const values = Object.entries(params ?? {}).map(([name, value]) => `${name} is “${value}”`);
      const words = [`${route.method} ${route.pattern}`, ...values].join(", ");
      verdict.replaceChildren("Found: ", make("strong", {}, words), ".");
      return;
    }
    const others = allow.length > 0 ? ` It answers ${allow.join(", ")}.` : "";
    verdict.replaceChildren(make("strong", {}, `${statusCode}`), `: ${meaning(statusCode)}.`);
    verdict.append(others);
  }

  /** @param {Step[]} steps */
  #showSteps(steps) {
    const items = steps.map(({ level, label, isMatch, reason }, index) => {
      const button = make(
        "button",
        { type: "button", className: "lab-step" },
        make("code", {}, label),
        ` ${reason}`,
      );
      button.dataset.match = String(isMatch);
      button.addEventListener("click", () => {
        clearTimeout(this.#timer);
        this.#showPlaces(index + 1, true);
        this.#showVerdict();
      });
      const item = make("li", {}, button);
      item.style.setProperty("--level", String(Math.min(level, 6)));
      return item;
    });
    this.parts.steps.replaceChildren(...items);
    this.parts.stepsPart.hidden = steps.length === 0;
  }

  /**
   * @param {number} count of the steps that were taken
   * @param {boolean} [isLookingBack] all steps stay to be seen
   */
  #showPlaces(count, isLookingBack = false) {
    const { steps = [] } = this.#answer ?? {};
    const places = placesAfter(this.model.tree(), steps.slice(0, count));
    for (const node of this.parts.tree.querySelectorAll(".lab-node")) {
      if (!(node instanceof HTMLElement)) continue;
      const place = places.get(node.dataset.key ?? "");
      if (place) node.dataset.place = place;
      else delete node.dataset.place;
    }
    for (const [index, item] of [...this.parts.steps.children].entries()) {
      item.classList.toggle("is-to-come", !isLookingBack && index >= count);
      const button = item.firstElementChild;
      if (index === count - 1) button?.setAttribute("aria-current", "step");
      else button?.removeAttribute("aria-current");
    }
  }

  /** @param {Map<string, string>} [before] what was there, to mark what is new */
  #redraw(before) {
    clearTimeout(this.#timer);
    const { routes, tree, change, verdict } = this.parts;
    this.#answer = null;
    verdict.textContent = "";
    change.textContent = "";
    this.#showSteps([]);
    routes.replaceChildren(...this.model.entries.map((entry) => this.#routeItem(entry)));

    const places = new Map([...tree.querySelectorAll(".lab-node")].map(positionOf));
    tree.replaceChildren(...this.model.tree().map((node) => treeItem(node, before)));
    if (before && !wantsStillness.matches) moveFrom(tree, places);
  }

  /** @param {Entry} entry */
  #routeItem(entry) {
    const text = `${entry.method} ${entry.pattern}`;
    const button = make("button", { type: "button", className: "lab-remove" }, "×");
    button.setAttribute("aria-label", `Remove ${text}`);
    button.addEventListener("click", () => this.#remove(entry));
    return make("li", {}, make("code", {}, text), button);
  }
}

/** @param {string} route as `GET /users` */
function entryOf(route) {
  const [method, pattern] = route.split(" ");
  return { method, pattern };
}

/** @param {number} statusCode */
function meaning(statusCode) {
  const meanings = /** @type {Record<number, string>} */ ({
    204: "no route, and an answer to OPTIONS all the same",
    400: "this is not a path, which begins with a slash",
    404: "no route has the path",
    405: "the path has routes for other methods only",
    501: "no route has the method",
  });
  return meanings[statusCode] ?? "no route";
}
