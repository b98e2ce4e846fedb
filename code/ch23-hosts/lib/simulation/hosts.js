import { Host } from "./host.js";
import { World } from "./world.js";

const WAYS = {
  turns: (hosts, turn) => hosts[turn % hosts.length],

  least(hosts, turn) {
    let best = hosts[turn % hosts.length];
    for (const host of hosts) if (host.load < best.load) best = host;
    return best;
  },
};

const DEFAULTS = {
  hosts: 1,
  way: "least",
  requests: 20_000,
  seed: 1,
  // How long a visitor waits, and how often it asks.
  patience: Infinity,
  tries: 1,
  // How many further tries there may be for each visitor.
  budget: Infinity,
  // How many hosts are lost, from when until when.
  lost: { hosts: 0, from: 0, until: 0 },
};

/** Plays what becomes of requests that a proxy sends to its hosts. */
export function simulateHosts(model) {
  return new Simulation({ ...DEFAULTS, ...model }).run();
}

class Simulation {
  #model;
  #world;
  #hosts;
  #turn = 0;
  #times = [];
  #tokens = 0;
  /** How many were answered in each second. @type {number[]} */
  #good = [];

  constructor(model) {
    this.#model = model;
    this.#world = new World(model.seed);
    this.#hosts = Array.from({ length: model.hosts }, () => {
      return new Host(this.#world, model.service);
    });
  }

  run() {
    const { hosts, from, until } = this.#model.lost;
    this.#world.in(from, () => this.#setUp(hosts, false));
    this.#world.in(until, () => this.#setUp(hosts, true));
    this.#arrive(this.#model.requests);
    this.#world.run();
    const times = Float64Array.from(this.#times).sort();
    return {
      good: Array.from(this.#good, (count) => count ?? 0),
      percentile: (share) => times[rank(share, times.length)],
    };
  }

  #setUp(count, isUp) {
    for (const host of this.#hosts.slice(0, count)) host.isUp = isUp;
  }

  #arrive(left) {
    if (left < 1) return;
    this.#world.in(this.#world.someTime(1000 / this.#model.rate), () => {
      this.#arrive(left - 1);
      this.#tokens = Math.min(this.#tokens + this.#model.budget, 100);
      this.#ask({ since: this.#world.now, tries: 1, isOver: false });
    });
  }

  #ask(visit) {
    const choose = WAYS[this.#model.way];
    const hosts = this.#hosts.filter(({ isUp }) => isUp);
    const host = choose(hosts, this.#turn++);
    // Nobody may be left.
    host?.take(() => this.#answer(visit));
    const { patience } = this.#model;
    if (patience < Infinity) {
      this.#world.in(patience, () => this.#giveUp(visit));
    }
  }

  #answer(visit) {
    if (visit.isOver) return;
    visit.isOver = true;
    this.#times.push(this.#world.now - visit.since);
    const second = Math.floor(this.#world.now / 1000);
    this.#good[second] = (this.#good[second] ?? 0) + 1;
  }

  #giveUp(visit) {
    if (visit.isOver) return;
    visit.isOver = true;
    if (visit.tries === this.#model.tries || this.#tokens < 1) return;
    this.#tokens -= 1;
    this.#ask({ ...visit, tries: visit.tries + 1, isOver: false });
  }
}

function rank(share, count) {
  return Math.max(0, Math.ceil(share * count) - 1);
}
