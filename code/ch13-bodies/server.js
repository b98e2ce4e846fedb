import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer, Router } from "velocy";

const PNG = Buffer.from("\x89PNG", "latin1");
const router = new Router();

router.post("/notes", async (req) => {
  const text = await req.text();
  return `${text.length} characters\n`;
});

router.post("/twice", async (req) => [await req.text(), await req.text()]);

router.post("/length", { bodyBytes: Infinity }, (req, res) => {
  let length = 0;
  req.on("data", (chunk) => {
    length += chunk.length;
  });
  req.on("end", () => res.end(`${length} bytes\n`));
});

router.post("/type", { bodyBytes: Infinity }, async (req) => {
  const [chunk] = await once(req, "data");
  req.pause();
  return chunk.subarray(0, 4).equals(PNG) ? "a picture\n" : "no picture\n";
});

router.post("/first", { bodyBytes: Infinity }, async (req) => {
  let first = 0;
  for await (const chunk of req) {
    first = chunk[0];
    break;
  }
  await sleep(100);
  return [first, req.signal.aborted, req.complete];
});

router.post("/echo", { bodyBytes: Infinity }, async (req, res) => {
  for await (const chunk of req) res.write(chunk);
  res.end();
});

router.delete("/notes", () => {
  console.log("all notes are gone");
  return "gone\n";
});

router.use("/diary", async (req, res, next) => {
  await sleep(100);
  if (req.headers.authorization !== undefined) return next();
  return res.status(401).text("who are you?\n");
});
router.post("/diary", { bodyBytes: 100 }, async (req) => {
  let length = 0;
  for await (const chunk of req) length += chunk.length;
  return `${length} bytes\n`;
});

router.post("/form", async (req) => [...(await req.form())]);

router.get("/memory", () => {
  const { maxRSS } = process.resourceUsage();
  const comparison = maxRSS > 300 * 1024 ? "more" : "less";
  return `${comparison} than 300 MiB\n`;
});

createServer(router).listen(Number(process.env.PORT ?? 3000));
