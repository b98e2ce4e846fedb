import { existsSync, mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { benchError } from "./errors.js";
import { outputOf } from "./machine.js";
import { workFolder } from "./paths.js";
import { runToEnd } from "./processes.js";

/**
 * A key of this machine's own and a certificate that nobody has signed, for
 * the suites over TLS. They stay in a folder that git ignores.
 *
 * @returns {Promise<{ key: string, certificate: string }>} the files, as PEM
 * @throws {UserError} ERR_BENCH_MISSING without openssl
 */
export async function makeCertificate() {
  const folder = path.join(workFolder, "tls");
  const [key, certificate] = ["key.pem", "certificate.pem"].map((name) => path.join(folder, name));
  if (existsSync(certificate)) return { key, certificate };
  if (outputOf("openssl", ["version"]) === undefined) {
    throw benchError(
      "ERR_BENCH_MISSING",
      "openssl, which makes a key, is not on this machine: apt-get install openssl.",
    );
  }
  mkdirSync(folder, { recursive: true });
  const unfinished = `${certificate}.new`;
  await runToEnd([
    ...["openssl", "req", "-x509", "-nodes", "-days", "3650", "-subj", "/CN=localhost"],
    ...["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
    ...["-keyout", key, "-out", unfinished],
  ]);
  renameSync(unfinished, certificate);
  return { key, certificate };
}
