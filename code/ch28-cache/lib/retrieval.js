import { Line } from "./line.js";

const BAD_TIME = "CLIENT_ERROR invalid exptime argument\r\n";
const time = new Line();

/** The commands that ask for items: get, gets, gat, gats. */
export function retrieval({ store, counts }) {
  function textOf(item) {
    if (item === 0) {
      counts.get_misses++;
      return "";
    }
    counts.get_hits++;
    return `VALUE ${store.textOf(item)}`;
  }

  function textWithCas(item) {
    const text = textOf(item);
    if (item === 0) return text;
    const end = text.indexOf("\r\n");
    return `${text.slice(0, end)} ${store.casOf(item)}${text.slice(end)}`;
  }

  function onGet(bytes, start, end, hashed) {
    counts.cmd_get++;
    return textOf(store.find(bytes, start, end, hashed));
  }

  function onGets(bytes, start, end, hashed) {
    counts.cmd_get++;
    return textWithCas(store.find(bytes, start, end, hashed));
  }

  function getAndTouch(connection, answer) {
    let expires = null;
    connection.awaitKeys((bytes, start, end, hashed) => {
      if (expires === null) {
        time.begin(bytes, start, end);
        expires = store.expiryAfter(time.nextTime());
        if (Number.isNaN(expires)) connection.refuseKeys(BAD_TIME);
        return "";
      }
      const item = store.find(bytes, start, end, hashed);
      counts.cmd_touch++;
      counts.cmd_get++;
      if (item === 0) counts.touch_misses++;
      else {
        counts.touch_hits++;
        store.touch(item, expires);
      }
      return answer(item);
    });
  }

  return {
    get: (connection) => connection.awaitKeys(onGet),
    gets: (connection) => connection.awaitKeys(onGets),
    gat: (connection) => getAndTouch(connection, textOf),
    gats: (connection) => getAndTouch(connection, textWithCas),
  };
}
