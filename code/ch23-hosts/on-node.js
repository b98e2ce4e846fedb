import { createServer } from "velocy";
import { router } from "./typical.js";

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
