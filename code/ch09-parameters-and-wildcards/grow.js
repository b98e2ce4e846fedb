import { Router } from "velocy";

const patterns = process.argv.slice(2);
const router = new Router();
for (const pattern of patterns) {
  router.get(pattern, () => {});
  console.log(`+ ${pattern}`);
  console.log(`${router}\n`);
}
