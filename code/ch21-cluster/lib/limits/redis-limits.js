import { createHash } from "node:crypto";
import { refuseUnknown } from "../options.js";
import { RedisClient } from "../redis/client.js";
import { paceOf } from "./gcra.js";
import { MemoryLimits } from "./memory-limits.js";

/** @import { Limit, Taken } from "./gcra.js" */

const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local each, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local paid_until = tonumber(redis.call('GET', KEYS[1]) or now)
local ahead = math.max(0, paid_until - now)
if ahead + each > window then return { 0, ahead } end
ahead = ahead + each
local text = string.format('%.0f', now + ahead)
redis.call('SET', KEYS[1], text, 'PX', math.ceil(ahead / 1000))
return { 1, ahead }`;

const DIGEST = createHash("sha1").update(SCRIPT).digest("hex");

/** Counts in Redis, for all processes; in this one while Redis is away. */
export class RedisLimits {
  #client;
  #prefix;
  #own = new MemoryLimits();

  /**
   * @param {string} url `redis://127.0.0.1:6379`
   * @param {object} [options]
   * @param {string} [options.prefix] of the keys; "limit:" unless given
   * @param {number} [options.deadline] in milliseconds; 1,000 unless given
   * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_UNKNOWN
   */
  constructor(url, options = {}) {
    refuseUnknown(options, ["prefix", "deadline"]);
    const { prefix = "limit:", deadline } = options;
    this.#prefix = prefix;
    this.#client = new RedisClient(url, deadline);
  }

  /** @param {string} key @param {Limit} limit @returns {Promise<Taken>} */
  async take(key, limit) {
    const { each, window } = paceOf(limit);
    const words = [1, this.#prefix + key, each, window];
    try {
      const [isAllowed, ahead] = await this.#run(words);
      return { isAllowed: isAllowed === 1, ahead };
    } catch {
      // Whatever it was: this limit isn't worth a page that fails.
      return this.#own.take(key, limit);
    }
  }

  close() {
    this.#client.close();
  }

  async #run(words) {
    try {
      return await this.#client.command("EVALSHA", DIGEST, ...words);
    } catch (/** @type {any} */ err) {
      if (err.code !== "NOSCRIPT") throw err;
      return this.#client.command("EVAL", SCRIPT, ...words);
    }
  }
}
