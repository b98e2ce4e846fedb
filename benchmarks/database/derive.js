/** @import { Run } from "./world.js" */

/**
 * @typedef {object} Ladder
 * @property {number[]} rates
 * @property {{ [id: string]: { capacity: Run, runs: Run[] } }[]} blocks
 *
 * @typedef {object} RateRow
 * @property {number} rate
 * @property {{ [id: string]: { kept: boolean, keptIn: number, p50: number, p99: number,
 *   serverCpu: number, serverBusy?: number, otherBusy?: number } }} of kept: in most blocks
 * @property {number} p99ToGo Node's to Go's, of the medians
 * @property {number[]} p99ToGoInBlocks the same in each block
 * @property {number} p99Twins that of Node's twin to Node's
 *
 * @typedef {ReturnType<typeof derive>} Derived
 */

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/** @param {number[]} values */
const rangeOf = (values) => ({ least: Math.min(...values), most: Math.max(...values) });

/**
 * The highest rate up to which a server keeps every rate, or 0.
 *
 * @param {number[]} rates
 * @param {(index: number) => boolean} isKept
 */
function kneeOf(rates, isKept) {
  const missed = rates.findIndex((_, index) => !isKept(index));
  return missed === -1 ? rates[rates.length - 1] : (rates[missed - 1] ?? 0);
}

/**
 * In how many blocks Node's knee was the lower one, the same as Go's, or the higher one.
 *
 * @param {{ [id: string]: number[] }} knees
 */
function compareKnees({ node, go }) {
  const signs = node.map((own, block) => Math.sign(own - go[block]));
  const count = (/** @type {number} */ wanted) => signs.filter((sign) => sign === wanted).length;
  return { lower: count(-1), same: count(0), higher: count(1) };
}

/**
 * The knees, and the target that the chapter is held to. A server's knee is the highest rate up to
 * which it keeps every rate in most blocks; a block has one of its own.
 *
 * @param {Ladder} ladder
 */
export function derive({ rates, blocks }) {
  const ids = Object.keys(blocks[0]);
  const capacity = Object.fromEntries(
    ids.map((id) => [id, median(blocks.map((block) => block[id].capacity.perSecond))]),
  );
  const busy = Object.fromEntries(
    ids.map((id) => {
      const runs = blocks.map((block) => block[id].capacity);
      return [
        id,
        {
          server: median(runs.map(({ serverBusy = Number.NaN }) => serverBusy)),
          other: median(runs.map(({ otherBusy = Number.NaN }) => otherBusy)),
          serverCpu: median(runs.map(({ serverCpu }) => serverCpu)),
          databaseCpu: median(runs.map(({ databaseCpu }) => databaseCpu)),
        },
      ];
    }),
  );
  /** @type {RateRow[]} */
  const rows = rates.map((rate, index) => {
    const of = Object.fromEntries(
      ids.map((id) => {
        const runs = blocks.map((block) => block[id].runs[index]);
        const middle = (/** @type {"p50" | "p99" | "serverCpu"} */ key) =>
          median(runs.map((run) => run[key]));
        const keptIn = runs.filter(({ isKept }) => isKept).length;
        const row = {
          kept: keptIn > blocks.length / 2,
          keptIn,
          p50: middle("p50"),
          p99: middle("p99"),
          serverCpu: middle("serverCpu"),
          serverBusy: median(runs.map(({ serverBusy = Number.NaN }) => serverBusy)),
          otherBusy: median(runs.map(({ otherBusy = Number.NaN }) => otherBusy)),
        };
        return [id, row];
      }),
    );
    const p99ToGoInBlocks = blocks.map(({ node, go }) => node.runs[index].p99 / go.runs[index].p99);
    return {
      rate,
      of,
      p99ToGo: of.node.p99 / of.go.p99,
      p99ToGoInBlocks,
      // What differs between the twins is noise.
      p99Twins: of["node-again"].p99 / of.node.p99,
    };
  });
  const knee = Object.fromEntries(
    ids.map((id) => [id, kneeOf(rates, (index) => rows[index].of[id].kept)]),
  );
  const knees = Object.fromEntries(
    ids.map((id) => [
      id,
      blocks.map((block) => kneeOf(rates, (index) => block[id].runs[index].isKept)),
    ]),
  );
  // What nobody keeps: the lowest rate that is above the knees of both.
  const above = rates.findIndex((rate) => rate > Math.max(knee.node, knee.go));
  const beyond = above === -1 ? rates.length - 1 : above;
  const atBeyond = Object.fromEntries(
    ids.map((id) => {
      const runs = blocks.map((block) => block[id].runs[beyond]);
      const added = median(runs.map((run) => run.added / (run.due ?? run.sent)));
      return [id, { added, late: Math.max(...runs.map(({ late }) => late)) }];
    }),
  );
  const capacities = (/** @type {string[]} */ ...of) => {
    const runs = of.flatMap((id) => blocks.map((block) => block[id].capacity));
    return {
      perSecond: rangeOf(runs.map(({ perSecond }) => perSecond)),
      serverCpu: rangeOf(runs.map(({ serverCpu }) => serverCpu)),
    };
  };
  const lowestKnee = Math.min(knee.node, knee.go);
  const below = rows.filter(({ rate }) => rate <= 0.75 * lowestKnee);
  return {
    capacity,
    busy,
    rates: rows,
    knee,
    knees,
    kneeToGo: knee.node / knee.go,
    kneesApart: compareKnees(knees),
    beyond: rates[beyond],
    atBeyond,
    // Of all blocks; the twins are one server.
    ranges: { nodes: capacities("node", "node-again"), go: capacities("go") },
    share: Object.fromEntries(ids.map((id) => [id, (capacity[id] * busy[id].serverCpu) / 1e6])),
    nodeToGo: capacity.node / capacity.go,
    engineToGo: capacity.engine / capacity.go,
    twins: capacity["node-again"] / capacity.node,
    below75: { rates: below.length, worstP99ToGo: Math.max(0, ...below.map((r) => r.p99ToGo)) },
    keepsAllThatGoKeeps: rows.every(({ of }) => !of.go.kept || of.node.kept),
    tooMuch: Math.round((1.5 * capacity.node) / 100) * 100,
  };
}

