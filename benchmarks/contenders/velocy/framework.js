// Three middleware that do nothing, and an object that is returned.
import { createServer, Router } from "velocy";

const router = new Router();

for (let count = 0; count < 3; count++) router.use((_req, _res, next) => next());

router.get("/bench/:name", (req) => ({
  name: req.params.name,
  id: req.queryParams.get("id"),
}));

const server = createServer(router).listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
