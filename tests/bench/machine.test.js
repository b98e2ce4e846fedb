import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { describeProcessor } from "../../benchmarks/lib/machine.js";

const CPU_INFO = `processor\t: 0
vendor_id\t: AuthenticAMD
cpu family\t: 23
model\t\t: 1
model name\t: AMD EPYC
stepping\t: 2
cpu MHz\t\t: 1996.248

processor\t: 1
model\t\t: 49
`;

describe("what a machine is", () => {
  test("says the generation and the clock of a processor whose name hides them", () => {
    assert.equal(describeProcessor(CPU_INFO), "family 23, model 1, 1,996 MHz");
  });

  test("says nothing where the kernel doesn't tell", () => {
    assert.equal(describeProcessor("Hardware : an ARM\n"), undefined);
    assert.equal(describeProcessor(""), undefined);
  });
});
