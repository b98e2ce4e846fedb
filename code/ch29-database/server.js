import { Pool } from "pg";
import { createServer } from "velocy";
import { createRouter } from "./users.js";

const { env } = process;
const pool = new Pool({
  connectionString: env.DATABASE_URL,
  max: Number(env.POOL ?? 60),
});
pool.on("error", (err) => console.error(`database: ${err.message}`));
const router = createRouter(pool);
const server = createServer(router);
server.listen(Number(env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
