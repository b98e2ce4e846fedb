import { changing } from "./changing.js";
import { codeOf } from "./line.js";
import { reporting } from "./reporting.js";
import { retrieval } from "./retrieval.js";
import { storage } from "./storage.js";
import { Store } from "./store.js";

const TAKES_KEYS = new Set(["get", "gets", "gat", "gats"]);
/** What somebody sends who takes this for a web server. */
const FOREIGN = new Set(["GET", "HEAD", "POST", "PUT", "DELETE"]);

/** What `stats` counts. */
const COUNTED = `bytes_read bytes_written total_connections
  cmd_get cmd_set cmd_flush cmd_touch get_hits get_misses
  delete_hits delete_misses incr_hits incr_misses decr_hits decr_misses
  cas_hits cas_misses cas_badval touch_hits touch_misses
  store_too_large store_no_memory`.split(/\s+/);
const zeros = Object.fromEntries(COUNTED.map((name) => [name, 0]));

/** The items, the commands, and what was counted. */
export class Cache {
  counts = { ...zeros };
  connections = 0;
  startedAt = performance.now();
  #commands = new Map();

  /**
   * @param {object} [options]
   * @param {number} [options.memory] for items, in bytes
   * @param {number} [options.largest] item, in bytes
   */
  constructor({ memory = 64 * 1024 * 1024, largest = 1024 * 1024 } = {}) {
    this.memory = memory;
    this.store = new Store(memory, largest);
    const commands = [retrieval, storage, changing, reporting];
    for (const family of commands) {
      for (const [name, command] of Object.entries(family(this))) {
        const word = Buffer.from(name);
        const code = codeOf(word, 0, word.length);
        this.#commands.set(code, { word, command });
      }
    }
  }

  /**
   * Runs the command of a line. It is looked up by a number: with a string
   * for each command it took 0.4 microseconds here instead of 0.2.
   */
  run(connection, line) {
    line.next();
    const code = codeOf(line.bytes, line.start, line.end);
    const found = this.#commands.get(code);
    if (found !== undefined && line.is(found.word)) {
      return found.command(connection, line);
    }
    if (FOREIGN.has(line.text)) connection.close();
    else connection.answer("ERROR\r\n");
  }

  /** Says whether a line may be longer than others: a `get` may. */
  takesKeys(line) {
    return line.next() && TAKES_KEYS.has(line.text);
  }

  forget() {
    Object.assign(this.counts, zeros);
    this.store.forget();
  }
}
