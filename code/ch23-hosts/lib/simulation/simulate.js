import { Line } from "../running/line.js";
import { Agenda } from "./agenda.js";
import { exponential, randomFrom } from "./random.js";

/** @import { LineOptions } from "../running/line.js" */

/**
 * @typedef {(mean: number, random: () => number) => number} Spread
 *
 * @typedef {object} Model times are in milliseconds
 * @property {number | ((now: number) => number)} rate new requests a second
 * @property {Spread} [gaps] between them: exponential, unless given
 * @property {number} [seconds] for how long they come
 * @property {number} service how long a handler takes, on average
 * @property {Spread} [times] of handlers: all alike, unless given
 * @property {number} [servers] how many handlers run at once
 * @property {number} [refusal] how long it takes to say no
 * @property {LineOptions} [line]
 * @property {number} [deadline] an answer that comes later isn't good
 * @property {number} [patience] after which a client leaves
 * @property {number} [tries] how often a client asks at most
 * @property {number} [pause] until it asks again
 * @property {number} [seed]
 */

const DEFAULTS = {
  gaps: exponential,
  seconds: 10,
  times: (mean) => mean,
  servers: 1,
  refusal: 0,
  line: {},
  deadline: Infinity,
  patience: Infinity,
  tries: 1,
  pause: 0,
  seed: 1,
};

/**
 * Plays what happens to the requests of a server.
 *
 * @param {Model} model
 */
export function simulate(model) {
  return new Simulation({ ...DEFAULTS, ...model }).run();
}

class Simulation {
  #model;
  #random;
  #free;
  #line;
  #agenda = new Agenda();
  #counts = { sent: 0, good: 0, late: 0, refused: 0, left: 0 };
  // How long refusals have taken since a handler last started.
  #owed = 0;
  /** @type {number[]} */
  #goodBySecond;
  /** @type {number[]} */
  #latencies = [];

  constructor(model) {
    this.#model = model;
    this.#random = randomFrom(model.seed);
    this.#free = model.servers;
    this.#line = new Line(model.line);
    this.#goodBySecond = new Array(Math.ceil(model.seconds)).fill(0);
  }

  run() {
    this.#plan();
    this.#agenda.run();
    const latencies = Float64Array.from(this.#latencies).sort();
    return {
      ...this.#counts,
      goodBySecond: this.#goodBySecond,
      latencies,
      percentile: (share) => latencies[rankOf(share, latencies.length)],
    };
  }

  // Each request plans the next one.
  #plan() {
    const { rate, gaps, seconds } = this.#model;
    const { now } = this.#agenda;
    const perSecond = typeof rate === "number" ? rate : rate(now);
    const gap = gaps(1000 / perSecond, this.#random);
    if (now + gap >= seconds * 1000) return;
    this.#agenda.add(gap, () => {
      this.#plan();
      this.#counts.sent += 1;
      this.#ask(1);
    });
  }

  #ask(tries) {
    const { now } = this.#agenda;
    const visit = { since: now, isOver: false, tries };
    const { patience } = this.#model;
    if (patience !== Infinity) {
      this.#agenda.add(patience, () => this.#end(visit, "left"));
    }
    if (this.#free > 0) return this.#start(visit);
    this.#line.add(visit, now);
    this.#refuse();
  }

  #serve() {
    this.#refuse();
    while (this.#free > 0) {
      const visit = this.#line.take(this.#agenda.now);
      if (visit === undefined) return;
      this.#start(visit);
    }
  }

  #refuse() {
    for (;;) {
      const visit = this.#line.refuse(this.#agenda.now);
      if (visit === undefined) return;
      this.#owed += this.#model.refusal;
      this.#end(visit, "refused");
    }
  }

  #start(visit) {
    const { service, times } = this.#model;
    const time = times(service, this.#random) + this.#owed;
    this.#owed = 0;
    this.#free -= 1;
    this.#agenda.add(time, () => {
      this.#free += 1;
      this.#finish(visit);
      this.#serve();
    });
  }

  #finish(visit) {
    if (visit.isOver) return;
    const latency = this.#agenda.now - visit.since;
    this.#latencies.push(latency);
    this.#end(visit, latency > this.#model.deadline ? "late" : "good");
  }

  #end(visit, how) {
    if (visit.isOver) return;
    visit.isOver = true;
    const isFailed = how === "refused" || how === "left";
    if (isFailed && visit.tries < this.#model.tries) {
      const pause = this.#model.pause * (0.5 + this.#random());
      this.#agenda.add(pause, () => this.#ask(visit.tries + 1));
      return;
    }
    this.#counts[how] += 1;
    const second = Math.floor(visit.since / 1000);
    if (how === "good" && second in this.#goodBySecond) {
      this.#goodBySecond[second] += 1;
    }
  }
}

// The index of that percentile among `count` sorted values.
function rankOf(share, count) {
  return Math.max(0, Math.ceil(share * count) - 1);
}
