import {
  constants,
  fstatSync,
  open,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { show } from "../errors.js";
import { Descriptor } from "./descriptor.js";
import { refuse } from "./options.js";
import { warn } from "./pause.js";
import { dayOf, leadsTo, removeOldest, rollFile } from "./roll.js";

/** @import { Roll } from "./roll.js" */

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;

// A pipe that nobody reads can't be opened for writing alone.
const FLAGS = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK;
const MODE = 0o640;

const openLater = promisify(open);

/** A log's file, which may get another name, and is opened again then. */
export class LogFile {
  #path;
  #roll;
  #file;
  #mustReopen = false;
  #day;
  #rollSize;

  /**
   * @param {string} path
   * @param {Required<Roll> | null} roll
   * @throws {UsageError} ERR_OPTION_INVALID
   */
  constructor(path, roll) {
    this.#path = path;
    this.#roll = roll;
    try {
      this.#file = use(openSync(path, FLAGS, MODE));
    } catch (/** @type {any} */ err) {
      const given = `${show(path)} (${err.code})`;
      refuse("destination", "a file that can be read and written", given);
    }
    this.#day = dayOf(fstatSync(this.#file.fd).mtimeMs);
    this.#rollSize = roll?.bytes ?? Infinity;
  }

  prepare() {
    if (this.#mustReopen) return this.#tryTo(() => this.#openAgain());
    if (this.#isDue()) return this.#tryTo(() => this.#rollOver());
    return undefined;
  }

  #isDue() {
    if (this.#roll === null || this.#file.size === 0) return false;
    if (this.#file.size >= this.#rollSize) return true;
    return this.#roll.daily && this.#day < dayOf(Date.now());
  }

  // Where it can't be done, the old file goes on.
  async #tryTo(change) {
    this.#mustReopen = false;
    this.#day = dayOf(Date.now());
    this.#rollSize = this.#file.size + (this.#roll?.bytes ?? Infinity);
    const before = this.#file;
    try {
      await change();
    } catch (err) {
      warn(err);
    }
    return this.#file !== before;
  }

  async #openAgain() {
    const before = this.#file;
    this.#file = use(await openLater(this.#path, FLAGS, MODE));
    this.#rollSize = this.#roll?.bytes ?? Infinity;
    await before.close();
  }

  async #rollOver() {
    const isOurs = await leadsTo(this.#path, fstatSync(this.#file.fd));
    if (isOurs) await rollFile(this.#path);
    await this.#openAgain();
    await removeOldest(this.#path, this.#roll.keep);
  }

  reopen() {
    this.#mustReopen = true;
  }

  write(bytes, done) {
    if (this.#file.size === 0) this.#day = dayOf(Date.now());
    this.#file.write(bytes, done);
  }

  writeSync(bytes) {
    return this.#file.writeSync(bytes);
  }

  catchUp(bytes, end) {
    return this.#file.catchUp(bytes, end);
  }

  close() {
    return this.#file.close();
  }
}

// A process that was killed may have left half a line.
function use(fd) {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  const isRead = size > 0 && readSync(fd, last, 0, 1, size - 1);
  if (isRead && last[0] !== 0x0a) endLine(fd);
  return new Descriptor(fd);
}

function endLine(fd) {
  try {
    writeSync(fd, "\n");
  } catch (err) {
    // On a full disk the program has to start as well.
    warn(err);
  }
}
