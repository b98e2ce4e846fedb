const { Router } = await import(process.argv[2] ?? "velocy");
const visited = Number(process.argv[3] ?? Infinity);

bench(10);
for (const count of [10, 100, 1_000, 10_000]) {
  console.log(`${count} routes: ${bench(count).toFixed(1)} ns`);
}

function bench(count) {
  const router = new Router();
  for (let i = 0; i < count; i += 1) {
    router.get(`/api/things${i}/:id`, () => {});
  }
  const paths = [];
  for (let i = 0; i < 10_000; i += 1) {
    paths.push(`/api/things${i % Math.min(count, visited)}/42`);
  }
  return measure(router, paths);
}

function measure(router, paths) {
  let found = 0;
  const start = performance.now();
  while (performance.now() - start < 300) {
    for (const path of paths) {
      if (router.find("GET", path) !== null) found += 1;
    }
  }
  return ((performance.now() - start) * 1e6) / found;
}
