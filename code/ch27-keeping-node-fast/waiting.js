import { setTimeout as sleep } from "node:timers/promises";
import { createServer, Router } from "velocy";

const router = new Router();
const server = createServer(router);

router.get("/", async () => {
  await sleep(100);
  return "at last";
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
