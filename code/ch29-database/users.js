import { HttpError, Router } from "velocy";

const ADD = `INSERT INTO users (email, password)
  VALUES ($1, $2) RETURNING id`;

/**
 * @param {import("pg").Pool} pool
 * @param {string} [name] of the prepared statement; "" prepares none
 */
export function createRouter(pool, name = "add-user") {
  const router = new Router();
  router.post("/user", { bodyBytes: 1_000 }, async (req, res) => {
    const { email, password } = readUser(await req.json());
    const query = { name, text: ADD, values: [email, password] };
    const { rows } = await pool.query(query);
    const [{ id }] = rows;
    res.status(201).setHeader("location", `/user/${id}`);
    return { id };
  });
  return router;
}

function readUser(body) {
  if (!isText(body?.email) || !isText(body?.password)) {
    throw new HttpError(400, "a user has an email and a password");
  }
  return body;
}

function isText(value) {
  if (typeof value !== "string" || value.includes("\0")) return false;
  if (/\p{Surrogate}/u.test(value)) return false;
  return value !== "" && value.length < 256;
}
