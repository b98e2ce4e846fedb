import { createServer, HttpError, Router, shed } from "velocy";
import { fetchContent, timestamp } from "./seed.js";
import { tags } from "./slow-tags.js";

const router = new Router();
const server = createServer(router);
const tag = tags();

const concurrent = Number(process.env.CONCURRENT ?? 100);
router.use(shed({ concurrent }));

router.get("/seed/:version", async (req, res) => {
  const data = await fetchContent(req.url);
  if (data === undefined) throw new HttpError(404);
  const value = { data, url: req.url, ts: timestamp() };
  tag(server, req.url, res);
  server.emit("answered", req.url, value);
  return value;
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
