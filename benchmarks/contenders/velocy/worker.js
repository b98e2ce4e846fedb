// server.js, for a supervisor that says itself when all workers listen.
console.log = () => {};
await import("./server.js");
