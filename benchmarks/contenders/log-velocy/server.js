// A line for each request, by the logger that LOGGER names, to /dev/null.
import pino from "pino";
import pinoHttp from "pino-http";
import { createServer, log, Router } from "velocy";

const dest = "/dev/null";
const makers = {
  none: () => (_req, _res, next) => next(),
  velocy: () => log({ destination: dest }),
  pino: () => pinoHttp({ logger: pino(pino.destination({ dest, sync: true })) }),
  "pino-async": () =>
    pinoHttp({ logger: pino(pino.destination({ dest, sync: false, minLength: 4096 })) }),
};

const router = new Router();

router.use(makers[process.env.LOGGER]());

router.get("/bench/:name", (req) => ({
  name: req.params.name,
  id: req.queryParams.get("id"),
}));

const server = createServer(router).listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
