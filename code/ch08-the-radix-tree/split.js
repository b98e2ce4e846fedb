const paths = ["/api/things5/42", "/users/me", "/users/7/posts/12"];

let count = 0;
let segments = 0;
const start = performance.now();
while (performance.now() - start < 500) {
  for (let i = 0; i < 100; i += 1) {
    segments += paths[i % 3].slice(1).split("/").length;
  }
  count += 100;
}
const nanoseconds = ((performance.now() - start) * 1e6) / count;
console.log(`${segments} segments, ${nanoseconds.toFixed(1)} ns a path`);
