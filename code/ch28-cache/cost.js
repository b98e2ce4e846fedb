import { once } from "node:events";

/** What a server has used of a core, in microseconds, as it says itself. */
export async function usedBy(socket) {
  let text = "";
  socket.write("stats\r\n");
  while (!/(END|ERROR)\r\n$/.test(text)) {
    const [bytes] = await once(socket, "data");
    text += bytes.latin1Slice();
  }
  const seconds = (name) =>
    Number(new RegExp(`STAT rusage_${name} ([\\d.]+)`).exec(text)?.[1]);
  return (seconds("user") + seconds("system")) * 1e6;
}
