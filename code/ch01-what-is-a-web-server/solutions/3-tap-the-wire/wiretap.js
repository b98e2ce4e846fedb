import { connect, createServer } from "node:net";

// Who has said the last word may still listen. Without this, Node would
// close the other direction too, and an answer on its way would be lost.
const allowHalfOpen = true;

const server = createServer({ allowHalfOpen }, (client) => {
  const target = connect({
    port: Number(process.env.TARGET),
    allowHalfOpen,
  });
  tap(client, target, ">");
  tap(target, client, "<");
});

/**
 * Prints what one side says, and passes it on to the other.
 *
 * @param {import("node:net").Socket} from
 * @param {import("node:net").Socket} to
 * @param {string} sign
 */
function tap(from, to, sign) {
  from.on("data", (chunk) => {
    console.log(`${sign} ${JSON.stringify(chunk.toString())}`);
  });
  from.pipe(to);
  // One half of a broken conversation is of no use to anybody.
  from.on("error", () => to.destroy());
}

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
