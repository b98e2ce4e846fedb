export { exponential } from "./lib/simulation/random.js";
export { simulate } from "./lib/simulation/simulate.js";
export { Choices } from "./lib/testing/choices.js";
export { fuzz } from "./lib/testing/fuzz.js";
export { checkProperty } from "./lib/testing/property.js";
