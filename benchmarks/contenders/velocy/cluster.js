import { fileURLToPath } from "node:url";
import { supervise } from "velocy/cluster";

// The same program in WORKERS processes under velocy's supervisor. It is
// ready when all of them are.
const workers = Number(process.env.WORKERS ?? 2);
const port = Number(process.env.PORT ?? 3000);
let ready = 0;

supervise({
  script: fileURLToPath(new URL("./worker.js", import.meta.url)),
  workers,
  sharing: process.env.SHARING,
  report: (line) => {
    console.error(line);
    if (line.endsWith("is ready")) ready++;
    if (line.endsWith("is ready") && ready === workers) {
      console.log(`listening on http://localhost:${port}`);
    }
  },
});
