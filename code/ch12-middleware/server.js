import { createServer, etag, HttpError, Router } from "velocy";

const users = [{ id: 7, name: "Ada" }];
const api = new Router();
const router = new Router().mount("/api", api);

api.use((req, _res, next) => {
  if (req.headers.authorization === "Ada") return next();
  throw new HttpError(401, "who are you?");
});
api.get("/users", { timeout: 1000 }, etag(), () => users);
api.onError((err) => {
  if (err instanceof HttpError) return { error: err.message };
});
router.get("/hello", () => "hello\n");

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
