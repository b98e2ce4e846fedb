// Three middleware that do nothing, and Express's own way to answer with JSON,
// as it comes: with an ETag of each answer and its name in each.
import express from "express";

const app = express();

for (let count = 0; count < 3; count++) app.use((_req, _res, next) => next());

app.get("/bench/:name", (req, res) => {
  res.json({ name: req.params.name, id: req.query.id ?? null });
});

const server = app.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
