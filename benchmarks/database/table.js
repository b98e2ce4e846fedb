import { P99_MARK } from "./derive.js";

/** @import { Derived, PauseRow } from "./derive.js" */
/** @import { Run } from "./world.js" */

/** What the servers are called. */
export const NAMES = /** @type {Record<string, string>} */ ({
  node: "velocy on node:http",
  "node-again": "the same again",
  engine: "velocy on its engine",
  go: "Go",
});

const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString("en-US");
const one = (/** @type {number} */ value) => value.toFixed(1);
const percent = (/** @type {number | undefined} */ value) =>
  value === undefined || value === null || Number.isNaN(value) ? "–" : `${whole(value * 100)} %`;

/**
 * @param {string[][]} rows the first is the head
 * @returns {string}
 */
function columns(rows) {
  const widths = rows[0].map((_, index) => Math.max(...rows.map((row) => row[index].length)));
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          index === 0 ? cell.padEnd(widths[index]) : cell.padStart(widths[index]),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/**
 * @param {object} where
 * @param {string} where.cpu its name
 * @param {string} [where.processor] what the name may hide, in newer results
 * @param {boolean} where.virtual
 */
function describeProcessor({ cpu, processor, virtual }) {
  const name = processor === undefined ? cpu : `${cpu} (${processor})`;
  return virtual ? `${name}, in a virtual machine` : name;
}

/** @param {any} result */
export function labTable({ what, where }) {
  const { versions, settings } = what;
  return [
    ["the lab", `${where.cores} cores`],
    ["processor", describeProcessor(where)],
    ["Node", `${versions.node.slice(1)}, with pg ${versions.pg}`],
    ["Go", `${versions.go.slice(2)}, with pgx ${versions.pgx}`],
    ["Postgres", /\d[\d.]*/.exec(versions.postgres)?.[0] ?? "–"],
    ["a run", `${settings.seconds} s`],
    ["blocks", `${settings.blocks}`],
  ];
}

/** @param {any} result */
export function ladderTable({ derived }) {
  const { rates } = /** @type {Derived} */ (derived);
  const blocks = derived.knees.node.length;
  const cell = (/** @type {{ keptIn: number, p50: number, p99: number }} */ of) => {
    const latency = `${one(of.p50)} / ${one(of.p99)}`;
    if (of.keptIn === 0) return `(${latency})`;
    return of.keptIn === blocks ? latency : `${latency}, ${of.keptIn} of ${blocks}`;
  };
  return [
    ["users/s", ...Object.values(NAMES)],
    ...rates.map(({ rate, of }) => [whole(rate), ...Object.keys(NAMES).map((id) => cell(of[id]))]),
  ];
}

/** @param {any} result */
export function kneeTable({ derived }) {
  const { knee, knees } = /** @type {Derived} */ (derived);
  return [
    ["server", "knee, users/s", "the blocks' knees"],
    ...Object.keys(NAMES).map((id) => [
      NAMES[id],
      whole(knee[id]),
      knees[id]
        .toSorted((a, b) => a - b)
        .map(whole)
        .join(" · "),
    ]),
  ];
}

/**
 * Node's p99 to Go's, at the rates that both keep in most blocks.
 *
 * @param {any} result
 */
export function ratioTable({ derived }) {
  const { rates } = /** @type {Derived} */ (derived);
  const both = rates.filter(({ of }) => of.node.kept && of.go.kept);
  return [
    ["users/s", "Node's p99 to Go's", "in the blocks", "its twin's to Node's"],
    ...both.map(({ rate, p99ToGo, p99ToGoInBlocks: each, p99Twins }) => [
      whole(rate),
      one(p99ToGo),
      `${one(Math.min(...each))} to ${one(Math.max(...each))}`,
      one(p99Twins),
    ]),
  ];
}

/**
 * @param {number[]} pair of Node and Go
 * @param {(value: number) => string} print
 * @param {number} decimals of their ratio
 */
function beside([node, go], print, decimals) {
  if (go === undefined) return ["–", "–", "–"];
  return [print(node), print(go), (node / go).toFixed(decimals)];
}

/**
 * What was asked of both in several places: with a name for the statement, sixty connections,
 * and p99 at the lowest rate.
 *
 * @param {any} result
 */
export function apartTable({ derived, statements, pools, distance, cluster }) {
  const pair = (/** @type {any[]} */ rows, /** @type {(row: any) => boolean} */ isIt) =>
    ["node", "go"].map((id) => rows.find((row) => row.id === id && isIt(row)));
  const prepared = pair(statements, ({ way }) => way === "prepared");
  const sixty = pair(pools, ({ pool }) => pool === 60);
  const near = pair(distance.rows, (row) => row.pool === 60 && row.milliseconds === 0);
  const single = pair(cluster, ({ workers }) => workers === 1);
  const lowest = derived.rates[0].of;
  /** @type {[place: string, most: number[], p99: number[]][]} */
  const places = [
    [
      "Where it bends",
      [derived.capacity.node, derived.capacity.go],
      [lowest.node.p99, lowest.go.p99],
    ],
    [
      "Parse it once",
      prepared.map((row) => row.capacity.perSecond),
      prepared.map((row) => row.fixed.p99),
    ],
    ["How many connections", sixty.map((row) => row.capacity), sixty.map((row) => row.p99)],
    ["through the proxy, 0 ms", [], near.map((row) => row?.run.p99)],
    ["Both cores, one worker", single.map((row) => row.run.perSecond), []],
  ];
  return [
    [
      ...["where", "Node users/s", "Go users/s", "Node to Go"],
      ...["Node p99 ms", "Go p99 ms", "Node to Go"],
    ],
    ...places.map(([place, most, p99]) => [
      place,
      ...beside(most, whole, 2),
      ...beside(p99, one, 1),
    ]),
  ];
}

/** @param {any} result */
export function capacityTable({ derived }) {
  const { capacity, busy, share } = /** @type {Derived} */ (derived);
  return [
    [
      ...["server", "users/s at most", "µs of its core", "its share", "its core"],
      ...["µs of Postgres", "the other core"],
    ],
    ...Object.keys(NAMES).map((id) => [
      NAMES[id],
      whole(capacity[id]),
      whole(busy[id].serverCpu),
      percent(share[id]),
      percent(busy[id].server),
      whole(busy[id].databaseCpu),
      percent(busy[id].other),
    ]),
  ];
}

/** @param {any} result */
export function statementTable({ statements }) {
  return [
    ["server", "statement", "µs of its core", "µs of Postgres", "p99 ms", "users/s at most"],
    ...statements.map((/** @type {any} */ { id, way, fixed, capacity }) => [
      NAMES[id],
      way,
      whole(fixed.serverCpu),
      whole(fixed.databaseCpu),
      one(fixed.p99),
      whole(capacity.perSecond),
    ]),
  ];
}

/** @param {any} result */
export function poolTable({ pools }) {
  const sizes = [...new Set(pools.map((/** @type {any} */ { pool }) => pool))];
  const of = (/** @type {any} */ size, /** @type {string} */ id) =>
    pools.find((/** @type {any} */ row) => row.pool === size && row.id === id);
  return [
    ["connections", "Node users/s", "p99 ms", "Go users/s", "p99 ms"],
    ...sizes.map((size) => [
      String(size),
      ...["node", "go"].flatMap((id) => [whole(of(size, id).capacity), one(of(size, id).p99)]),
    ]),
  ];
}

/**
 * What stops a server: older results don't tell.
 *
 * @param {any} result
 */
export function pauseTable({ pauses }) {
  const rows = /** @type {PauseRow[]} */ (pauses.derived);
  const each = (/** @type {number[]} */ ratios) =>
    `${one(ratios[0])} to ${one(ratios.at(-1) ?? 0)}`;
  return [
    [
      ...["server", "how", "p50 ms", "p99 ms", "to Go's", "in the blocks"],
      ...["scavenges/s", "median ms", "other pauses/s", "median ms"],
    ],
    ...rows.map(({ id, way, p50, p99, toGo, inBlocks, collector }) => [
      ...[NAMES[id], way, one(p50), one(p99), toGo.toFixed(2), each(inBlocks)],
      ...(collector
        ? [collector.scavenges, collector.others].flatMap(({ perSecond, half }) => [
            one(perSecond),
            perSecond === 0 ? "–" : one(half),
          ])
        : ["–", "–", "–", "–"]),
    ]),
  ];
}

/**
 * The same of before chapter 13 named its functions, without what was tried then and taken for
 * the reason.
 *
 * @param {any} result
 */
export function pauseBeforeTable({ pauses, pausesBefore }) {
  const known = new Set(pauses.derived.map((/** @type {PauseRow} */ { way }) => way));
  const derived = pausesBefore.derived.filter((/** @type {PauseRow} */ { way }) => known.has(way));
  return pauseTable({ pauses: { derived } });
}

/** @param {any} result */
function describeMark({ pauses }) {
  const rows = /** @type {PauseRow[]} */ (pauses.derived);
  const each = rows
    .filter(({ id, way }) => id !== "go" && way !== "as it is")
    .map(
      ({ id, toGo, withinMark, inBlocks }) =>
        `${NAMES[id]} ${toGo.toFixed(2)} (${withinMark} of ${inBlocks.length})`,
    );
  return (
    `With connections that are kept, p99 to Go's, and in how many blocks it is at most ${P99_MARK}: ` +
    each.join(", ")
  );
}

/** @param {any} result */
export function distanceTable({ distance }) {
  return [
    ["server", "ms each way", "pool", "p50 ms", "p99 ms", "kept", "descriptors"],
    ...distance.rows.map(
      (/** @type {any} */ { id, milliseconds, pool, run, descriptors: most }) => [
        NAMES[id],
        String(milliseconds),
        String(pool),
        one(run.p50),
        one(run.p99),
        run.isKept ? "yes" : "no",
        whole(most),
      ],
    ),
  ];
}

/** @param {any} result */
export function clusterTable({ cluster }) {
  return [
    ["server", "workers", "users/s at most", "µs of its cores"],
    ...cluster.map((/** @type {any} */ { id, workers, run }) => [
      NAMES[id],
      String(workers),
      whole(run.perSecond),
      whole(run.serverCpu),
    ]),
  ];
}

/**
 * A lower bound of p50, or a dash where it would only tell when those never sent were due. Older
 * results count those to the last answer, which is no bound: then take off what that may add.
 *
 * @param {Run} run
 * @param {{ due: number, sent: number, seconds: number }} counts
 */
function leastMedian({ p50, end, added, perSecond, rate }, { due, sent, seconds }) {
  if (due - sent > due / 2) return "–";
  if (end !== undefined || sent === due) return one(p50);
  const last = (added / perSecond) * 1000;
  const longest = last - (sent / rate) * 1000;
  // All that were never sent stand below p50, and would stand there with less.
  if (longest < p50) return one(p50);
  return one(p50 - Math.max(last - seconds * 1000, 0));
}

/** @param {any} result */
export function collapseTable({ collapse }) {
  return [
    [
      ...["server", "how", "due", "added", "refused", "given up", "never sent"],
      ...["added/s", "p50 ms", "rows"],
    ],
    ...collapse.rows.map((/** @type {any} */ { id, way, run, written }) => {
      // Older results don't count those that were never sent.
      const due = run.due ?? Math.max(run.sent, Math.round(run.rate * collapse.seconds));
      const censored = run.due === undefined ? run.censored + due - run.sent : run.censored;
      return [
        NAMES[id],
        way,
        whole(due),
        whole(run.added),
        whole(run.refused),
        whole(censored - (due - run.sent)),
        whole(due - run.sent),
        whole(run.perSecond),
        leastMedian(run, { due, sent: run.sent, seconds: collapse.seconds }),
        whole(written),
      ];
    }),
  ];
}

/** @param {any} result */
export function threadTable({ threads }) {
  return [
    ["server", "how", "before", "after"],
    ...threads.map((/** @type {any} */ { id, way, before, after }) => [
      NAMES[id],
      way,
      String(before),
      String(after),
    ]),
  ];
}

/** @param {any} result */
export function descriptorTable({ descriptors }) {
  const seconds = [1, 4, 6, 9, 11];
  return [
    ["server", "closes idle ones after", ...seconds.map((second) => `${second} s`)],
    ...descriptors.map((/** @type {any} */ { id, way, columns: counts }) => [
      NAMES[id],
      way,
      ...seconds.map((second) => String(counts[second] ?? "–")),
    ]),
  ];
}

/** @param {any} result */
export function formatDatabase(result) {
  const { what, where, derived, collapse, distance, disk, memory } = result;
  const d = /** @type {Derived} */ (derived);
  const parts = [
    `${what.title}\n${where.cores} cores of ${where.cpu}, one for the server; ` +
      `${what.settings.blocks} blocks of ${what.settings.seconds} s; Node ${what.versions.node}, ` +
      `${what.versions.go}, pgx ${what.versions.pgx}, pg ${what.versions.pg}; fsync off`,
    `At most, with 64 requests under way\n${columns(capacityTable(result))}`,
    `At most, Node adds ${d.nodeToGo.toFixed(2)} times as many users as Go, the engine ` +
      `${d.engineToGo.toFixed(2)} times; Node's twin adds ${d.twins.toFixed(2)} times as many as Node`,
    `p50 / p99 in ms at a fixed rate; in brackets: kept in no block\n${columns(ladderTable(result))}`,
    `Knees: the highest rate up to which every rate is kept, in most blocks and in each\n` +
      `${columns(kneeTable(result))}`,
    `Node's knee is ${d.kneeToGo.toFixed(2)} times Go's; it is the lower one in ` +
      `${d.kneesApart.lower} blocks, the same in ${d.kneesApart.same}, the higher one in ` +
      `${d.kneesApart.higher}`,
    `p99 at the rates that both keep\n${columns(ratioTable(result))}`,
    `Node keeps all that Go keeps: ${d.keepsAllThatGoKeeps ? "yes" : "no"}; ` +
      (d.below75.rates === 0
        ? "no rate is at 75 % of the lower knee or below"
        : `up to 75 % of the lower knee (${d.below75.rates} of the rates) its p99 is at most ` +
          `${d.below75.worstP99ToGo.toFixed(2)} times Go's`),
    `Statements\n${columns(statementTable(result))}`,
    `Connections in the pool\n${columns(poolTable(result))}`,
    ...(result.pauses
      ? [
          `One in a hundred, at ${whole(result.pauses.rate)}/s for ${result.pauses.seconds} s, in ` +
            `${result.pauses.blocks.length} blocks\n${columns(pauseTable(result))}`,
          describeMark(result),
        ]
      : []),
    `Distance to the database, at ${distance.rate}/s\n${columns(distanceTable(result))}`,
    `Both cores\n${columns(clusterTable(result))}`,
    `More than it can do: ${whole(collapse.rate)}/s for ${collapse.seconds} s, given up after ` +
      `${collapse.timeout} s\n${columns(collapseTable(result))}`,
    `Threads\n${columns(threadTable(result))}`,
    `Descriptors, with 100 idle connections from second 2 to 10\n${columns(descriptorTable(result))}`,
    `With fsync, at ${disk.rate}/s\n${disk.rows
      .map(
        (/** @type {{ id: string, run: Run, capacity: number }} */ { id, run, capacity }) =>
          `${NAMES[id]}: p50 ${one(run.p50)} ms, p99 ${one(run.p99)} ms, at most ${whole(capacity)}/s`,
      )
      .join("\n")}`,
  ];
  if (memory) {
    const each = Object.keys(NAMES).map((id) => `${NAMES[id]} ${whole(memory[id])}`);
    parts.push(`Memory, the most at any time, in MiB: ${each.join(", ")}`);
  }
  return parts.join("\n\n");
}
