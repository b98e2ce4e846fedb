const { gc } = globalThis;
const connection = {};

function direct(request) {
  connection.close = () => request;
}

function named(request) {
  const close = () => request;
  connection.close = close;
}

const heap = () => process.memoryUsage().heapUsed / 1e6;
for (const set of [direct, named]) {
  gc();
  const before = heap();
  for (let n = 0; n < 100; n++) set(new Array(10_000).fill(n));
  gc({ type: "minor" });
  gc({ type: "minor" });
  const kept = heap() - before;
  gc();
  const later = heap() - before;
  console.log(`${set.name}: ${kept.toFixed()} MB, then ${later.toFixed()}`);
}
