import { HttpError, Router } from "velocy";

export function makeApp() {
  const users = new Map([["7", { id: "7", name: "Ada" }]]);
  const router = new Router();

  router.get("/users/:id", (req) => {
    const user = users.get(req.params.id);
    if (user === undefined) throw new HttpError(404, "no such user");
    return user;
  });

  router.post("/users", async (req, res) => {
    const { id, name } = await req.json();
    if (users.has(id)) throw new HttpError(409, "there is one already");
    const location = `/users/${encodeURIComponent(id)}`;
    users.set(id, { id, name });
    res.status(201).setHeader("location", location);
    return { id };
  });

  router.get("/report", { timeout: 60_000 }, () => new Promise(() => {}));
  return router;
}
