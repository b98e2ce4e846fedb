/**
 * A row of bytes that can be cut between any two, with a finger, a mouse or the
 * keyboard: one place is in the order of the Tab key, and the arrow keys go
 * from there to the others.
 */

import { glyphOf, nameOf } from "../bytes.js";
import { make } from "../page.js";
import { boxes } from "./diagram.js";

/** @import { Feeding } from "./model.js" */

export class ByteRow {
  /** @type {HTMLElement[]} */
  #cells = [];
  /** @type {HTMLButtonElement[]} */
  #gaps = [];
  #onCut;

  /** @param {(place: number) => void} onCut is told after how many bytes */
  constructor(onCut) {
    this.#onCut = onCut;
    this.element = make("div", { className: "lab-bytes" });
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "The bytes. Arrow keys move, Enter cuts.");
    this.element.addEventListener("keydown", (event) => this.#move(event));
  }

  /** @param {Uint8Array} bytes */
  fill(bytes) {
    this.#gaps = [];
    this.#cells = Array.from(bytes, (byte, index) => {
      const glyph = make("span", {}, glyphOf(byte));
      glyph.setAttribute("aria-hidden", "true");
      const cell = make("span", { className: "lab-byte" }, glyph);
      cell.classList.toggle("is-long", glyphOf(byte).length > 1);
      if (index > 0) cell.append(this.#makeGap(bytes, index));
      return cell;
    });
    const rows = this.#cells.flatMap((cell, index) => {
      return bytes[index] === 10 ? [cell, make("span", { className: "lab-row-end" })] : [cell];
    });
    this.element.replaceChildren(...rows);
    if (this.#gaps.length > 0) this.#gaps[0].tabIndex = 0;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} index
   */
  #makeGap(bytes, index) {
    const gap = make("button", { type: "button", className: "lab-gap", tabIndex: -1 });
    const neighbours = `${nameOf(bytes[index - 1])} and ${nameOf(bytes[index])}`;
    gap.setAttribute("aria-label", `Cut after byte ${index}, between ${neighbours}`);
    gap.addEventListener("click", () => {
      this.#take(gap);
      this.#onCut(index);
    });
    this.#gaps.push(gap);
    return gap;
  }

  /** @param {Feeding} feeding */
  show({ cuts, fed, nextEnd, readIn, refusal }) {
    for (const [index, cell] of this.#cells.entries()) {
      const state = index < fed ? readIn[index] : undefined;
      cell.dataset.read = state === undefined ? "" : boxes[state].reads;
      if (state === undefined && index < fed) cell.dataset.read = "refused";
      const isNext = refusal === null && index >= fed && index < nextEnd;
      cell.classList.toggle("is-next", isNext);
      cell.classList.toggle("is-cut", cuts.has(index));
    }
    for (const [index, gap] of this.#gaps.entries()) {
      gap.setAttribute("aria-pressed", String(cuts.has(index + 1)));
    }
  }

  /** @param {HTMLButtonElement} gap becomes the one that Tab leads to */
  #take(gap) {
    for (const each of this.#gaps) each.tabIndex = each === gap ? 0 : -1;
    gap.focus();
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const here = this.#gaps.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const target = {
      ArrowLeft: () => this.#gaps[here - 1],
      ArrowRight: () => this.#gaps[here + 1],
      ArrowUp: () => this.#nearest(here, -1),
      ArrowDown: () => this.#nearest(here, 1),
      Home: () => this.#gaps[0],
      End: () => this.#gaps[this.#gaps.length - 1],
    }[event.key];
    if (here === -1 || target === undefined) return;
    event.preventDefault();
    const gap = target();
    if (gap !== undefined) this.#take(gap);
  }

  /**
   * The place in the next row above or below that is the least to the side.
   *
   * @param {number} here
   * @param {number} direction
   */
  #nearest(here, direction) {
    const from = this.#gaps[here].getBoundingClientRect();
    const others = this.#gaps
      .map((gap) => ({ gap, ...offsets(gap.getBoundingClientRect(), from) }))
      .filter(({ down }) => Math.sign(Math.round(down)) === direction);
    others.sort((a, b) => Math.abs(a.down) - Math.abs(b.down) || a.side - b.side);
    return others[0]?.gap;
  }
}

/**
 * @param {DOMRect} place
 * @param {DOMRect} from
 */
function offsets(place, from) {
  return { down: Math.round(place.top - from.top), side: Math.abs(place.left - from.left) };
}
