/** @typedef {Record<string, number>} Series by name and labels */
/** @typedef {{ counters: Series, gauges: Series }} Counts */

/** What all workers have counted, also those that have ended. */
export class Metrics {
  /** @type {Series} */
  #kept = {};

  /** Keeps the counters of one that has ended. @param {Counts} counts */
  keep({ counters }) {
    add(this.#kept, counters);
  }

  /**
   * The text format of Prometheus, version 0.0.4.
   *
   * @param {{ number: number, counts: Counts }[]} workers
   */
  text(workers) {
    /** @type {Series} */
    const counters = { ...this.#kept };
    /** @type {Series} */
    const gauges = {};
    for (const { number, counts } of workers) {
      add(counters, counts.counters);
      for (const [name, value] of Object.entries(counts.gauges)) {
        gauges[`${name}{worker="${number}"}`] = value;
      }
    }
    return family(counters, "counter") + family(gauges, "gauge");
  }
}

function add(sums, series) {
  for (const [name, value] of Object.entries(series)) {
    // Each object has a `constructor`, and a series may have this name.
    const before = Object.hasOwn(sums, name) ? sums[name] : 0;
    sums[name] = before + value;
  }
}

// All series of a name stand together, below a line with its type.
function family(series, type) {
  const texts = new Map();
  for (const key of Object.keys(series).sort()) {
    const [name] = key.split("{");
    const before = texts.get(name) ?? `# TYPE ${name} ${type}\n`;
    texts.set(name, `${before}${key} ${series[key]}\n`);
  }
  return [...texts.values()].join("");
}
