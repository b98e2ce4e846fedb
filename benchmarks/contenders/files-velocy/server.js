import { createServer, files, Router } from "velocy";

const router = new Router();

router.get("/*", files(process.env.FILES));

const server = createServer(router).listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
