import { makeServer } from "./lib/engine/server.js";

const server = makeServer();

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
