/**
 * Chapter 3's lab: a reader cuts the bytes of a request wherever they like and
 * feeds them to the milestone's own parser, piece by piece.
 */

import { bytesOf, count, quote } from "../bytes.js";
import { pieces as lab } from "../labs.js";
import { fact, make, partTitle, requestItem } from "../page.js";
import { boxes } from "./diagram.js";
import { makeDiagram } from "./drawing.js";
import { Feeding } from "./model.js";
import { ByteRow } from "./row.js";

/** @import { Start } from "../start.js" */

/** Milliseconds from a piece to the next, and for all of them at most. */
const pieceTime = 600;
const longestPlay = 5000;

/** More bytes are no pleasure to cut. */
const mostBytes = 400;

const wantsStillness = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Start} start */
export function startPieces({ place, name, modules, bundle }) {
  new PiecesLab(name, modules["request-parser"], bundle.states).beginIn(place);
}

class PiecesLab {
  /** @type {Feeding} */
  #feeding;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #fed = 0;

  /**
   * @param {string} name
   * @param {any} module
   * @param {string[]} states
   */
  constructor(name, module, states) {
    this.module = module;
    this.states = states;
    this.parts = makeParts(name);
    this.row = new ByteRow((place) => this.#toggle(place));
    this.diagram = makeDiagram();
    this.#feeding = this.#make("", []);
  }

  /** @param {HTMLElement} place */
  beginIn(place) {
    const { example, text, all, feed, feedAll, everywhere, nowhere, startAgain } = this.parts;
    this.parts.bytes.append(this.row.element);
    this.parts.diagram.append(this.diagram.svg);
    const begin = () => {
      const chosen = lab.examples[example.selectedIndex];
      text.value = chosen.text;
      this.#begin(chosen.text, chosen.cuts);
    };
    example.addEventListener("change", begin);
    text.addEventListener("input", () => this.#begin(text.value, []));
    feed.addEventListener("click", () => this.#feed());
    feedAll.addEventListener("click", () => this.#play());
    everywhere.addEventListener("click", () => {
      const { length } = this.#feeding.bytes;
      this.#cut(Array.from({ length: Math.max(length - 1, 0) }, (_, index) => index + 1));
    });
    nowhere.addEventListener("click", () => this.#cut([]));
    startAgain.addEventListener("click", () => this.#restart("Nothing is fed yet."));
    begin();
    place.replaceChildren(...all);
  }

  /**
   * @param {string} text
   * @param {number[]} cuts
   */
  #make(text, cuts) {
    const bytes = bytesOf(text).subarray(0, mostBytes);
    const { module, states } = this;
    return new Feeding({ module, states, reads: lab.reads["request-parser"], bytes, cuts });
  }

  /**
   * @param {string} text
   * @param {number[]} cuts
   */
  #begin(text, cuts) {
    this.#feeding = this.#make(text, cuts);
    this.row.fill(this.#feeding.bytes);
    this.#restart("");
  }

  /** @param {string} words */
  #restart(words) {
    clearTimeout(this.#timer);
    this.#feeding = this.#feeding.again();
    this.#fed = 0;
    this.#show(words);
  }

  /** @param {number} place */
  #toggle(place) {
    const { cuts } = this.#feeding;
    const isCut = cuts.has(place);
    if (isCut) cuts.delete(place);
    else cuts.add(place);
    const words = isCut ? `No cut after byte ${place} any more.` : `Cut after byte ${place}.`;
    this.#afterCut(words, place);
  }

  /** @param {number[]} places */
  #cut(places) {
    this.#feeding.cuts = new Set(places);
    this.#afterCut(`${count(this.#feeding.pieceCount, "piece")}.`, 0);
  }

  /**
   * What the parser has got can't be cut any more: it starts again.
   *
   * @param {string} words
   * @param {number} place the first that has changed
   */
  #afterCut(words, place) {
    clearTimeout(this.#timer);
    if (this.#feeding.fed > 0 && place <= this.#feeding.fed) {
      this.#restart(`${words} The parser starts again.`);
    } else {
      this.#show(words);
    }
  }

  #feed() {
    clearTimeout(this.#timer);
    const { fed } = this.#feeding;
    this.#feeding.feed();
    this.#fed += 1;
    const length = this.#feeding.fed - fed;
    this.#show(`Piece ${this.#fed} of ${this.#feeding.pieceCount}: ${count(length, "byte")}.`);
  }

  /** Feeds one piece after the other, or all at once to who wants no motion. */
  #play() {
    if (this.#feeding.isDone) return;
    const pause = Math.min(pieceTime, longestPlay / this.#feeding.pieceCount);
    this.#feed();
    if (wantsStillness.matches) this.#play();
    else this.#timer = setTimeout(() => this.#play(), pause);
  }

  /** @param {string} words what has just happened */
  #show(words) {
    const feeding = this.#feeding;
    const { status, facts, requests, noRequest, refusal, feed, feedAll } = this.parts;
    const look = feeding.look();
    this.row.show(feeding);
    this.diagram.show(look.state, feeding.fed > 0 ? feeding.passed : []);
    const state = boxes[look.state].words;
    status.textContent = `${words} ${statusOf(feeding, state)}`.trim();
    facts.state.textContent = look.state;
    facts.line.textContent = quote(look.line);
    facts.body.textContent = look.body.length === 0 ? "none" : quote(look.body.toString("latin1"));
    facts.missing.textContent = missingWords(look);
    requests.replaceChildren(...feeding.requests.map(requestItem));
    noRequest.hidden = feeding.requests.length > 0;
    refusal.textContent = feeding.refusal
      ? `${feeding.refusal.statusCode}: ${feeding.refusal.message}`
      : "";
    for (const button of [feed, feedAll]) {
      button.setAttribute("aria-disabled", String(feeding.isDone));
    }
  }
}

/**
 * @param {Feeding} feeding
 * @param {string} state
 */
function statusOf({ refusal, isDone, fed, requests }, state) {
  if (refusal) return `The parser refuses the bytes with ${refusal.statusCode}.`;
  const waits = fed === 0 ? "" : `The parser is at: ${state}.`;
  if (!isDone || fed === 0) return waits;
  return `${waits} All bytes are fed: ${count(requests.length, "request")}.`;
}

/** @param {import("./model.js").Snapshot} snapshot */
function missingWords({ state, missing, isBetweenRequests }) {
  if (boxes[state].reads === "bytes") return count(missing, "byte");
  return isBetweenRequests ? "nothing, or the next request" : "the end of a line";
}

/** @param {string} name */
function makeParts(name) {
  const id = (/** @type {string} */ part) => `lab-${name}-${part}`;
  const button = (/** @type {string} */ words) => make("button", { type: "button" }, words);
  const startAgain = make("button", { type: "button", className: "lab-quiet" }, "Start again");
  const example = make(
    "select",
    { id: id("example") },
    ...lab.examples.map((each) => make("option", {}, each.name)),
  );
  const text = make("textarea", { id: id("text"), rows: 2, spellcheck: false });
  text.setAttribute("autocapitalize", "none");
  const bytes = make("div", { className: "lab-part lab-wide" });
  bytes.append(partTitle("Press between two bytes to cut them apart"));
  const [feed, feedAll] = [button("Feed the next piece"), button("Feed all")];
  const [everywhere, nowhere] = [button("Cut at every byte"), button("No cuts")];
  const status = make("p", { className: "lab-status" });
  status.setAttribute("role", "status");
  const facts = {
    state: make("code", {}),
    line: make("code", {}),
    body: make("code", {}),
    missing: make("span", {}),
  };
  const requests = make("ol", { className: "lab-requests" });
  requests.setAttribute("aria-label", "Requests");
  const noRequest = make("p", { className: "lab-none" }, "None yet.");
  const refusal = make("p", { className: "lab-error" });
  const diagram = make("div", { className: "lab-part" }, partTitle("Where the parser is"));
  const all = [
    make("p", { className: "lab-head" }, make("strong", {}, lab.title), startAgain),
    make(
      "div",
      { className: "lab-part lab-wide lab-source-text" },
      make("label", { htmlFor: example.id }, "A request with "),
      example,
      make("label", { htmlFor: text.id }, "or bytes of your own"),
      text,
    ),
    bytes,
    make(
      "div",
      { className: "lab-part lab-wide" },
      make("div", { className: "lab-buttons" }, feed, feedAll, everywhere, nowhere),
      status,
    ),
    diagram,
    make(
      "div",
      { className: "lab-part" },
      partTitle("What it holds"),
      make(
        "dl",
        { className: "lab-facts" },
        ...fact(make("code", {}, "#state"), facts.state),
        ...fact(make("code", {}, "#line"), facts.line),
        ...fact("The body so far", facts.body),
        ...fact("What is missing", facts.missing),
      ),
      partTitle("Requests that came out"),
      noRequest,
      requests,
      refusal,
    ),
  ];
  return {
    ...{ all, startAgain, example, text, bytes, feed, feedAll, everywhere, nowhere, status },
    ...{ facts, requests, noRequest, refusal, diagram },
  };
}
