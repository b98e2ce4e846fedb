import { fork } from "node:child_process";
import { once } from "node:events";
import net from "node:net";

const REQUEST = "GET /bench/testing?id=7 HTTP/1.1\r\nHost: a\r\n\r\n";
const TELL = 'process.on("message",()=>process.send(process.cpuUsage()))';
const [program, count = "20000"] = process.argv.slice(2);

const server = fork(program, {
  env: { ...process.env, PORT: "0" },
  execArgv: ["--import", `data:text/javascript,${TELL}`],
  stdio: ["ignore", "pipe", "inherit", "ipc"],
});
const [line] = await once(server.stdout, "data");
const port = Number(/\d+\n$/.exec(line)?.[0]);
const sockets = Array.from({ length: 64 }, () => net.connect(port));
await Promise.all(sockets.map((socket) => once(socket, "connect")));
sockets[0].write(REQUEST);
const [{ length }] = await once(sockets[0], "data");

const rounds = [];
for (let i = 0; i < 9; i += 1) rounds.push(await measure(Number(count)));
const [user, system] = rounds.sort((x, y) => sum(x) - sum(y))[4];
const [a, b, both] = [user, system, user + system].map((one) => {
  return one.toFixed(1);
});
console.log(`${a} user + ${b} system = ${both} µs`);
server.kill();
process.exit();

async function measure(left) {
  const before = await usedTime();
  await Promise.all(sockets.map((socket) => ask(socket, left / 64)));
  const after = await usedTime();
  const each = Math.floor(left / 64) * 64;
  const names = ["user", "system"];
  return names.map((name) => (after[name] - before[name]) / each);
}

async function usedTime() {
  server.send("tell");
  return (await once(server, "message"))[0];
}

function ask(socket, left) {
  return new Promise((resolve) => {
    let missing = 0;
    const next = () => {
      left -= 1;
      missing = length;
      if (left >= 0) socket.write(REQUEST);
      else resolve(socket.off("data", take));
    };
    const take = (bytes) => {
      missing -= bytes.length;
      if (missing === 0) next();
    };
    socket.on("data", take);
    next();
  });
}

function sum([user, system]) {
  return user + system;
}
