import { createServer, Router } from "velocy";

const files = new Map([
  ["hello.txt", "hello, world\n"],
  ["100%.txt", "all of it\n"],
  ["private/salaries.txt", "more than yours\n"],
]);

const router = new Router();

router.get("/files/*path", (req, res) => {
  if (req.path.startsWith("/files/private/")) {
    res.writeHead(403).end("not for you\n");
    return;
  }
  const rest = req.params.path;
  const name = rest.includes("%2F") ? "" : rest.replaceAll("%25", "%");
  const file = files.get(name);
  if (file === undefined) res.writeHead(404).end("no such file\n");
  else res.end(file);
});

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
