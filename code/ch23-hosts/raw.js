import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const socket = connect(Number(process.env.PORT ?? 3000));
socket.on("data", (chunk) => process.stdout.write(chunk));
socket.on("end", () => finish("the server closed the connection"));
socket.on("error", (err) => finish(err.code));

for (const piece of process.argv.slice(2)) {
  const pause = /^(\d+)(ms|s)$/.exec(piece);
  if (pause) await sleep(Number(pause[1]) * (pause[2] === "s" ? 1000 : 1));
  else if (piece === "reset") socket.resetAndDestroy();
  else if (piece === "end") socket.end();
  else socket.write(toBytes(piece));
}
socket.setTimeout(500, () => finish("the connection is still open"));

/** @param {string} outcome */
function finish(outcome) {
  console.log(`\n-- ${outcome}`);
  process.exit();
}

/** @param {string} piece */
function toBytes(piece) {
  const repeat = /^(\d+)\*(.+)$/s.exec(piece);
  const [, count, repeated] = repeat ?? ["", 1, piece];
  // One character per byte, so that an escape can be any byte.
  const text = Buffer.from(repeated).toString("latin1");
  const bytes = text.replace(
    /\\(?:x([0-9a-fA-F]{2})|([rnt0\\]))/g,
    (_, hex, letter) =>
      hex
        ? String.fromCharCode(Number.parseInt(hex, 16))
        : { r: "\r", n: "\n", t: "\t", 0: "\0", "\\": "\\" }[letter],
  );
  return Buffer.from(bytes.repeat(Number(count)), "latin1");
}
