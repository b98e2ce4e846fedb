/** @import { Run } from "./world.js" */

/**
 * @typedef {object} Ladder
 * @property {number[]} rates
 * @property {{ [id: string]: { capacity: Run, runs: Run[] } }[]} blocks
 *
 * @typedef {object} RateRow
 * @property {number} rate
 * @property {{ [id: string]: { kept: boolean, p50: number, p99: number, serverCpu: number,
 *   serverBusy?: number, otherBusy?: number } }} of
 * @property {number} p99ToGo Node's to Go's
 *
 * @typedef {ReturnType<typeof derive>} Derived
 */

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/**
 * The knees, and the target that the chapter is held to.
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
        const row = {
          kept: runs.every(({ isKept }) => isKept),
          p50: middle("p50"),
          p99: middle("p99"),
          serverCpu: middle("serverCpu"),
          serverBusy: median(runs.map(({ serverBusy = Number.NaN }) => serverBusy)),
          otherBusy: median(runs.map(({ otherBusy = Number.NaN }) => otherBusy)),
        };
        return [id, row];
      }),
    );
    return { rate, of, p99ToGo: of.node.p99 / of.go.p99 };
  });
  const knee = Object.fromEntries(
    ids.map((id) => [id, Math.max(0, ...rows.filter(({ of }) => of[id].kept).map((r) => r.rate))]),
  );
  const lowestKnee = Math.min(capacity.node, capacity.go);
  const below = rows.filter(({ rate }) => rate <= 0.75 * lowestKnee);
  return {
    capacity,
    busy,
    rates: rows,
    knee,
    nodeToGo: capacity.node / capacity.go,
    engineToGo: capacity.engine / capacity.go,
    twins: capacity["node-again"] / capacity.node,
    below75: { rates: below.length, worstP99ToGo: Math.max(0, ...below.map((r) => r.p99ToGo)) },
    keepsAllThatGoKeeps: rows.every(({ of }) => !of.go.kept || of.node.kept),
    tooMuch: Math.round((1.5 * capacity.node) / 100) * 100,
  };
}
