/**
 * What an event looks like on the wire (HTML Standard, section 9.2.6), and
 * what can't be one: `[name, event, text]`, or an error's code.
 *
 * @typedef {[name: string, event: Record<string, unknown>, text: string]} EventCase
 */

/** @type {EventCase[]} */
export const EVENT_CASES = [
  ["a text", { data: "hello" }, "data: hello\n\n"],
  ["no text", { data: "" }, "data: \n\n"],
  ["a space in front stays", { data: " a" }, "data:  a\n\n"],
  ["two lines", { data: "a\nb" }, "data: a\ndata: b\n\n"],
  ["a line end at the end", { data: "a\n" }, "data: a\ndata: \n\n"],
  ["CR LF", { data: "a\r\nb" }, "data: a\ndata: b\n\n"],
  ["CR alone", { data: "a\rb" }, "data: a\ndata: b\n\n"],
  ["CR twice", { data: "a\r\rb" }, "data: a\ndata: \ndata: b\n\n"],
  [
    "an event in a text",
    { data: "a\n\nevent: ban\ndata: you" },
    "data: a\ndata: \ndata: event: ban\ndata: data: you\n\n",
  ],
  [
    "an event behind a CR",
    { data: "a\rid: 7" },
    "data: a\ndata: id: 7\n\n",
  ],
  [
    "what ends a line elsewhere",
    { data: "a\u2028b\u0085c\vd" },
    "data: a\u2028b\u0085c\vd\n\n",
  ],
  ["JSON", { data: { text: "a\nb" } }, 'data: {"text":"a\\nb"}\n\n'],
  ["a number", { data: 7 }, "data: 7\n\n"],
  ["null", { data: null }, "data: null\n\n"],
  [
    "all of it",
    { id: "7", event: "news", data: "a", retry: 500 },
    "event: news\nid: 7\nretry: 500\ndata: a\n\n",
  ],
  ["an id alone", { id: "7" }, "id: 7\n\n"],
  [
    "an empty id, which forgets the last one",
    { id: "", data: "a" },
    "id: \ndata: a\n\n",
  ],
  ["a line end in an id", { id: "7\ndata: x" }, "ERR_EVENT_INVALID"],
  ["a CR in an id", { id: "7\rdata: x" }, "ERR_EVENT_INVALID"],
  ["a NUL in an id", { id: "7\0" }, "ERR_EVENT_INVALID"],
  ["an id that is a number", { id: 7 }, "ERR_EVENT_INVALID"],
  ["a line end in a type", { event: "a\nb" }, "ERR_EVENT_INVALID"],
  ["a CR in a type", { event: "a\rb" }, "ERR_EVENT_INVALID"],
  ["a time below 0", { retry: -1 }, "ERR_EVENT_INVALID"],
  [
    "a time that is no number",
    { retry: "1\ndata: x" },
    "ERR_EVENT_INVALID",
  ],
  ["half a millisecond", { retry: 0.5 }, "ERR_EVENT_INVALID"],
];
