import { Router } from "velocy";

const router = new Router();
router.get("/users/:id", () => {});
router.get("/users/me", () => {});
router.get("/users/mia", () => {});
router.get("/users/:user/posts", () => {});
router.get("/files/*path", () => {});
router.post("/files/*path", () => {});

const [method, target] = process.argv.slice(2);
console.log(String(router.explain(method, target)));
