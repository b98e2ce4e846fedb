import { Router } from "velocy";

const count = Number(process.argv[2] ?? 100);
const router = new Router();
const map = new Map();
const expressions = [];
const paths = [];
for (let i = 0; i < count; i += 1) {
  router.get(`/api/things${i}/:id`, () => {});
  expressions.push(new RegExp(`^/api/things${i}/([^/]+)$`));
  map.set(`/api/things${i}/42`, {});
  paths.push(Buffer.from(`/api/things${i}/42`));
}

report("a Map", (path) => map.get(path));
report("velocy", (path) => router.find("GET", path));
report("expressions", (path) => {
  for (const expression of expressions) {
    const found = expression.exec(path);
    if (found !== null) return found[1];
  }
});

function report(name, look) {
  let lookups = 0;
  let spent = 0;
  while (spent < 300) {
    const fresh = paths.map((path) => path.toString("latin1"));
    const start = performance.now();
    for (const path of fresh) {
      if (!look(path)) throw new Error(`${path} is lost`);
    }
    spent += performance.now() - start;
    lookups += count;
  }
  console.log(`${name}: ${((spent * 1e6) / lookups).toFixed(0)} ns`);
}
