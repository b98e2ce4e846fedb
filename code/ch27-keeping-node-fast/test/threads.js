// A server that has had a worker thread before it says that it listens.
import { isMainThread, parentPort, Worker } from "node:worker_threads";

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  worker.once("message", async () => {
    await worker.terminate();
    console.log("listening");
    setInterval(() => {}, 1000);
  });
} else {
  parentPort.postMessage("here");
}
