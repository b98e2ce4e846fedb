import { Pool } from "pg";
import { inject } from "velocy";
import { createRouter } from "./users.js";

const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 1,
});
const user = { email: "lee@example.org", password: "x" };
await inject(createRouter(pool, process.argv[2]), {
  method: "POST",
  target: "/user",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(user),
});
const ask = "SELECT name FROM pg_prepared_statements";
const { rows } = await pool.query(ask);
console.log(rows);
await pool.end();
