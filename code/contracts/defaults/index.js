/**
 * The contract for what velocy has around handlers: cookies, sessions,
 * addresses, limits, and what it tells browsers. Each function takes what
 * a program would import, and adds tests.
 */
export { testCookieFields, testSetCookie, testSigner } from "./cookies.js";
export { testAddresses, testLimits } from "./limits.js";
export { testCors, testCsrf, testSecureFields } from "./origins.js";
export { REDIS_MISSING, startRedis } from "./redis.js";
export { testReplies } from "./replies.js";
export { testHeldAnswers, testSessions } from "./sessions.js";
