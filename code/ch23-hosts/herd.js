import { Host } from "./lib/simulation/host.js";
import { World } from "./lib/simulation/world.js";

const PATIENCE = 100;
const END = 30_000;

function play(clients, grow, jitter) {
  const world = new World();
  const redis = new Host(world, 0.5);
  let left = clients;
  let lastAt = 0;

  function connect(pause) {
    if (world.now > END) return;
    let isOver = false;
    redis.take(() => {
      if (isOver) return;
      isOver = true;
      left -= 1;
      lastAt = world.now;
    });
    world.in(PATIENCE, () => {
      if (isOver) return;
      isOver = true;
      const wait = pause * (1 - jitter * world.random());
      world.in(wait, () => connect(Math.min(pause * grow, 2_000)));
    });
  }

  for (let i = 0; i < clients; i += 1) connect(50);
  world.run();
  const seconds = (lastAt / 1000).toFixed(1);
  return left === 0 ? `all within ${seconds} seconds` : `${left} never`;
}

for (const clients of [100, 1200, 2400]) {
  console.log(`${clients} clients`);
  console.log("  always 50 ms:    ", play(clients, 1, 0));
  console.log("  twice as long:   ", play(clients, 2, 0));
  console.log("  and by chance:   ", play(clients, 2, 0.5));
}
