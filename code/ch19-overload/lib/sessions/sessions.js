import { formatCookie } from "../cookies/format.js";
import { signer } from "../cookies/signed.js";
import { show, UsageError } from "../errors.js";
import { isThenable } from "../middleware/chain.js";
import { checkOptions, refuseUnknown } from "../options.js";
import { beforeHead, whenClosed } from "../response/hold.js";
import { Visit } from "./visit.js";

/** @import { CookieOptions } from "../cookies/format.js" */
/** @import { Middleware } from "../middleware/chain.js" */

/**
 * @typedef {object} Store it settles its promises: velocy sets no deadline
 * @property {(id: string, idle: number) => Promise<string | null>} read
 *   and keep it for so many milliseconds more
 * @property {(id: string, text: string, idle: number) => Promise<any>} add
 * @property {(id: string, text: string, idle: number) => Promise<boolean>}
 *   replace only what is there
 * @property {(id: string) => Promise<boolean>} remove whether it was there
 *
 * @typedef {object} SessionOptions
 * @property {string[]} secrets as `signer` takes them
 * @property {Store} store
 * @property {CookieOptions & { name?: string }} [cookie]
 * @property {number} [idle] seconds until an unused session ends; an hour
 * @property {number} [absolute] seconds until any session ends; a week
 */

const HOUR = 60 * 60;
const LONGEST = 400 * 24 * HOUR;
const METHODS = ["read", "add", "replace", "remove"];
const SECURE = { name: "__Host-session", secure: true };

/**
 * Gives each request a `session`. It is loaded if a cookie of ours came,
 * and saved before the head of the answer is sent if it was written to.
 *
 * @param {SessionOptions} options
 * @returns {Middleware}
 * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_COOKIE_INVALID
 */
export function sessions(options) {
  const settings = readOptions(options);
  const { name } = settings.cookie;
  return (req, res, next) => {
    const visit = new Visit(settings, res);
    const goOn = () => {
      req.session = visit.session;
      let fail = next;
      beforeHead(
        res,
        () => visit.save(),
        (err) => {
          const why = new DOMException("not saved", "AbortError");
          fail(err);
          whenClosed(res, () => req.giveUp(why));
        },
      );
      const inside = next();
      if (!isThenable(inside)) return inside;
      return new Promise((resolve, reject) => {
        fail = reject;
        const over = inside.finally(() => {
          fail = next;
        });
        over.then(resolve, reject);
      });
    };
    const signed = req.cookies[name] ?? "";
    const id = signed === "" ? null : settings.signer.verify(name, signed);
    return id === null ? goOn() : visit.load(id).then(goOn);
  };
}

function readOptions(options) {
  checkOptions("sessions", options);
  const { secrets, store, cookie, ...times } = options;
  const { idle = HOUR, absolute = 7 * 24 * HOUR, ...more } = times;
  refuseUnknown(more, ["secrets", "store", "cookie", "idle", "absolute"]);
  checkSeconds("idle", idle);
  checkSeconds("absolute", absolute);
  if (!METHODS.every((name) => typeof store?.[name] === "function")) {
    const details = ["store", "a store for sessions", show(store)];
    throw new UsageError("ERR_OPTION_INVALID", ...details);
  }
  const settings = { ...SECURE, ...cookie };
  const { name, ...attributes } = settings;
  formatCookie(name, "", attributes);
  return {
    store,
    idle,
    absolute,
    signer: signer(secrets),
    cookie: settings,
  };
}

function checkSeconds(option, value) {
  if (Number.isFinite(value) && value > 0 && value <= LONGEST) return;
  const expected = "a number of seconds, at most 400 days";
  const details = [option, expected, show(value)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}
