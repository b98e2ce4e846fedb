import { createServer, Router, shed } from "velocy";
import { query } from "./database.js";

const router = new Router();
router.use(shed({ concurrent: 8 }));

function compute(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

router.get("/page", () => {
  compute(5);
  return "a page\n";
});

router.get("/data", () => query());

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
