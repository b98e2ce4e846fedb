import { Socket } from "node:net";

// A response that waits behind another one in a pipeline has no socket yet.
// When the client leaves, it gets one that is closed, and closes with it.
export function closeWith(socket, res) {
  const close = () => res.assignSocket(new Socket().destroy());
  // A pipeline may be long: Node would warn of the eleventh listener.
  socket.setMaxListeners(0).once("close", close);
  res.once("socket", () => socket.off("close", close));
}
