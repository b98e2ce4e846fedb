import { createServer, Router } from "velocy";

const router = new Router();

router.get("/users/:id", (req, res) => res.end(`user ${req.params.id}\n`));
router.get("/users/:id/posts/:post", (req, res) => {
  const { id, post } = req.params;
  res.end(`post ${post} of user ${id}\n`);
});
router.get("/users/me", (_req, res) => res.end("it is you\n"));

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
