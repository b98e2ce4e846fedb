// The same, but a request without a body is answered at once, as most
// handlers on node:http do.
import { createServer } from "node:http";
import { answer, answerLater, listen } from "./answer.js";

const server = createServer((req, res) => {
  const { "content-length": length, "transfer-encoding": coding } = req.headers;
  if (length === undefined && coding === undefined) answer(req, res, "");
  else answerLater(req, res);
});
listen(server);
