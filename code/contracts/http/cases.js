import { chunked } from "./cases/chunked.js";
import { errorsClose } from "./cases/errors-close.js";
import { expectContinue } from "./cases/expect.js";
import { fields } from "./cases/fields.js";
import { framing } from "./cases/framing.js";
import { keepAlive } from "./cases/keep-alive.js";
import { limits } from "./cases/limits.js";
import { methodsAndVersions } from "./cases/methods-and-versions.js";
import { pipelining } from "./cases/pipelining.js";
import { targets } from "./cases/targets.js";

/** Every case of the contract, theme by theme. */
export const cases = [
  ...methodsAndVersions,
  ...targets,
  ...fields,
  ...framing,
  ...chunked,
  ...pipelining,
  ...keepAlive,
  ...expectContinue,
  ...limits,
  ...errorsClose,
];

/** The themes, in the order of the cases. */
export const groups = [...new Set(cases.map(({ group }) => group))];
