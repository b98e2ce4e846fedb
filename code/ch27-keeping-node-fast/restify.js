import restify from "restify";
import { fetchContent, timestamp } from "./seed.js";
import { tags } from "./slow-tags.js";

const server = restify.createServer();
const tag = tags();

server.get("/seed/:version", async (req, res) => {
  const data = await fetchContent(req.url);
  if (data === undefined) {
    res.send(404);
    return;
  }
  const value = { data, url: req.url, ts: timestamp() };
  tag(server, req.url, res);
  server.emit("answered", req.url, value);
  res.send(value);
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
