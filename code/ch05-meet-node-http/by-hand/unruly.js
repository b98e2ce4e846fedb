import { createServer } from "./lib/server.js";

const server = createServer(({ method, target, fields }) => {
  if (method === "DELETE") {
    return { statusCode: 204, fields: {}, body: "gone\n" };
  }
  if (fields.cookie) {
    return { statusCode: 200, fields: {}, body: `${fields.cookie}\n` };
  }
  const location = decodeURIComponent(target);
  return { statusCode: 302, fields: { location }, body: "" };
});

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
