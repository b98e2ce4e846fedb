// As sirv's documentation writes it. DEV=1 lets it look at the disk for every
// request, which the others do.
import { createServer } from "node:http";
import sirv from "sirv";

const serve = sirv(process.env.FILES, { etag: true, dev: process.env.DEV === "1" });

const server = createServer((req, res) => {
  serve(req, res, () => {
    res.statusCode = 404;
    res.end();
  });
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
