import { Router } from "velocy";

const router = new Router();
router.get("/users/:id", () => {});
router.get("/users/me", () => {});
router.get("/users/mia", () => {});

console.log(String(router));
for (const path of ["/users/me", "/users/zoe", "/users/max"]) {
  console.log(path, router.find("GET", path) === null ? "no" : "yes");
}
