import { createServer, Router } from "velocy";

const router = new Router();
router.get("/search", (req, res) => {
  const query = req.queryParams;
  res.end(`${JSON.stringify([...query])} q=${query.get("q")}\n`);
});

createServer(router).listen(Number(process.env.PORT ?? 3000));
