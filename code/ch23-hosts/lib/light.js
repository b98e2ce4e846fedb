/**
 * Spares a class's objects its base's constructor, if they begin by
 * themselves.
 *
 * @param {any} Class
 */
export function allowLight(Class) {
  const Base = Object.getPrototypeOf(Class);
  /** @this {any} */
  function Sparing(first, options) {
    if (!this.beginLight?.(first)) Base.call(this, first, options);
  }
  Sparing.prototype = Base.prototype;
  Object.setPrototypeOf(Class, Object.setPrototypeOf(Sparing, Base));
}

// What a stream and an emitter of events have.
const STATES = ["_events", "_readableState"];

/**
 * Gives a prototype what a constructor has given a sample. Arrays and STATES
 * are made when somebody asks for them, and other objects left out.
 *
 * @param {any} prototype
 * @param {any} sample
 * @param {(object: any) => void} beginStream
 */
export function setDefaults(prototype, sample, beginStream) {
  for (const key of Reflect.ownKeys(sample)) {
    const value = sample[key];
    if (Object.hasOwn(prototype, key)) continue;
    if (STATES.includes(String(key))) {
      defineLate(prototype, key, (object) => {
        for (const state of STATES) setOwn(object, state, undefined);
        beginStream(object);
        return object[key];
      });
    } else if (Array.isArray(value)) {
      defineLate(prototype, key, () => []);
    } else if (typeof value !== "object" || value === null) {
      setOwn(prototype, key, value);
    }
  }
}

function defineLate(prototype, key, make) {
  Object.defineProperty(prototype, key, {
    configurable: true,
    get() {
      // Node compares an object's events with its prototype's.
      if (this === prototype) return undefined;
      const value = make(this);
      setOwn(this, key, value);
      return value;
    },
    set(value) {
      setOwn(this, key, value);
    },
  });
}

function setOwn(object, key, value) {
  const rights = { configurable: true, enumerable: true, writable: true };
  Object.defineProperty(object, key, { ...rights, value });
}
