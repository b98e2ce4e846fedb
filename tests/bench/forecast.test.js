import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import {
  forecast,
  formatForecast,
  secondsOfRun,
  secondsToInstall,
} from "../../benchmarks/lib/forecast.js";
import { estimatesFile } from "../../benchmarks/lib/paths.js";
import { findSuite, suites } from "../../benchmarks/lib/suites.js";
import { readSettings } from "../../benchmarks/options.js";

/** @import { Suite } from "../../benchmarks/lib/suites.js" */

const suite = (/** @type {string} */ name) => /** @type {Suite} */ (findSuite(name));
const packages = (/** @type {string} */ folder) => ({ key: `npm ${folder}`, folder });

describe("the time that a run takes", () => {
  const settings = readSettings({});

  it("grows by what is loaded: the warm-up, the load, and each rate", () => {
    const once = secondsOfRun(suite("typical"), settings);
    assert.ok(once > settings.warmUpSeconds + settings.seconds);
    const longer = secondsOfRun(suite("typical"), { ...settings, seconds: settings.seconds + 4 });
    assert.equal(longer - once, 4);
    const turns = secondsOfRun(suite("typical"), { ...settings, seconds: 2, turns: 4 });
    assert.equal(turns, once);
    assert.ok(secondsOfRun(suite("latency"), settings) > once + 5 * settings.secondsPerRate);
  });

  it("counts every server in every block, the twin too", () => {
    const { measuring } = forecast(suite("engine"), { settings, took: {} });
    assert.equal(measuring, 4 * settings.blocks * secondsOfRun(suite("engine"), settings));
    const only = forecast(suite("engine"), { settings, only: ["node-http-echo"], took: {} });
    assert.equal(only.measuring, measuring / 2);
    const none = forecast(suite("engine"), { settings: { ...settings, blocks: -1 }, took: {} });
    assert.equal(none.measuring, 0);
    const { measuring: ofRates } = forecast(suite("latency"), { settings, took: {} });
    const servers = suite("latency").contenders().length;
    assert.equal(ofRates, servers * settings.blocks * secondsOfRun(suite("latency"), settings));
  });

  it("is that of a cold run where it is one", () => {
    const { measuring } = forecast(suite("cold"), { settings, took: {} });
    assert.ok(measuring < forecast(suite("starved"), { settings, took: {} }).measuring / 2);
  });
});

describe("the time that installing takes", () => {
  const took = { "npm .": 30, "npm a": 4, "npm b": 6, "cargo axum": 90 };

  it("is what it took before", () => {
    assert.equal(secondsToInstall([packages("."), packages("a")], took), 34);
  });

  it("is that of the slowest of its kind where nobody has measured it", () => {
    assert.equal(secondsToInstall([{ key: "cargo new", folder: "" }, packages("a")], took), 94);
    assert.equal(secondsToInstall([{ key: "go new", folder: "" }], took), 0);
  });

  it("is in the table for everything that a suite may have to install", () => {
    assert.ok(existsSync(estimatesFile), "node benchmarks/experiments/installing.js makes it");
    const { seconds } = JSON.parse(readFileSync(estimatesFile, "utf8"));
    for (const [key, value] of Object.entries(seconds)) assert.ok(value > 0, key);
    for (const kind of ["npm .", "npm benchmarks/", "cargo ", "tool "]) {
      assert.ok(
        Object.keys(seconds).some((key) => key.startsWith(kind)),
        kind,
      );
    }
  });
});

describe("what is said beforehand", () => {
  it("counts the installing in, and says how much of it that is", () => {
    const items = [packages("."), packages("a")];
    assert.equal(
      formatForecast("typical", { installing: 240, measuring: 1200, items }),
      "typical takes about 24 minutes: 4 minutes to install what isn't here yet (2 things, by " +
        "what they took before), 20 minutes to measure, longer where other programs disturb it.",
    );
  });

  it("is short where everything is here", () => {
    assert.equal(
      formatForecast("engine", { installing: 0, measuring: 42, items: [] }),
      "engine takes about 50 seconds, longer where other programs disturb it.",
    );
  });

  it("can be said of every suite", () => {
    const settings = readSettings({ quick: true });
    for (const each of suites) {
      assert.match(formatForecast(each.name, forecast(each, { settings })), / takes about /);
    }
  });

  it("needs no package of npm's, since none may be there yet", () => {
    /** @type {Set<string>} */
    const seen = new Set();
    const visit = (/** @type {string} */ file) => {
      if (seen.has(file)) return;
      seen.add(file);
      const code = readFileSync(file, "utf8");
      for (const [, name] of code.matchAll(/^(?:import|export) (?:[^"']* from )?"([^"]+)";$/gm)) {
        if (name.startsWith(".")) visit(path.resolve(path.dirname(file), name));
        else assert.ok(builtinModules.includes(name.replace(/^node:/, "")), `${file}: ${name}`);
      }
    };
    visit(fileURLToPath(new URL("../../benchmarks/run.js", import.meta.url)));
    assert.ok([...seen].some((file) => file.endsWith("suites.js")));
  });
});
