import { fork } from "node:child_process";
import { once } from "node:events";
import net from "node:net";

const REQUEST = "GET /bench/testing?id=7 HTTP/1.1\r\nHost: a\r\n\r\n";
const TELL = 'process.on("message",()=>process.send(process.cpuUsage()))';
const EACH = 320;
const ROUNDS = 9;
const MIDDLE = 4;

const servers = await Promise.all(process.argv.slice(2).map(start));
for (let i = 0; i < ROUNDS; i += 1) {
  for (const server of servers) server.rounds.push(await measure(server));
}
servers.forEach(print);
process.exit();

async function start(program) {
  const child = fork(program, {
    env: { ...process.env, PORT: "0" },
    execArgv: ["--import", `data:text/javascript,${TELL}`],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  process.on("exit", () => child.kill());
  const [line] = await once(child.stdout, "data");
  const port = Number(/\d+\n$/.exec(line)?.[0]);
  const sockets = Array.from({ length: 64 }, () => net.connect(port));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  sockets[0].write(REQUEST);
  const [{ length }] = await once(sockets[0], "data");
  return { program, child, sockets, length, rounds: [] };
}

// Microseconds for each request.
async function measure({ child, sockets, length }) {
  const before = await usedTime(child);
  await Promise.all(sockets.map((socket) => ask(socket, length)));
  const after = await usedTime(child);
  const count = EACH * sockets.length;
  const user = (after.user - before.user) / count;
  const system = (after.system - before.system) / count;
  return { user, system, both: user + system };
}

async function usedTime(child) {
  child.send("tell");
  return (await once(child, "message"))[0];
}

function ask(socket, length) {
  return new Promise((resolve) => {
    let [left, missing] = [EACH, 0];
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

function print({ program, rounds }) {
  const sorted = rounds.toSorted((x, y) => x.both - y.both);
  const { user, system, both } = sorted[MIDDLE];
  const [a, b, c] = [user, system, both].map((one) => one.toFixed(1));
  const first = servers[0].rounds;
  const shares = rounds.map((one, i) => one.both / first[i].both);
  const share = shares.sort((x, y) => x - y)[MIDDLE].toFixed(2);
  const cost = `${a} user + ${b} system, ${c} µs in all`;
  console.log(`${program}: ${cost}, ${share} of the first`);
}
