// Each of them is something that a server can prove itself with.
const SECRETS = [
  "key",
  "cert",
  "pfx",
  "secureContext",
  "pskCallback",
  "SNICallback",
];

/** Whether a server speaks TLS. @param {any} options what it is given */
export function asksForTls(options) {
  return SECRETS.some((name) => options[name] !== undefined);
}
