import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createServer,
  csrf,
  RedisLimits,
  RedisStore,
  Router,
  rateLimit,
  secureFields,
  sessions,
} from "velocy";

const router = new Router();
const secrets = [process.env.SECRET ?? randomUUID()];
const redis = process.env.REDIS ?? "redis://localhost";
const store = new RedisStore(redis);
const limits = new RedisLimits(redis);
const login = { name: "login", requests: 5, seconds: 60 };

router.use(secureFields());
router.use("/login", rateLimit({ ...login, store: limits }));
router.use(csrf());
router.use(sessions({ secrets, store }));

router.get("/", (req) => `you are ${req.session.user ?? "nobody"}\n`);

router.post("/login", async (req, res) => {
  const form = await req.form();
  await req.session.renew();
  req.session.user = form.get("user");
  return res.redirect("/");
});

router.post("/cart", (req) => {
  req.session.cart = (req.session.cart ?? 0) + 1;
  return `${req.session.cart} in the cart\n`;
});

router.post("/slow", async (req) => {
  req.session.visited = true;
  await sleep(1000);
  return "done late\n";
});

router.post("/rights", async (req) => {
  await sleep(300);
  await req.session.renew();
  return "more rights\n";
});

router.post("/logout", async (req) => {
  await req.session.destroy();
  return "bye\n";
});

router.post("/theme", async (req, res) => {
  const form = await req.form();
  const theme = form.get("theme") ?? "";
  if (theme.length > 100) return res.status(400).text("too long\n");
  res.setCookie("theme", theme);
  return "done\n";
});

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
