import { createServer, Router, shed } from "velocy";
import { query } from "./database.js";

const router = new Router();
const guard = shed({
  concurrent: 8,
  always: (req) => req.path === "/health",
});
router.use(guard);

function compute(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

router.get("/page", () => {
  compute(5);
  return "a page\n";
});

router.get("/data", () => query());

router.post("/notes", { timeout: 1000 }, async (req) => {
  const text = await req.text();
  return { length: text.length };
});

router.get("/health", () => guard.counts);

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
