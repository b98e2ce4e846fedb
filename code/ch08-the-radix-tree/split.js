const paths = Array.from({ length: 100 }, (_, i) => `/api/things${i}/42`);

let segments = 0;
let cut = 0;
const start = performance.now();
while (performance.now() - start < 300) {
  for (const path of paths) segments += path.slice(1).split("/").length;
  cut += paths.length;
}
const time = ((performance.now() - start) * 1e6) / cut;
console.log(`${time.toFixed(1)} ns a path, ${segments / cut} segments`);
