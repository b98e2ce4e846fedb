import { createServer, HttpError, Router } from "velocy";
import { fetchContent, timestamp, version } from "./seed.js";

const router = new Router();
const server = createServer(router);

router.get("/seed/:version", async (req, res) => {
  const data = await fetchContent(req.url);
  if (data === undefined) throw new HttpError(404);
  const ts = timestamp();
  res.setHeader("cache-control", "public, max-age=120");
  if (!res.preconditionsHold({ etag: `"${version}-${ts}"` })) return res;
  return { data, url: req.url, ts };
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
