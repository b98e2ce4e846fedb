import { refuseUnknown } from "../options.js";
import { RedisClient } from "../redis/client.js";

/** Keeps sessions in Redis, 6.2 or later, for all processes that ask it. */
export class RedisStore {
  #client;
  #prefix;

  /**
   * @param {string} url `redis://127.0.0.1:6379`
   * @param {object} [options]
   * @param {string} [options.prefix] of the keys; "session:" unless given
   * @param {number} [options.deadline] in milliseconds; 1,000 unless given
   * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_UNKNOWN
   */
  constructor(url, options = {}) {
    refuseUnknown(options, ["prefix", "deadline"]);
    const { prefix = "session:", deadline } = options;
    this.#prefix = prefix;
    this.#client = new RedisClient(url, deadline);
  }

  async read(id, idle) {
    const words = ["GETEX", this.#key(id), "PX", Math.ceil(idle)];
    return this.#client.command(...words);
  }

  async add(id, text, idle) {
    return this.#set(id, text, idle, "NX");
  }

  async replace(id, text, idle) {
    return this.#set(id, text, idle, "XX");
  }

  async remove(id) {
    return (await this.#client.command("DEL", this.#key(id))) === 1;
  }

  close() {
    this.#client.close();
  }

  async #set(id, text, idle, when) {
    const words = ["SET", this.#key(id), text, "PX", Math.ceil(idle), when];
    return (await this.#client.command(...words)) === "OK";
  }

  #key(id) {
    return this.#prefix + id;
  }
}
