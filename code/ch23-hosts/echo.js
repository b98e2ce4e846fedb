import { Router, websocket } from "velocy";
import { createServer } from "velocy/engine";

const router = new Router();

router.get(
  "/echo",
  websocket((socket) => {
    socket.on("message", (data) => socket.send(data));
  }),
);

const server = createServer(router);

server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
