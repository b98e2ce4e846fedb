import { HttpError } from "./lib/errors.js";
import { createServer } from "./lib/server.js";

const server = createServer(({ method, target }) => {
  if (method === "PUT") throw new HttpError(99, "no");
  if (method === "DELETE") {
    const fields = { "content-length": "5" };
    return { statusCode: 204, fields, body: "gone\n" };
  }
  const location = decodeURIComponent(target);
  return { statusCode: 302, fields: { location }, body: "" };
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
