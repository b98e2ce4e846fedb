/**
 * Every bound that a verdict of the benchmark rests on, in this place alone. A
 * result file keeps those that it was judged by.
 */
export const bounds = Object.freeze({
  /** From this share of its cores on a server is busy: what it does is its limit. */
  serverIsBusy: 0.9,
  /** From this share on a generator has no time left, so it may hold the server back. */
  generatorIsBusy: 0.85,
  /** What others may take of the cores of either side without spoiling a run. */
  disturbance: 0.05,
  /** By how much of it a mean latency may miss what Little's law says. */
  littlesLaw: 0.05,
  /** What ratios move by from run to run, however carefully they are made. */
  usualNoise: 0.02,
  /** With fewer blocks the interval is no more than the two ends. */
  enoughBlocks: 5,
  /**
   * Two servers are alike when the one is shown to take less than this much
   * more than the other, in either direction.
   */
  alike: 0.05,
  /** How often, at most, each of the two tests may call alike what is not. */
  alikeError: 0.05,
  /** A generator with a clock keeps it when 99 % of its requests are less late, in ms. */
  lateness: 1,
  /** Of what was asked for, what has to be answered in time: a server keeps the rate. */
  answered: 0.99,
  /** The longest stall, in seconds, that leaves a connection for every request. */
  longestStall: 0.1,
  /** By what a figure of one run, published without an interval, may be off. */
  singleRunNoise: 0.03,
  /** An interval wider than this, to either side, is too wide to compare. */
  tooWide: 0.25,
});
