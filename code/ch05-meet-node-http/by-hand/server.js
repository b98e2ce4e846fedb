import { describeRequest } from "./lib/describe-request.js";
import { createServer } from "./lib/server.js";

const server = createServer(describeRequest);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
