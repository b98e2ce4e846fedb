// cspell:disable: the words are those of memcached's own tests.
/**
 * What memcached's own tests ask, as a table: the file of its folder t/, and
 * the steps. A step is [what is sent, what has to come], a number of seconds
 * that pass, or a function of the client and of what has come before. The
 * cases are memcached's; see its LICENSE, BSD.
 */
const set = (key, data, flags = 0, exptime = 0) => [
  `set ${key} ${flags} ${exptime} ${data.length}\r\n${data}\r\n`,
  "STORED\r\n",
];
const has = (key, data, flags = 0) => [
  `get ${key}\r\n`,
  `VALUE ${key} ${flags} ${data.length}\r\n${data}\r\nEND\r\n`,
];
const hasNot = (key) => [`get ${key}\r\n`, "END\r\n"];
const BAD = "CLIENT_ERROR bad command line format\r\n";
const now = () => Math.floor(Date.now() / 1000);
const TOO_MUCH = `${"B".repeat(1049600)}\r\n`;

/** @type {any[]} */
export const cases = [
  {
    file: "bogus-commands.t",
    steps: [["boguscommand slkdsldkfjsd\r\n", "ERROR\r\n"]],
  },
  ...["blah 0 0 0", "0 blah 0 0", "0 0 blah 0", "0 0 0 blah"].map(
    (words) => ({
      file: "cas.t",
      what: `cas with ${words}`,
      since: "1.6.30",
      steps: [[`cas bad ${words}\r\n\r\n`, BAD]],
    }),
  ),
  {
    file: "cas.t",
    what: "an unknown key, another version, the right one, the same again",
    steps: [
      ["gets foo\r\n", "END\r\n"],
      set("foo", "barval"),
      ["cas foo 0 0 6 123\r\nbarva2\r\n", "EXISTS\r\n"],
      { gets: "foo", data: "barval" },
      { cas: "foo", data: "barva2", answer: "STORED\r\n" },
      { cas: "foo", data: "barva2", answer: "EXISTS\r\n" },
      ["delete foo\r\n", "DELETED\r\n"],
      { cas: "foo", data: "barva2", answer: "NOT_FOUND\r\n" },
    ],
  },
  {
    file: "cas.t",
    what: "cas without a version",
    // Debian's 1.6.18 says ERROR; from 1.6.30 on it is a bad line.
    steps: [["cas foo 0 0 6 \r\n", "ERROR\r\n"]],
  },
  {
    file: "cas.t",
    what: "a version changes with incr",
    steps: [
      set("bug15", "0"),
      { gets: "bug15", data: "0" },
      ["incr bug15 1\r\n", "1\r\n"],
      { cas: "bug15", data: "5", answer: "EXISTS\r\n" },
    ],
  },
  {
    file: "expirations.t",
    what: "seconds from now",
    steps: [
      set("foo", "fooval", 0, 3),
      has("foo", "fooval"),
      3,
      hasNot("foo"),
    ],
  },
  {
    file: "expirations.t",
    what: "a time that is past",
    steps: [set("foo", "fooval", 0, now() - 1), hasNot("foo")],
  },
  {
    file: "expirations.t",
    what: "a time long past",
    steps: [set("boo", "booval", 0, now() - 20), hasNot("boo")],
  },
  {
    file: "expirations.t",
    what: "a time to come",
    steps: [
      set("foo", "foov+1", 0, now() + 40),
      has("foo", "foov+1"),
      41,
      hasNot("foo"),
    ],
  },
  {
    file: "expirations.t",
    what: "a negative time",
    steps: [set("boo", "booval", 0, -1), hasNot("boo")],
  },
  {
    file: "expirations.t",
    what: "add, once the old one is over",
    steps: [
      ["add add 0 2 6\r\naddval\r\n", "STORED\r\n"],
      has("add", "addval"),
      ["add add 0 2 7\r\naddval2\r\n", "NOT_STORED\r\n"],
      2,
      ["add add 0 2 7\r\naddval3\r\n", "STORED\r\n"],
      has("add", "addval3"),
    ],
  },
  ...[
    ["a past time", now() - 1],
    ["-1", -1],
  ].map(([what, time]) => ({
    file: "expirations.t",
    what: `touch and gat with ${what}`,
    steps: [
      set("tch", "touchval"),
      [`touch tch ${time}\r\n`, "TOUCHED\r\n"],
      hasNot("tch"),
      set("gat", "gatval"),
      [`gat ${time} gat\r\n`, "VALUE gat 0 6\r\ngatval\r\nEND\r\n"],
      hasNot("gat"),
    ],
  })),
  {
    file: "expirations.t",
    what: "gat with a second to come",
    steps: [
      set("gat", "gatval"),
      [`gat 1 gat\r\n`, "VALUE gat 0 6\r\ngatval\r\nEND\r\n"],
      2,
      hasNot("gat"),
    ],
  },
  {
    file: "flags.t",
    steps: [0, 123, 2 ** 16 - 1, 2 ** 31].flatMap((flags) => [
      set("foo", "fooval", flags),
      has("foo", "fooval", flags),
    ]),
  },
  {
    file: "flush-all.t",
    what: "at once, and with 0",
    steps: [
      set("foo", "fooval"),
      ["flush_all\r\n", "OK\r\n"],
      hasNot("foo"),
      set("foo", "fooval"),
      ["flush_all 0\r\n", "OK\r\n"],
      hasNot("foo"),
      set("foo", "new"),
      has("foo", "new"),
    ],
  },
  {
    file: "flush-all.t",
    what: "later, and much later",
    steps: [
      ["flush_all 2\r\n", "OK\r\n"],
      set("foo", "1234"),
      has("foo", "1234"),
      3,
      hasNot("foo"),
      set("foo", "12345"),
      ["flush_all 86400\r\n", "OK\r\n"],
      has("foo", "12345"),
      set("foo2", "54321"),
      has("foo2", "54321"),
    ],
  },
  {
    file: "flush-all.t",
    what: "a bad time",
    steps: [
      [
        "flush_all invalid\r\n",
        "CLIENT_ERROR invalid exptime argument\r\n",
      ],
    ],
  },
  {
    file: "getandtouch.t",
    steps: [
      ["gat 10 foo1\r\n", "END\r\n"],
      set("foo1", "fooval1", 0, 2),
      set("foo2", "fooval2", 0, 2),
      [
        "gat 10 foo1 foo2\r\n",
        "VALUE foo1 0 7\r\nfooval1\r\nVALUE foo2 0 7\r\nfooval2\r\nEND\r\n",
      ],
      3,
      has("foo1", "fooval1"),
      has("foo2", "fooval2"),
    ],
  },
  {
    file: "getset.t",
    what: "a long line of spaces",
    steps: [
      [`get ${" ".repeat(2048)} manyspaces`, ""],
      ["\r\n", "END\r\n"],
    ],
  },
  {
    file: "getset.t",
    what: "a long incr",
    steps: [[`incr ${" ".repeat(2048)} manyspaces 1`, null]],
  },
  {
    file: "getset.t",
    what: "nothing but spaces",
    steps: [[" ".repeat(14000), null]],
  },
  {
    file: "getset.t",
    what: "set, add, replace, delete",
    steps: [
      set("foo", "fooval"),
      ["add bar 0 0 6\r\nbarval\r\n", "STORED\r\n"],
      has("bar", "barval"),
      ["add foo 0 0 5\r\nfoov2\r\n", "NOT_STORED\r\n"],
      has("foo", "fooval"),
      ["replace bar 0 0 6\r\nbarva2\r\n", "STORED\r\n"],
      ["replace notexist 0 0 6\r\nbarva2\r\n", "NOT_STORED\r\n"],
      ["delete foo\r\n", "DELETED\r\n"],
      ["delete foo\r\n", "NOT_FOUND\r\n"],
      ["add moo 0 0 6\r\nmooval\r\n", "STORED\r\n"],
      ["cas moo 0 0 6 0\r\nMOOVAL\r\n", "EXISTS\r\n"],
      { gets: "moo", data: "mooval" },
      { cas: "moo", data: "MOOVAL", answer: "STORED\r\n" },
      has("moo", "MOOVAL"),
    ],
  },
  {
    file: "getset.t",
    what: "four commands at once",
    steps: [
      [
        "set foo 0 0 6\r\nfooval\r\ndelete foo\r\n".repeat(2),
        "STORED\r\nDELETED\r\n".repeat(2),
      ],
    ],
  },
  {
    file: "getset.t",
    what: "from 1 KiB to beyond 1 MiB",
    memory: 128,
    steps: Array.from({ length: 257 }, (_, n) => 1024 + n * 4096).flatMap(
      (length) => {
        const name = `foo_${length}`;
        const command = `set ${name} 0 0 ${length}\r\n${"B".repeat(length)}\r\n`;
        if (length <= 1024 * 1024) return [[command, "STORED\r\n"]];
        return [
          set(name, "MOO"),
          [command, "SERVER_ERROR object too large for cache\r\n"],
          hasNot(name),
        ];
      },
    ),
  },
  {
    file: "getset.t",
    what: "a get of 18,725 keys",
    steps: [
      set("foobarbaz", "hi"),
      [
        `get ${"foobarbaz ".repeat(18725)}\r\n`,
        `${"VALUE foobarbaz 0 2\r\nhi\r\n".repeat(18725)}END\r\n`,
      ],
    ],
  },
  {
    file: "incrdecr.t",
    steps: [
      set("bug21", "9223372036854775807"),
      ["incr bug21 1\r\n", "9223372036854775808\r\n"],
      ["incr bug21 1\r\n", "9223372036854775809\r\n"],
      ["decr bug21 1\r\n", "9223372036854775808\r\n"],
      set("num", "1"),
      ["incr num 1\r\n", "2\r\n"],
      has("num", "2"),
      ["incr num 8\r\n", "10\r\n"],
      has("num", "10"),
      ["decr num 1\r\n", "9\r\n"],
      ["decr num 9\r\n", "0\r\n"],
      ["decr num 5\r\n", "0\r\n"],
      set("num", "4294967296"),
      ["incr num 1\r\n", "4294967297\r\n"],
      set("num", "18446744073709551615"),
      ["incr num 1\r\n", "0\r\n"],
      ["decr bogus 5\r\n", "NOT_FOUND\r\n"],
      ["decr incr 5\r\n", "NOT_FOUND\r\n"],
      set("bigincr", "0"),
      ["incr bigincr 18446744073709551610\r\n", "18446744073709551610\r\n"],
      set("text", "hi"),
      [
        "incr text 1\r\n",
        "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n",
      ],
    ],
  },
  {
    file: "issue_104.t",
    steps: [
      hasNot("foo"),
      set("foo", "fooval"),
      has("foo", "fooval"),
      { stats: { cmd_get: 2, get_hits: 1, get_misses: 1 } },
    ],
  },
  {
    file: "issue_108.t",
    steps: [
      ["add del_key 0 0 1\r\nx\r\n", "STORED\r\n"],
      ["delete del_key 0\r\n", "DELETED\r\n"],
      ["add del_key 0 0 1\r\nx\r\n", "STORED\r\n"],
      [
        "delete del_key 0 noreply\r\nadd del_key 0 0 1\r\nx\r\n",
        "STORED\r\n",
      ],
    ],
  },
  {
    file: "issue_152.t",
    steps: [set("a", "a", 1), [`get a ${"a".repeat(251)}\r\n`, BAD]],
  },
  {
    file: "issue_192.t",
    steps: [
      [`\x80\x12\0\x01\x08\0\0\0\xff\xff\xff\xe8${"\0".repeat(40)}`, ""],
      { another: true },
    ],
  },
  {
    file: "issue_29.t",
    steps: [set("issue29", ""), set("issue29_b", ""), has("issue29", "")],
  },
  {
    file: "issue_3.t",
    steps: [
      ["delete del_key\r\n", "NOT_FOUND\r\n"],
      ["add del_key 0 0 1\r\nx\r\n", "STORED\r\n"],
      ["delete del_key 10 noreply\r\n", ""],
      ["delete del_key noreply\r\n", ""],
      set("del_key", "x"),
      ["delete del_key\r\n", "DELETED\r\n"],
      set("del_key", "x"),
      [
        "delete del_key noreply\r\nadd del_key 0 0 1\r\nx\r\n",
        "STORED\r\n",
      ],
    ],
  },
  {
    file: "issue_41.t",
    steps: Array.from({ length: 60 }, (_, n) =>
      set(`key${n}`, "x".repeat(Math.ceil(2 * 1.2 ** n))),
    ),
  },
  {
    file: "issue_61.t",
    steps: [
      ["set foobar 0 0 5\r\nBubba\r\n".repeat(6), "STORED\r\n".repeat(6)],
    ],
  },
  {
    file: "issue_68.t",
    steps: Array.from({ length: 249 }, (_, n) => "x".repeat(n + 1)).flatMap(
      (key) => [
        set(key, "9"),
        has(key, "9"),
        [`incr ${key} 1\r\n`, "10\r\n"],
        has(key, "10"),
      ],
    ),
  },
  {
    file: "issue_70.t",
    steps: [
      set("issue70", ""),
      ["set issue70 0 0 -1\r\n", BAD],
      ["set issue70 0 0 4294967295\r\n", BAD],
      ["set issue70 0 0 2147483647\r\nscoobyscoobydoo", BAD],
    ],
  },
  ...[
    "GET / HTTP/1.0",
    "PUT /asdf/asd/fasdfasdf/sadf HTTP/1.1",
    "DELETE HTTP/1.1",
  ].map((line) => ({
    file: "malicious-commands.t",
    what: line,
    since: "1.6.30",
    steps: [[`${line}\r\n`, null]],
  })),
  {
    file: "noreply.t",
    steps: [
      ["flush_all noreply\r\n", ""],
      ["flush_all 0 noreply\r\n", ""],
      ["verbosity 0 noreply\r\n", ""],
      ["add noreply:foo 0 0 1 noreply\r\n1\r\n", ""],
      has("noreply:foo", "1"),
      ["set noreply:foo 0 0 1 noreply\r\n2\r\n", ""],
      has("noreply:foo", "2"),
      ["replace noreply:foo 0 0 1 noreply\r\n3\r\n", ""],
      has("noreply:foo", "3"),
      ["append noreply:foo 0 0 1 noreply\r\n4\r\n", ""],
      has("noreply:foo", "34"),
      ["prepend noreply:foo 0 0 1 noreply\r\n5\r\n", ""],
      { gets: "noreply:foo", data: "534" },
      { cas: "noreply:foo", data: "6", answer: "", quiet: true },
      has("noreply:foo", "6"),
      ["incr noreply:foo 3 noreply\r\n", ""],
      has("noreply:foo", "9"),
      ["decr noreply:foo 2 noreply\r\n", ""],
      has("noreply:foo", "7"),
      ["delete noreply:foo noreply\r\n", ""],
      hasNot("noreply:foo"),
    ],
  },
  { file: "quit.t", steps: [["quit\r\n", null]] },
  {
    // Not of t/: what memcached 1.6.18 answers to each of these lines.
    file: "proto_text.c",
    what: "too few words, too many, and keys that are too long",
    steps: [
      ["set\r\n", "ERROR\r\n"],
      ["set a 0 0\r\n", "ERROR\r\n"],
      ["cas a 0 0 1\r\n", "ERROR\r\n"],
      ["set a 0 0 1 noreply x\r\n", "ERROR\r\n"],
      ["set a 0 0 1 x y\r\n", "ERROR\r\n"],
      ["set a 0 0 x\r\n", BAD],
      ["set a 0 0 x noreply\r\n", ""],
      [`set ${"k".repeat(251)} 0 0 1\r\n1\r\n`, `${BAD}ERROR\r\n`],
      [`delete ${"k".repeat(251)}\r\n`, BAD],
      [`incr ${"k".repeat(251)} 1\r\n`, BAD],
      [`touch ${"k".repeat(251)} 1\r\n`, BAD],
      [
        "delete a noreply x\r\n",
        `${BAD.trim()}.  Usage: delete <key> [noreply]\r\n`,
      ],
      ["gat\r\n", "ERROR\r\n"],
      ["gat 5\r\n", "END\r\n"],
      ["gat x a\r\n", "CLIENT_ERROR invalid exptime argument\r\n"],
      [
        "flush_all noreply x\r\n",
        "CLIENT_ERROR invalid exptime argument\r\n",
      ],
      hasNot("a"),
    ],
  },
  {
    file: "proto_text.c",
    what: "noreply with a space behind it, and as a key",
    steps: [
      ["set a 0 0 1 noreply \r\n1\r\n", ""],
      has("a", "1"),
      ["delete noreply\r\n", "NOT_FOUND\r\n"],
      set("noreply", "x"),
      ["delete noreply\r\n", "DELETED\r\n"],
      set("noreply", "x"),
      ["delete noreply noreply\r\n", ""],
      hasNot("noreply"),
      ["incr a noreply\r\n", ""],
      ["touch a noreply\r\n", ""],
      has("a", "1"),
    ],
  },
  {
    file: "proto_text.c",
    what: "a value that is too large removes the old one for set alone",
    steps: [
      set("foo", "MOO"),
      ...["add", "replace", "append", "prepend", "cas"].flatMap((name) => [
        [
          `${name} foo 0 0 1049600${name === "cas" ? " 1" : ""}\r\n${TOO_MUCH}`,
          "SERVER_ERROR object too large for cache\r\n",
        ],
        has("foo", "MOO"),
      ]),
      [
        `set foo 0 0 1049600\r\n${TOO_MUCH}`,
        "SERVER_ERROR object too large for cache\r\n",
      ],
      hasNot("foo"),
    ],
  },
  {
    file: "stats.t",
    steps: [
      {
        stats: {
          curr_items: 0,
          total_items: 0,
          bytes: 0,
          cmd_get: 0,
          cmd_set: 0,
          get_hits: 0,
          get_misses: 0,
          delete_hits: 0,
          incr_misses: 0,
          evictions: 0,
        },
      },
      set("foo", "fooval"),
      has("foo", "fooval"),
      {
        stats: {
          total_items: 1,
          curr_items: 1,
          cmd_get: 1,
          cmd_set: 1,
          get_hits: 1,
        },
      },
      ["delete foo\r\n", "DELETED\r\n"],
      ["delete foo\r\n", "NOT_FOUND\r\n"],
      { stats: { delete_hits: 1, delete_misses: 1 } },
      ["incr i 1\r\n", "NOT_FOUND\r\n"],
      ["decr d 1\r\n", "NOT_FOUND\r\n"],
      {
        stats: {
          incr_hits: 0,
          incr_misses: 1,
          decr_hits: 0,
          decr_misses: 1,
        },
      },
      set("n", "0"),
      ["incr n 3\r\n", "3\r\n"],
      ["decr n 1\r\n", "2\r\n"],
      {
        stats: {
          incr_hits: 1,
          incr_misses: 1,
          decr_hits: 1,
          decr_misses: 1,
        },
      },
      ["cas c 0 0 1 99999999\r\nz\r\n", "NOT_FOUND\r\n"],
      { stats: { cas_hits: 0, cas_misses: 1, cas_badval: 0 } },
      set("c", "x"),
      { gets: "c", data: "x" },
      ["cas c 0 0 1 99999999\r\nz\r\n", "EXISTS\r\n"],
      { stats: { cas_hits: 0, cas_misses: 1, cas_badval: 1 } },
      { cas: "c", data: "z", answer: "STORED\r\n" },
      { stats: { cas_hits: 1, cas_misses: 1, cas_badval: 1 } },
      ["stats reset\r\n", "RESET\r\n"],
      {
        stats: {
          cmd_get: 0,
          cmd_set: 0,
          get_hits: 0,
          delete_misses: 0,
          delete_hits: 0,
          incr_misses: 0,
          cas_hits: 0,
          cas_badval: 0,
          evictions: 0,
        },
      },
      set("should_expire", "fooval", 0, 2678400),
      hasNot("should_expire"),
      { stats: { get_expired: 1 } },
      ["flush_all\r\n", "OK\r\n"],
      { stats: { cmd_flush: 1 } },
    ],
  },
  {
    file: "strtol-testing.t",
    since: "1.6.30",
    steps: [["verbosity invalid\r\n", BAD]],
  },
  {
    file: "touch.t",
    steps: [
      set("foo", "fooval", 0, 2),
      ["touch foo 10\r\n", "TOUCHED\r\n"],
      3,
      has("foo", "fooval"),
    ],
  },
];
