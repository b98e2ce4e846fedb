// A server that waits for another program, and doesn't give the loop back.
import { execSync } from "node:child_process";
import { createServer } from "node:http";

const server = createServer((_req, res) => {
  execSync("sleep 0.2");
  res.end();
});

server.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
