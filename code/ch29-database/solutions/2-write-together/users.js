import { HttpError, Router } from "velocy";

// The ids come first, so that it is certain which user has which.
const ADD = `WITH input AS MATERIALIZED (
    SELECT nextval('users_id_seq')::int AS id, email, password, place
    FROM unnest($1::text[], $2::text[])
      WITH ORDINALITY AS t (email, password, place)
  ), added AS (
    INSERT INTO users (id, email, password)
    SELECT id, email, password FROM input
  ) SELECT id FROM input ORDER BY place`;

// Adds those together that come while others are under way.
function together(pool, name) {
  let waiting = [];
  let isBusy = false;
  const send = async () => {
    isBusy = true;
    while (waiting.length > 0) {
      const users = waiting;
      waiting = [];
      try {
        const values = [
          users.map(({ email }) => email),
          users.map(({ password }) => password),
        ];
        const { rows } = await pool.query({ name, text: ADD, values });
        for (const [i, { id }] of rows.entries()) users[i].resolve(id);
      } catch (err) {
        for (const { reject } of users) reject(err);
      }
    }
    isBusy = false;
  };
  return (email, password) =>
    new Promise((resolve, reject) => {
      waiting.push({ email, password, resolve, reject });
      if (!isBusy) send();
    });
}

/**
 * @param {import("pg").Pool} pool
 * @param {string} [name] of the prepared statement; "" prepares none
 */
export function createRouter(pool, name = "add-user") {
  const router = new Router();
  const add = together(pool, name);
  router.post("/user", { bodyBytes: 1_000 }, async (req, res) => {
    const { email, password } = readUser(await req.json());
    const id = await add(email, password);
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