/**
 * @typedef {object} PauseRow
 * @property {string} id
 * @property {string} way
 * @property {number} p50 the median of the blocks, as all that follows
 * @property {number} p99
 * @property {number} toGo p99 to Go's as it is
 * @property {number[]} inBlocks the same in each block, by size
 * @property {number} withinMark in how many blocks it is at most P99_MARK times Go's
 * @property {{ scavenges: Pauses, others: Pauses }} [collector]
 *
 * @typedef {{ perSecond: number, half: number, most: number }} Pauses
 */

/** What the chapter is held to: Node's p99 to Go's. */
export const P99_MARK = 1.5;

/**
 * What each suspect has to do with the latency of one in a hundred.
 *
 * @param {{ seconds: number, blocks: any[][] }} pauses
 * @returns {PauseRow[]} in the order of the first block's names
 */
export function derivePauses({ seconds, blocks }) {
  const isSame = (/** @type {any} */ a, /** @type {any} */ b) => a.id === b.id && a.way === b.way;
  const goIn = (/** @type {any[]} */ block) =>
    block.find((row) => isSame(row, { id: "go", way: "as it is" })).run.p99;
  const order = ["node", "node-again", "engine", "go"];
  const rank = (/** @type {any} */ { id, way }) =>
    order.indexOf(id) * 2 + (way === "as it is" ? 0 : 1);
  return blocks[0]
    .toSorted((a, b) => rank(a) - rank(b))
    .map((first) => {
      const rows = blocks.map((block) => block.find((row) => isSame(row, first)));
      const ratios = rows.map((row, index) => row.run.p99 / goIn(blocks[index]));
      const middle = (/** @type {(row: any) => number} */ read) => median(rows.map(read));
      const pausesOf = (/** @type {string} */ kind) => ({
        perSecond: middle((row) => row.collector[kind].count / seconds),
        half: middle((row) => row.collector[kind].half),
        most: middle((row) => row.collector[kind].most),
      });
      return {
        id: first.id,
        way: first.way,
        p50: middle((row) => row.run.p50),
        p99: middle((row) => row.run.p99),
        toGo: median(ratios),
        inBlocks: ratios.toSorted((a, b) => a - b),
        withinMark: ratios.filter((ratio) => ratio <= P99_MARK).length,
        ...(first.collector && {
          collector: { scavenges: pausesOf("scavenges"), others: pausesOf("others") },
        }),
      };
    });
}
