import { createServer } from "velocy";
import { makeApp } from "./app.js";

const server = createServer(makeApp());

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
