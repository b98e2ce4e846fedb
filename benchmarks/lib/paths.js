import { fileURLToPath } from "node:url";

const at = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

/** The project's own folder. */
export const root = at("../../");
export const milestonesFolder = at("../../code/");
export const contendersFolder = at("../contenders/");
export const runtimesFolder = at("../runtimes/");
export const toolsFolder = at("../tools/");
export const resultsFolder = at("../results/");
/** Built and installed things that git ignores. */
export const workFolder = at("../.work/");

/** What installing took on a machine of ours: experiments/installing.js made it. */
export const estimatesFile = at("../estimates.json");

/** The machine whose results the book prints. */
export const bookMachine = "linux-2core-vm";
