import { createServer, HttpError, Router } from "velocy";
import { fetchContent, timestamp } from "./seed.js";
import { tags } from "./tags.js";

const router = new Router();
const server = createServer(router);
const tag = tags();

router.get("/seed/:version", async (req, res) => {
  const data = await fetchContent(req.url);
  if (data === undefined) throw new HttpError(404);
  const value = { data, url: req.url, ts: timestamp() };
  tag(server, req.url, res);
  server.emit("answered", req.url, value);
  res.setHeader("content-type", "application/json");
  return `{"data":"${data}","url":"${req.url}","ts":${value.ts}}`;
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
