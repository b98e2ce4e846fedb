import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { JSDOM } from "jsdom";
import { chartColours, narrowWidth, standaloneStyle, wideWidth } from "../../assets/figures/lib.js";
import { dots } from "../../benchmarks/charts/dots.js";
import { renderChart } from "../../benchmarks/charts/draw.js";
import { lines } from "../../benchmarks/charts/lines.js";
import { listCharts, makeChart } from "../../benchmarks/charts/list.js";
import { hasStyle, seriesStyles, serverStyles, styleOf } from "../../benchmarks/charts/styles.js";
import { textSize, widthOf } from "../../benchmarks/charts/text.js";
import { logTicks, placeTicks } from "../../benchmarks/charts/ticks.js";
import { readRuns } from "../../benchmarks/lib/compare.js";
import { listContenders, readContender } from "../../benchmarks/lib/contenders.js";
import { derive, designOf } from "../../benchmarks/lib/derive.js";
import { bookMachine, root } from "../../benchmarks/lib/paths.js";

/** @import { Result } from "../../benchmarks/lib/results.js" */

/**
 * @param {string} hex
 * @returns {number} relative luminance (WCAG 2.2)
 */
function luminance(hex) {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {string} a @param {string} b */
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** The colours of an image by name, light and dark. */
function themes() {
  const [light, dark] = standaloneStyle().split("@media");
  return [light, dark].map(
    (css) =>
      new Map(
        [...css.matchAll(/--figure-([a-z-]+):(#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]),
      ),
  );
}

describe("a server's looks", () => {
  it("are another's in colour or in shape", () => {
    const looks = serverStyles.map(({ colour, symbol }) => [colour, symbol]);
    for (const [index, look] of looks.entries()) {
      for (const other of looks.slice(index + 1)) assert.notDeepEqual(look, other);
    }
  });

  it("are there for every contender", () => {
    assert.deepEqual(
      listContenders().filter((id) => !hasStyle(id)),
      [],
    );
  });

  it("are the same however the server is run", () => {
    for (const id of ["express-4", "express-node-20", "express-framework"]) {
      assert.equal(styleOf(id), styleOf("express"));
    }
    assert.equal(styleOf("velocy@ch08"), styleOf("velocy"));
    assert.equal(styleOf("node-http-again"), styleOf("node-http"));
    assert.notEqual(styleOf("velocy-engine"), styleOf("velocy"));
    assert.notEqual(styleOf("velocy-npm"), styleOf("velocy"));
  });

  it("stand out from the paper in both themes", () => {
    for (const theme of themes()) {
      const paper = String(theme.get("paper"));
      for (const { colour } of [...serverStyles, ...seriesStyles]) {
        const ratio = contrast(String(theme.get(colour)), paper);
        assert.ok(ratio >= 3, `${colour} on ${paper}: ${ratio.toFixed(2)}`);
      }
    }
  });

  it("are on a page what they are in an image", () => {
    const css = readFileSync(path.join(root, "theme/css/variables.css"), "utf8");
    for (const [name, [light, dark]] of Object.entries(chartColours)) {
      assert.ok(css.includes(`--figure-${name}: light-dark(${light}, ${dark});`), name);
    }
  });
});

/**
 * The places of a drawing's texts, as wide as a wide face makes them.
 *
 * @param {string} svg
 */
function textBoxes(svg) {
  const { document } = new JSDOM(svg, { contentType: "image/svg+xml" }).window;
  return [...document.querySelectorAll("text")].map((element) => {
    const text = element.textContent ?? "";
    const isBold = element.hasAttribute("font-weight");
    const width = widthOf(text, { isBold });
    const anchor = element.getAttribute("text-anchor") ?? "start";
    const part = { start: 0, middle: 0.5, end: 1 }[anchor] ?? 0;
    const left = Number(element.getAttribute("x")) - width * part;
    const y = Number(element.getAttribute("y"));
    return {
      text,
      left,
      right: left + width,
      top: y - 0.76 * textSize,
      bottom: y + 0.24 * textSize,
    };
  });
}

/**
 * @param {string} svg
 * @returns {string[]} what is wrong with the places of its texts
 */
function collisions(svg) {
  const boxes = textBoxes(svg);
  const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(svg)?.map(Number) ?? [];
  const outside = boxes
    .filter(
      ({ left, right, top, bottom }) => left < 0 || right > width || top < 0 || bottom > height,
    )
    .map(({ text }) => `"${text}" is cut`);
  const touching = boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `"${a.text}" touches "${b.text}"`),
  );
  return [...outside, ...touching];
}

describe("a chart's labels", () => {
  for (const { name, draw, ...words } of listCharts(bookMachine)) {
    it(`don't collide in ${name} without the book's faces`, () => {
      for (const { file, svg } of renderChart(name, words, draw)) {
        assert.deepEqual(collisions(svg), [], file);
      }
    });
  }

  it("don't collide for any contender there is", () => {
    const rows = listContenders().map((id, index) => ({
      server: id,
      label: readContender(id).title,
      value: index + 1,
      ...{ low: index + 0.9, high: index + 1.2, blocks: [index + 0.9, index + 1.2] },
      parts: { own: index + 0.4, kernel: index + 0.6 },
      isAtLeast: true,
      text: "at least 1,234.5 + 1,234.5 = 2,469.0 µs, 12.34×",
    }));
    const noise = {
      low: 0.9,
      high: 1.1,
      words: "noise: as far as that ".repeat(9),
      isWarning: true,
    };
    const draw = dots([{ heading: "all", rows, noise }], "CPU time per request");
    const words = { title: "All contenders", description: "Every contender there is." };
    for (const { file, svg } of renderChart("all", words, draw)) {
      assert.deepEqual(collisions(svg), [], file);
    }
  });

  it("are short where there is no room, and fewer where that isn't enough", () => {
    const all = [10_000, 20_000, 50_000, 100_000].map((at) => ({
      at,
      label: at.toLocaleString("en-US"),
      short: `${at / 1000}k`,
    }));
    const labelsIn = (/** @type {number} */ width) =>
      placeTicks(all, (at) => (Math.log10(at / 10_000) * width) / 1, { from: 0, to: width }).map(
        ({ label }) => label,
      );
    assert.deepEqual(labelsIn(900), ["10,000", "20,000", "50,000", "100,000"]);
    assert.deepEqual(labelsIn(280), ["10k", "20k", "50k", "100k"]);
    assert.deepEqual(labelsIn(120), ["10k", "100k"]);
  });
});

describe("a logarithmic axis", () => {
  it("has round numbers, however far it reaches", () => {
    assert.deepEqual(logTicks(0.4, 7), [0.5, 1, 2, 5]);
    assert.deepEqual(logTicks(5, 3000), [5, 10, 20, 50, 100, 200, 500, 1000, 2000]);
    assert.deepEqual(logTicks(1, 100_000), [1, 10, 100, 1000, 10_000, 100_000]);
    assert.deepEqual(logTicks(0.83, 1.2), [0.9, 1, 1.1, 1.2]);
  });

  it("holds an outlier without squeezing the rest", () => {
    const row = (/** @type {number} */ value) => ({
      ...{ server: `s${value}`, label: `s${value}`, value, text: String(value) },
    });
    const draw = dots([{ rows: [1, 1.1, 2, 100].map(row) }], "all");
    const svg = draw(wideWidth).outerHTML;
    const at = [...svg.matchAll(/translate\(([\d.]+),[\d.]+\)" d="/g)].map(([, x]) => Number(x));
    const [first, second, third, last] = at.sort((a, b) => a - b);
    // From 1 to 2 is as far as from 2 to 4, wherever the outlier is.
    const octave = (last - first) / Math.log2(100);
    assert.ok(Math.abs(third - first - octave) < 1, `${third - first}, not ${octave}`);
    assert.ok(second - first > 10, "a tenth more can be seen");
  });
});

const few = ["express", "axum", "velocy", "express-4", "node-http", "node-http-again"];

/**
 * A result like the book's, of fewer servers, with its runs changed.
 *
 * @param {(id: string, run: Result["blocks"][number]["runs"][string], block: number) => void} change
 * @returns {Result}
 */
function changed(change) {
  /** @type {Result} */
  const result = JSON.parse(JSON.stringify(readRuns(bookMachine, "typical")));
  for (const id of Object.keys(result.contenders)) {
    if (!few.includes(id)) delete result.contenders[id];
  }
  for (const each of result.blocks) {
    each.runs = Object.fromEntries(few.map((id) => [id, each.runs[id]]));
    for (const [id, run] of Object.entries(each.runs)) change(id, run, each.block);
  }
  result.derived = derive(result.blocks, designOf(result.what));
  return result;
}

/** @param {Result} result */
const drawn = (result) => {
  const { draw, ...chart } = makeChart("typical-cpu", result);
  return { ...chart, svg: renderChart("typical-cpu", chart, draw)[0].svg };
};

describe("a comparison's noise", () => {
  /** @param {number} factor of the twin's CPU time to the baseline's */
  const twinsApart = (factor) =>
    changed((id, run, block) => {
      // Every server has figures of its own, and the blocks agree.
      run.cpuMicrosecondsPerRequest = id.startsWith("node-http") ? 20 : 10 + (id.length % 7);
      if (id === "node-http-again") run.cpuMicrosecondsPerRequest *= factor ** (block % 2 || -1);
    });

  it("is drawn, and named with how far the twins are apart", () => {
    const { svg, description } = drawn(twinsApart(1.04));
    assert.match(svg, /noise: the twins of bare node:http differ by up to 4\.0\s%/);
    assert.match(description, /Noise: the twins of bare node:http differ by up to 4\.0\s%/);
    assert.match(svg, /<rect[^>]*fill="var\(--figure-line[^>]*fill-opacity="0\.2"/);
  });

  it("takes the order from rows whose twins don't tie", () => {
    const result = changed((id, run) => {
      run.cpuMicrosecondsPerRequest = id === "node-http-again" ? 26 : 20 - (id.length % 7);
    });
    const { svg, table, description } = drawn(result);
    assert.match(
      svg.replaceAll(/<\/text>\s*<text[^>]*>/g, " "),
      /don't tie .* the order says nothing/,
    );
    assert.doesNotMatch(description, /^[^.]*\. From /);
    const suiteOrder = Object.entries(result.contenders)
      .filter(([id]) => id !== result.what.twin)
      .map(([, { title }]) => title);
    assert.deepEqual(
      table.slice(1).map(([title]) => title),
      suiteOrder,
    );
  });

  it("leaves a rank to rows whose twins tie", () => {
    const { table } = drawn(twinsApart(1.01));
    const costs = table.slice(1).map(([, cost]) => Number(cost));
    assert.deepEqual(
      costs,
      costs.toSorted((a, b) => a - b),
    );
  });
});

describe("the time in the kernel", () => {
  it("is drawn apart where the system tells it apart", () => {
    const { svg, table } = drawn(
      changed((_, run) => {
        run.cpuMicrosecondsPerRequest = 20;
        run.userShare = 0.4;
      }),
    );
    assert.match(svg, /outside the kernel/);
    assert.match(svg, /8\.0 \+ 12\.0 = 20\.0 µs, 1\.00×/);
    assert.deepEqual(table[1].slice(1, 4), ["20.0", "8.0", "12.0"]);
  });

  it("isn't made up where it doesn't", () => {
    const { svg, table } = drawn(changed((_, run) => delete run.userShare));
    assert.doesNotMatch(svg, /kernel/);
    assert.ok(!table[0].includes("inside"));
  });
});

describe("the longest latencies", () => {
  it("are drawn block by block", () => {
    const result = changed((_, run, block) => {
      run.latency.max = block % 2 === 0 ? 5 : 500;
    });
    const { draw, table, ...words } = makeChart("typical-max-latency", result);
    const [{ svg }] = renderChart("typical-max-latency", words, draw);
    const servers = Object.keys(result.derived.contenders).length - 1;
    const small = svg.match(/<circle [^>]*r="2\.2"/g) ?? [];
    // Three more are in the legend.
    assert.equal(small.length, servers * result.blocks.length + 3);
    assert.match(table[1].join(" | "), /5\.00 to 500/);
  });
});

describe("a line chart", () => {
  it("tells lines apart by symbols too, and points that don't count", () => {
    const points = /** @type {[number, number][]} */ ([1, 2, 3].map((x) => [x, x]));
    const draw = lines(
      [
        { server: "axum", label: "Axum", points, isDoubtful: [false, false, true] },
        { server: "express", label: "Express", points: points.map(([x, y]) => [x, y * 2]) },
      ],
      { x: "x", y: "y" },
    );
    const svg = draw(narrowWidth).outerHTML;
    assert.match(svg, /hollow: the rate was not kept/);
    // Three points of each, and one symbol of each in the legend.
    assert.equal((svg.match(/<path transform="translate/g) ?? []).length, 8);
  });
});

describe("the curve of a request's cost", () => {
  const estimate = (/** @type {number} */ median) => ({
    ...{ median, low: median * 0.95, high: median * 1.05, geometricMean: median, n: 5 },
  });
  const ids = ["velocy", "velocy-engine", "express", "axum", "elysia", "fastify", "c-floor"];
  const all = [...ids, "node-http", "node-http-again"];
  const verdicts = new Map([
    [10, "lagged"],
    [90, "generator-bound"],
  ]);
  /** @param {number} saturated µs at saturation */
  const contender = (saturated) => ({
    capacity: estimate(1e6 / saturated),
    rates: Object.fromEntries(
      [10, 25, 50, 75, 90].map((percent) => [
        `${percent}%`,
        {
          verdict: verdicts.get(percent) ?? "kept",
          cpuMicrosecondsPerRequest: estimate(saturated * (2.1 - percent / 90)),
        },
      ]),
    ),
    atHalf: { verdict: "kept", cpuMicrosecondsPerRequest: estimate(saturated * 1.5) },
    atSaturation: { verdict: "server-bound", cpuMicrosecondsPerRequest: estimate(saturated) },
  });
  const ratio = { ...estimate(1), low: 0.97, high: 1.03 };
  const result = {
    machine: "a-machine",
    blocks: [0.9, 0.8, 1].map((sent) => ({
      runs: Object.fromEntries(
        all.map((id, index) => [
          id,
          {
            rates: [10, 25, 50, 75, 90].map((percent) => ({
              name: `${percent}%`,
              achievedPerSecond: (sent * percent * 1e4) / (5 + 3 * index),
            })),
          },
        ]),
      ),
    })),
    where: { cores: 2, cpu: "a processor" },
    what: { baseline: "node-http", twin: "node-http-again" },
    contenders: Object.fromEntries(all.map((id) => [id, { title: id }])),
    derived: {
      noise: { ratio, floor: 0.03, verdict: "tie" },
      contenders: Object.fromEntries(all.map((id, index) => [id, contender(5 + 3 * index)])),
    },
  };
  const { draw, table, ...words } = makeChart("curve", result);

  it("goes for each server from its lowest rate to saturation", () => {
    assert.deepEqual(table[0], ["server", "at a half, µs", "at saturation, µs", "at most, /s"]);
    assert.deepEqual(table[1], ["velocy", "7.5 (7.1-7.9)", "5.0 (4.8-5.3)", "200,000"]);
    assert.equal(table.length, all.length);
  });

  it("leaves out where the generator was full", () => {
    const [{ svg }] = renderChart("curve", words, draw);
    assert.match(svg, /left out: rates at which the generator was full/);
    const { document } = new JSDOM(svg, { contentType: "image/svg+xml" }).window;
    const lines = [...document.querySelectorAll('g[stroke*="accent"] path')].map((path) =>
      String(path.getAttribute("d")).split("L"),
    );
    // A tenth, a quarter, a half, three quarters, and saturation.
    assert.equal(Math.max(...lines.map(({ length }) => length)), 5);
  });

  it("names the noise, and marks rates that weren't kept", () => {
    for (const { file, svg } of renderChart("curve", words, draw)) {
      const text = svg.replaceAll(/<\/text>\s*<text[^>]*>/g, " ");
      assert.match(text, /the twins of node-http differ by up to 3\.0\s%/);
      assert.match(text, /hollow: the rate was not kept/);
      assert.deepEqual(collisions(svg), [], file);
    }
  });
});
