import { Destination } from "./destination.js";
import { flushAtExit, forget, reopenOnSignal } from "./exit.js";
import { LogFile } from "./file.js";
import { asFields, writeFields, writeMessage, writeTime } from "./line.js";
import { Names } from "./names.js";
import { checkLoggerOptions, LEVELS } from "./options.js";
import { openStandard } from "./stdout.js";
import { StreamSink } from "./stream.js";
import { isError } from "./value.js";

/** @import { LoggerOptions } from "./options.js" */

const [TRACE, DEBUG, INFO, WARN, ERROR, FATAL] = LEVELS.keys();

/**
 * Makes a logger. What is written waits for a moment, and where it can't be
 * written it waits for longer; when there is no room, lines are lost and
 * counted.
 *
 * @param {LoggerOptions} [options]
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 */
export function createLogger(options = {}) {
  const settings = checkLoggerOptions(options);
  const names = new Names(settings.redact);
  const describeLoss = (dropped) =>
    writeLine("warn", '"lines were lost"', `,"dropped":${dropped}`);
  const sink = openSink(settings);
  const { bufferBytes, fields } = settings;
  const destination = new Destination(sink, bufferBytes, describeLoss);
  flushAtExit(destination);
  if (sink instanceof LogFile) reopenOnSignal(destination);
  const least = LEVELS.indexOf(settings.level);
  const core = { least, names, destination };
  const logger = new Logger(core, { ...asFields(fields) });
  if (settings.lastWord) {
    process.on("uncaughtExceptionMonitor", (err) => logger.fatal(err));
  }
  return logger;
}

function openSink({ destination, roll }) {
  const isPath = typeof destination === "string";
  if (isPath) return new LogFile(destination, roll);
  const { stdout, stderr } = process;
  const isStandard = destination === stdout || destination === stderr;
  // In a worker thread these have no descriptor.
  const hasDescriptor = isStandard && destination.fd !== undefined;
  if (hasDescriptor) return openStandard(destination);
  return new StreamSink(destination);
}

function writeLine(level, message, fields) {
  const time = writeTime(Date.now());
  return `{"time":${time},"level":"${level}","message":${message}${fields}}\n`;
}

/** Writes lines of JSON: a time, a level, a message and fields. */
export class Logger {
  #core;
  #fields;
  /** @type {string | null} the fields as JSON, once they are needed */
  #bound = null;

  constructor(core, fields) {
    this.#core = core;
    this.#fields = fields;
  }

  /** @param {unknown} message @param {unknown} [fields] */
  trace(message, fields) {
    this.#write(TRACE, message, fields);
  }

  /** @param {unknown} message @param {unknown} [fields] */
  debug(message, fields) {
    this.#write(DEBUG, message, fields);
  }

  /** @param {unknown} message @param {unknown} [fields] */
  info(message, fields) {
    this.#write(INFO, message, fields);
  }

  /** @param {unknown} message @param {unknown} [fields] */
  warn(message, fields) {
    this.#write(WARN, message, fields);
  }

  /** @param {unknown} message @param {unknown} [fields] */
  error(message, fields) {
    this.#write(ERROR, message, fields);
  }

  /** @param {unknown} message @param {unknown} [fields] */
  fatal(message, fields) {
    this.#write(FATAL, message, fields);
  }

  #write(level, message, fields) {
    const { least, names, destination } = this.#core;
    if (level < least) return;
    try {
      const own = isError(message) ? { err: message } : {};
      const text = isError(message) ? messageOf(message) : message;
      const json = writeMessage(text, names);
      const all = this.#writeAllFields(asFields(fields, own), own);
      destination.add(writeLine(LEVELS[level], json, all));
    } catch {
      // The stack may have no room left.
      destination.lose();
    }
  }

  #writeAllFields(fields, own) {
    const { names } = this.#core;
    const inherited = this.#writeInherited(fields, own);
    return inherited + writeFields(own, names) + writeFields(fields, names);
  }

  // A name mustn't stand in a line twice: the line's own is the one.
  #writeInherited(fields, own) {
    const { names } = this.#core;
    const isFree = (name) =>
      !Object.hasOwn(fields, name) && !Object.hasOwn(own, name);
    const all = Object.keys(this.#fields);
    if (!all.every(isFree)) {
      const free = { ...this.#fields };
      for (const name of all) if (!isFree(name)) delete free[name];
      return writeFields(free, names);
    }
    this.#bound ??= writeFields(this.#fields, names);
    return this.#bound;
  }

  /**
   * Makes a logger whose lines have more fields.
   *
   * @param {object} fields
   */
  child(fields) {
    return new Logger(this.#core, join(this.#fields, asFields(fields)));
  }

  /** @param {string} level */
  isEnabled(level) {
    return LEVELS.indexOf(level) >= this.#core.least;
  }

  /** How many lines there are, and how many there was no room for. */
  get counters() {
    const { written, dropped } = this.#core.destination;
    return { written, dropped };
  }

  /**
   * @returns {Promise<boolean>} true when all lines so far are written;
   *   false when they aren't after a second
   */
  flush() {
    return this.#core.destination.flush();
  }

  /** Flushes, and takes no more lines. @returns {Promise<boolean>} */
  close() {
    const { destination } = this.#core;
    return destination.close().finally(() => forget(destination));
  }
}

function join(fields, more) {
  try {
    return { ...fields, ...more };
  } catch {
    return { ...fields, fields: "[unreadable]" };
  }
}

// It may be a getter, and throw.
function messageOf(err) {
  try {
    return err.message;
  } catch {
    return "[unreadable]";
  }
}
