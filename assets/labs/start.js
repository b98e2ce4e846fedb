/** Puts the page's labs where their figures stand. */

import { examples, modules } from "./examples.js";
import { Lab } from "./lab.js";

/** @import { Milestone } from "./model.js" */

for (const place of document.querySelectorAll("[data-lab]")) {
  if (place instanceof HTMLElement) await start(place);
}

/**
 * Puts a lab where its figure stands. If its files can't be had, the figure
 * stays.
 *
 * @param {HTMLElement} place
 */
async function start(place) {
  const name = place.dataset.lab ?? "";
  const example = examples[name];
  const milestone = await load(example.milestone);
  new Lab(place, name, example, milestone).begin();
}

/**
 * @param {string} name of the milestone
 * @returns {Promise<Milestone>}
 */
async function load(name) {
  const folder = new URL(`../../code/${name}/lib/`, import.meta.url);
  const loaded = modules.map(async (file) => {
    const module = await import(new URL(file, folder).href);
    return [file.replace(".js", ""), module];
  });
  return Object.fromEntries(await Promise.all(loaded));
}
