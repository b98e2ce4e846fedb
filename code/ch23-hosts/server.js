import { setTimeout as sleep } from "node:timers/promises";
import { createServer, Router } from "velocy";

const router = new Router();

router.get("/pid", () => process.pid);
router.get("/parent", () => process.ppid);
router.post("/work", async () => {
  await sleep(100);
  return "done";
});
router.get("/crash", () => process.exit(1));
router.get("/hang", () => {
  while (true);
});

createServer(router).listen(Number(process.env.PORT ?? 3000));
