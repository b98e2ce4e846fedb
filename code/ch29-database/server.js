import { Pool } from "pg";
import { createServer, shed } from "velocy";
import { createServer as createFast } from "velocy/engine";
import { createRouter } from "./users.js";

const { env } = process;
const pool = new Pool({
  connectionString: env.DATABASE_URL,
  max: Number(env.POOL ?? 60),
  idleTimeoutMillis: Number(env.POOL_IDLE_MS ?? 10_000),
});
pool.on("error", (err) => console.error(`database: ${err.message}`));
const name = env.PREPARED === "no" ? "" : undefined;
const router = createRouter(pool, name);
if (env.SHED) router.use(shed({ concurrent: Number(env.SHED) }));
const create = env.ENGINE === "own" ? createFast : createServer;
const server = create(router, {
  keepAliveTimeout: Number(env.IDLE_MS ?? 5_000),
});
server.listen(Number(env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
