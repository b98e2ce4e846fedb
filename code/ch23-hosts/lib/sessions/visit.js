import { randomBytes } from "node:crypto";
import { HttpError, UsageError } from "../errors.js";
import { Session } from "./session.js";

const ID_BYTES = 18;
const MOST_BYTES = 64 * 1024;
// A session in the store: when it began, and its fields.
const FORM = /^\[\d+,\{.*\}\]$/s;

// What caches of many users are told (RFC 9111, section 5.2.2).
const PRIVATE = /^(?:private|no-store)$/i;
const SHARED = /^(?:public|s-maxage)\b/i;

/** One request's use of a session, from its loading to its saving. */
export class Visit {
  #settings;
  #res;
  /** @type {string | null} null if the store doesn't have the session */
  #id = null;
  // What needn't be saved: what the store has, or a session without fields.
  #saved = "{}";
  #createdAt = Date.now();
  /** @type {"open" | "ended" | "destroyed"} */
  #state = "open";
  session = new Session(this, {});

  constructor(settings, res) {
    this.#settings = settings;
    this.#res = res;
  }

  /** @param {string} id that we have signed */
  async load(id) {
    const { store, idle, absolute } = this.#settings;
    const text = await attempt(() => store.read(id, idle * 1000));
    if (text === null || text === undefined) return;
    const [whole = ""] = FORM.exec(text) ?? [];
    const [createdAt, data] = await attempt(() => JSON.parse(whole));
    if (createdAt + absolute * 1000 <= Date.now()) return;
    this.#id = id;
    this.#createdAt = createdAt;
    this.session = new Session(this, data);
    this.#saved = JSON.stringify(data);
  }

  /** Gives a promise if there is something to save. */
  save() {
    const isSet = this.#res.hasHeader("cache-control");
    if (this.#id !== null && !isSet) this.#keepPrivate();
    if (this.#state === "destroyed") this.#clearCookie();
    if (this.#state !== "open") return undefined;
    const json = JSON.stringify(this.session);
    if (json === this.#saved) return undefined;
    const bytes = Buffer.byteLength(json);
    if (bytes > MOST_BYTES) {
      throw new UsageError("ERR_SESSION_LARGE", bytes, MOST_BYTES);
    }
    const text = `[${this.#createdAt},${json}]`;
    return this.#id === null ? this.#add(text) : this.#replace(text);
  }

  async #add(text) {
    const { store, signer, cookie } = this.#settings;
    const { name, ...options } = cookie;
    const id = randomBytes(ID_BYTES).toString("base64url");
    await attempt(() => store.add(id, text, this.#timeLeft()));
    this.#res.setCookie(name, signer.sign(name, id), options);
    this.#keepPrivate();
  }

  async #replace(text) {
    const { store } = this.#settings;
    await attempt(() => store.replace(this.#id, text, this.#timeLeft()));
  }

  async renew() {
    const wasOpen = this.#state === "open";
    if (wasOpen && this.#id === null) return;
    // Nothing is saved unless the old id is gone.
    if (wasOpen) this.#state = "ended";
    if (!wasOpen || !(await this.#remove(this.#id))) {
      throw new HttpError(409, "the session has ended meanwhile");
    }
    this.#state = "open";
    this.#id = null;
    this.#saved = "";
    this.#createdAt = Date.now();
  }

  async destroy() {
    // The browser keeps the cookie as long as the store has the session.
    this.#state = "ended";
    if (this.#id !== null) await this.#remove(this.#id);
    this.#state = "destroyed";
  }

  #remove(id) {
    return attempt(() => this.#settings.store.remove(id));
  }

  #clearCookie() {
    const { name, ...options } = this.#settings.cookie;
    this.#res.clearCookie(name, options);
    this.#keepPrivate();
  }

  #keepPrivate() {
    const field = this.#res.getHeader("cache-control") ?? "no-cache";
    const directives = String(field).split(/\s*,\s*/);
    if (directives.some((each) => PRIVATE.test(each))) return;
    const others = directives.filter((each) => !SHARED.test(each));
    const text = ["private", ...others].join(", ");
    this.#res.setHeader("cache-control", text);
  }

  // In milliseconds.
  #timeLeft() {
    const { idle, absolute } = this.#settings;
    const end = this.#createdAt + absolute * 1000;
    return Math.max(1, Math.min(idle * 1000, end - Date.now()));
  }
}

// When the store fails, nobody knows whether the session is there.
async function attempt(ask) {
  try {
    return await ask();
  } catch (cause) {
    const options = { headers: { "retry-after": "1" }, cause };
    throw new HttpError(503, "sessions can't be used now", options);
  }
}
