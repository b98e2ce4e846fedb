import { changing } from "./changing.js";
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
  startedAt = Date.now();
  verbosity = 0;
  #commands;

  /**
   * @param {object} [options]
   * @param {number} [options.memory] for items, in bytes
   * @param {number} [options.largest] item, in bytes
   */
  constructor({ memory = 64 * 1024 * 1024, largest = 1024 * 1024 } = {}) {
    this.memory = memory;
    this.largest = largest;
    this.store = new Store(memory, largest);
    const commands = [retrieval, storage, changing, reporting];
    this.#commands = new Map(
      commands.flatMap((family) => Object.entries(family(this))),
    );
  }

  /** Runs the command of a line. */
  run(connection, line) {
    const name = line.next() ? line.text : "";
    const command = this.#commands.get(name);
    if (command !== undefined) command(connection, line);
    else if (FOREIGN.has(name)) connection.close();
    else connection.answer("ERROR\r\n");
  }

  /** Says whether a line whose end hasn't come may be a long `get`. */
  takesKeys(line) {
    return line.next() && TAKES_KEYS.has(line.text);
  }

  forget() {
    Object.assign(this.counts, zeros);
    this.store.forget();
  }
}
