import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";

/**
 * @param {string} file
 * @param {string[]} args
 * @returns {string | undefined} what it printed, or nothing when it can't run
 */
export function outputOf(file, args) {
  try {
    return execFileSync(file, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}

/**
 * @param {string} path
 * @returns {string | undefined}
 */
function read(path) {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

/**
 * What a virtual machine's processor is, whose name may hide it: two
 * generations of one name differ by more than most servers.
 *
 * @param {string} text of /proc/cpuinfo
 * @returns {string | undefined} for example `family 23, model 1, 1,996 MHz`
 */
export function describeProcessor(text) {
  const field = (/** @type {string} */ name) =>
    new RegExp(`^${name}\\s*: (.+)$`, "m").exec(text)?.[1];
  const [family, model, mhz] = ["cpu family", "model", "cpu MHz"].map(field);
  if (family === undefined || model === undefined || mhz === undefined) return undefined;
  const speed = Math.round(Number(mhz)).toLocaleString("en-US");
  return `family ${family}, model ${model}, ${speed} MHz`;
}

function cpuInfo() {
  return read("/proc/cpuinfo") ?? "";
}

function describeLinux() {
  const hypervisor = cpuInfo().includes(" hypervisor");
  const virtualization = outputOf("systemd-detect-virt", []);
  return {
    distribution:
      /^PRETTY_NAME="?(.*?)"?$/m.exec(read("/etc/os-release") ?? "")?.[1] ?? "not known",
    virtual: virtualization ? virtualization !== "none" : hypervisor,
    governor:
      read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") ?? "not shown by the system",
  };
}

function describeMac() {
  return {
    distribution: `macOS ${outputOf("sw_vers", ["-productVersion"]) ?? ""}`.trim(),
    virtual: outputOf("sysctl", ["-n", "kern.hv_vmm_present"]) === "1",
    governor: "not shown by the system",
    power: outputOf("pmset", ["-g", "batt"])?.split("\n")[0],
    thermal: outputOf("pmset", ["-g", "therm"]),
  };
}

/**
 * Where a result comes from: all that may explain why another machine's
 * figures differ.
 */
export function describeMachine() {
  const cpus = os.cpus();
  return {
    system: process.platform,
    architecture: process.arch,
    cpu: cpus[0]?.model.trim() ?? "not known",
    processor: describeProcessor(cpuInfo()),
    cores: cpus.length,
    memoryBytes: os.totalmem(),
    kernel: os.release(),
    ...(process.platform === "darwin" ? describeMac() : describeLinux()),
    loadBefore: os.loadavg(),
  };
}
