import { once } from "node:events";
import { Router } from "velocy";
import { createServer } from "velocy/engine";

const router = new Router();

router.get("/count", async function* () {
  for (let i = 1; i <= 3; i += 1) yield `${i}\n`;
});

router.get("/much", async (_req, res) => {
  for (let i = 0; i < 1_000; i += 1) {
    if (!res.write("x".repeat(65_536))) await once(res, "drain");
  }
  res.end();
});

router.post("/length", async (req) => {
  const { length } = await req.bytes();
  return { length, trailers: req.trailers };
});

router.post("/wait", async (req) => {
  const text = await req.text();
  return `${text} after ${req.headers.expect}`;
});

router.post("/lost", async (req) => {
  try {
    return await req.text();
  } catch (err) {
    console.log(`lost: ${err.message}`);
    throw err;
  }
});

const server = createServer(router, {
  headersTimeout: 1_000,
  requestTimeout: 2_000,
  keepAliveTimeout: 1_000,
  connectionsCheckingInterval: 100,
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
