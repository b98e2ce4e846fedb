import { createServer } from "node:net";
import { Connection } from "./lib/connection.js";
import { describeRequest } from "./lib/describe-request.js";

const server = createServer((socket) => {
  new Connection(socket, describeRequest);
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
