import { setTimeout as sleep } from "node:timers/promises";
import { createServer, log, Router, requestLog } from "velocy";

const router = new Router();

router.use(log({ destination: "access.log", trustId: true }));

async function findUser(name) {
  await sleep(50);
  requestLog().info("looked for", { name });
  return { name };
}

router.get("/users/:name", (req) => findUser(req.params.name));

router.get("/trace", (req) => `${req.trace.traceparent}\n`);

router.get("/plain", () => "plain\n");

const onError = (err, req) => (req.log ?? requestLog()).error(err);
const server = createServer(router, { onError });

server.on("request", (req, res) => {
  res.once("close", () => {
    const { statusCode: status } = res;
    if (req.id === "") requestLog().warn("refused", { status });
  });
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  requestLog().info("listening");
  console.log(`listening on http://localhost:${server.address().port}`);
});
