// Answers from node:http, as chapter 4's server does: when a body is complete,
// also where there is none.
import { createServer } from "node:http";
import { answerLater, listen } from "./answer.js";

listen(createServer(answerLater));
