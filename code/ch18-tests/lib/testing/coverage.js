import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { show, UsageError } from "../errors.js";
import { Profiler } from "./profiler.js";

const STRING = /"[^"\n]{1,30}"/g;

/** Which characters of the source of some files have run. */
export class Coverage {
  #profiler = new Profiler();
  #source;
  /** By address: 1 for what has run. @type {Map<string, Uint8Array>} */
  #seen = new Map();

  /** @param {RegExp} source the addresses of the files */
  constructor(source) {
    if (!(source instanceof RegExp)) {
      const details = ["source", "a RegExp", show(source)];
      throw new UsageError("ERR_OPTION_INVALID", ...details);
    }
    this.#source = source;
  }

  /** Whether code has run, since the last question, that never had. */
  takeNews() {
    const news = this.#ran().filter(({ seen, ran }) => isNews(seen, ran));
    for (const { seen, ran } of news) {
      for (const [at, mark] of ran.entries()) seen[at] |= mark;
    }
    return news.length > 0;
  }

  /** The same, and what has run stays news. */
  hasNews() {
    return this.#ran().some(({ seen, ran }) => isNews(seen, ran));
  }

  #ran() {
    const files = this.#profiler.take();
    return files.filter(this.#isOurs, this).map(({ url, functions }) => {
      const seen = this.#seenOf(url);
      const ran = new Uint8Array(seen.length);
      // From the outside in: an inner range overrides the outer one.
      for (const { startOffset, endOffset, count } of rangesOf(functions)) {
        ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      }
      return { seen, ran };
    });
  }

  /** The short strings that stand in the source. */
  words() {
    const texts = Array.from(this.#seen.keys(), readSource);
    const found = texts.flatMap((text) => text.match(STRING) ?? []);
    return ["\r\n", ...found.map((word) => word.slice(1, -1))];
  }

  #seenOf(url) {
    const known = this.#seen.get(url);
    if (known !== undefined) return known;
    const seen = new Uint8Array(readSource(url).length);
    this.#seen.set(url, seen);
    return seen;
  }

  // Node's own modules have addresses that no file has.
  #isOurs({ url }) {
    // With a g, test() would begin where it ended for the last file.
    return url.startsWith("file:") && url.search(this.#source) >= 0;
  }
}

function readSource(url) {
  return readFileSync(fileURLToPath(url), "utf8");
}

function rangesOf(functions) {
  return functions.flatMap(({ ranges }) => ranges);
}

function isNews(seen, ran) {
  return ran.some((mark, at) => mark > seen[at]);
}
