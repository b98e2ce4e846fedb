import { Router } from "velocy";

for (const count of [10, 100, 1_000, 10_000]) {
  const router = new Router();
  const paths = [];
  for (let i = 0; i < count; i += 1) {
    router.get(`/api/things${i}/:id`, () => {});
    paths.push(`/api/things${i}/42`);
  }
  const nanoseconds = measure((i) => router.find("GET", paths[i % count]));
  console.log(`${count} routes: ${nanoseconds.toFixed(1)} ns`);
}

/** @param {(i: number) => unknown} look */
function measure(look) {
  let lookups = 0;
  const start = performance.now();
  while (performance.now() - start < 300) {
    for (let i = 0; i < 100; i += 1) look(lookups + i);
    lookups += 100;
  }
  return ((performance.now() - start) * 1e6) / lookups;
}
