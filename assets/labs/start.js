/** Puts the page's labs where their figures stand. */

import { PageBuffer } from "./buffer.js";
import { labs } from "./labs.js";
import { linkModules } from "./link.js";
import { startOverload } from "./overload/lab.js";
import { make } from "./page.js";
import { startPieces } from "./pieces/lab.js";
import { startRefusals } from "./refusals/lab.js";
import { startTree } from "./tree/lab.js";

/**
 * @import { LabDefinition } from "./labs.js"
 * @import { Bundle } from "./link.js"
 */

/**
 * What a lab of a kind begins with.
 *
 * @typedef {object} Start
 * @property {HTMLElement} place
 * @property {string} name
 * @property {any} modules the milestone's, by name
 * @property {Bundle} bundle
 */

const kinds = {
  tree: startTree,
  pieces: startPieces,
  refusals: startRefusals,
  overload: startOverload,
};

// The parsers take Buffer for given, as Node.js does.
Object.assign(globalThis, { Buffer: PageBuffer });

for (const place of document.querySelectorAll("[data-lab]")) {
  if (place instanceof HTMLElement) await start(place);
}

/**
 * Puts a lab where its figure stands. If its files can't be run, the figure
 * stays.
 *
 * @param {HTMLElement} place
 */
async function start(place) {
  const name = place.dataset.lab ?? "";
  const lab = labs[name];
  /** @type {Bundle} */
  const bundle = JSON.parse(place.querySelector(".lab-files")?.textContent ?? "");
  const modules = await linkModules(bundle, blobUrl);
  kinds[lab.kind]({ place, name, modules, bundle });
  place.append(whatRuns(lab, bundle));
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", `Lab: ${lab.title}`);
  place.classList.add("is-running");
}

/** @param {string} text of a module */
function blobUrl(text) {
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}

/**
 * @param {LabDefinition} lab
 * @param {Bundle} bundle
 */
function whatRuns({ milestone }, { entries }) {
  const main = Object.values(entries).at(-1) ?? "";
  return make(
    "p",
    { className: "lab-source" },
    "What runs here is ",
    make("code", {}, `code/${milestone}/${main}`),
    ", with ",
    make("code", {}, "$"),
    " for the ",
    make("code", {}, "#"),
    " of private names, so that this page may read them.",
  );
}
