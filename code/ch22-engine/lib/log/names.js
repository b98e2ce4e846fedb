import { cut, quote } from "./text.js";

// How names end whose values let somebody in.
const SECRET = /(authorization|cookie|credential|jwt|secret|token)s?$/;
const PASSWORD = /(passphrase|passwd|password|pwd)s?$/;
const SECRET_KEY = /(access|api|private|secret|signing)keys?$/;

const MOST_LENGTH = 256;

// A client that chooses names mustn't fill the memory with them.
const MOST_KNOWN = 1000;

/** The names of fields: how they are written, and which are secret. */
export class Names {
  /** @type {Map<string, { json: string, isSecret: boolean }>} */
  #known = new Map();
  #redact;

  /** @param {string[]} redact in addition to those that always are */
  constructor(redact) {
    this.#redact = new Set(redact.map(plain));
  }

  look(name) {
    return this.#known.get(name) ?? this.#learn(name);
  }

  #learn(name) {
    const known = {
      json: `${quote(cut(name, MOST_LENGTH))}:`,
      isSecret: this.isSecret(name),
    };
    const isKept =
      this.#known.size < MOST_KNOWN && name.length <= MOST_LENGTH;
    if (isKept) this.#known.set(name, known);
    return known;
  }

  isSecret(name) {
    const end = plain(name.slice(-MOST_LENGTH));
    if (this.#redact.has(end)) return true;
    return SECRET.test(end) || PASSWORD.test(end) || SECRET_KEY.test(end);
  }
}

function plain(name) {
  return name.toLowerCase().replace(/[-_]/g, "");
}
