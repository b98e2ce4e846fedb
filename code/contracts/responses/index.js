/**
 * The contract for answers: what is sent for what a handler does.
 */
export { testMethods, testReturned } from "./bodies.js";
export {
  testConditionalAnswers,
  testDates,
  testPreconditions,
  testPreconditionsHold,
  testTags,
} from "./conditional.js";
export { testErrors } from "./errors.js";
export { testFraming, testShortWays } from "./framing.js";
export { testHooks } from "./hooks.js";
export {
  NEGOTIATIONS,
  testAccepts,
  testPreferredType,
} from "./negotiation.js";
export { testRedirects } from "./redirects.js";
export { testQuietStreams, testSend, testStreams } from "./streams.js";
