import { createServer, etagOf, HttpError, Router } from "velocy";

const notes = new Map([["1", { id: "1", text: "café at 5" }]]);

function findNote(id) {
  const note = notes.get(id);
  if (note === undefined) throw new HttpError(404, "no such note", { id });
  return note;
}

const tagOf = (note) => etagOf(JSON.stringify(note));

const router = new Router();

router.get("/", (_req, res) => {
  res.setHeader("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT");
  return res.html("<h1>Notes</h1>\n");
});
router.get("/notes/:id", (req, res) => {
  const note = findNote(req.params.id);
  if (!res.preconditionsHold({ etag: tagOf(note) })) return;
  return note;
});
router.put("/notes/:id", (req, res) => {
  const note = findNote(req.params.id);
  if (!res.preconditionsHold({ etag: tagOf(note) })) return;
  note.text = req.queryParams.get("text") ?? "";
  return note;
});
router.get("/tea", (_req, res) => res.status(418).text("a teapot\n"));
router.post("/login", (req, res) => {
  const next = req.queryParams.get("next") ?? "/";
  try {
    res.redirect(next.startsWith("/") ? next : "/");
  } catch (cause) {
    throw new HttpError(400, "next is no page of ours", { cause });
  }
});

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
