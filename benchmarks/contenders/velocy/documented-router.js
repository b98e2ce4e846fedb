// As the book writes it from chapter 11 on: a value that is returned.
import { files, Router } from "velocy";

const large = `${"wire ".repeat(12)}end\n`.repeat(1024);

export const router = new Router();

router.get("/bench/:name", (req, res) => {
  res.setHeader("x-powered-by", "benchmark");
  return { name: req.params.name, id: req.queryParams.get("id") };
});

router.post("/bench", async (req, res) => {
  const { name, id = null, tags } = await req.json();
  res.setHeader("x-powered-by", "benchmark");
  return { name, id, tags: tags.length };
});

router.get("/large", (_req, res) => {
  res.setHeader("x-powered-by", "benchmark");
  return large;
});

const { FILES } = process.env;

// At every request from the file system: by default files() keeps what it read,
// and asks for the file's times.
if (FILES) router.get("/files/*", files(FILES, { keepBytes: 0 }));
