import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { compress, createServer, files, Router } from "velocy";

const router = new Router();

router.use(compress());

router.get("/static/*name", files("public", { precompressed: true }));

router.get("/download", (req, res) => {
  const name = req.queryParams.get("name") ?? "";
  return res.redirect(`/static/${encodeURIComponent(name)}`);
});

router.get("/squares", (_req, res) => {
  const squares = Array.from({ length: 1000 }, (_, i) => i * i);
  res.setHeader("etag", '"squares"');
  return squares.join();
});

router.get("/ticks", async function* ticks(_req, res) {
  res.setHeader("content-type", "text/plain");
  for (let i = 1; ; i += 1) {
    yield `tick ${i}\n`;
    await sleep(600);
  }
});

router.get("/search", (req, res) => {
  const token = '<input name="token" value="s3cr3t-8d1f">';
  const query = req.queryParams.get("q") ?? "";
  const shown = query.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const text = `${token}<p>You searched for ${shown}</p>`;
  res.setHeader("cache-control", "no-transform");
  return res.html(text + " ".repeat(1024));
});

router.get("/open", () => readdirSync("/dev/fd").length);

// In microseconds.
router.get("/cpu", () => process.cpuUsage());

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
