import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { drawFlame, framesOf, places } from "./flame.js";
import { load, statusesOf } from "./load.js";
import { askInside, startServer } from "./outside.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pid: { type: "string" },
    seconds: { type: "string", default: "4" },
  },
});
const seconds = Number(values.seconds);
const folder = pathToFileURL(`${process.cwd()}/`).href;

function percent(share) {
  return `${(100 * share).toFixed(0)} %`;
}

async function record(pid, work) {
  await askInside(pid, "/profile/start");
  await askInside(pid, "/loop/start");
  await work();
  // Making the profile takes time, too.
  const loop = await askInside(pid, "/loop/stop");
  return { loop, profile: await askInside(pid, "/profile/stop") };
}

async function recordUnderLoad(file, path = "/") {
  const server = await startServer(file);
  const url = new URL(path, server.origin).href;
  try {
    return await record(server.pid, async () => {
      const counts = await load(url, { seconds });
      console.log(`answered: ${statusesOf(counts)}`);
    });
  } finally {
    await server.stop();
  }
}

/** How long each function ran itself, wherever it was called. */
function selfTimes(frame, rows = new Map()) {
  const place = places.get(frame);
  const row = rows.get(place) ?? { name: frame.name, time: 0 };
  row.time += frame.self;
  rows.set(place, row);
  for (const child of frame.children) selfTimes(child, rows);
  return rows;
}

/** Until the time is over, or Ctrl-C. */
function wait() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    process.once("SIGINT", (signal) => {
      clearTimeout(timer);
      resolve(signal);
    });
  });
}

async function take() {
  const [file, path] = positionals;
  if (values.pid) return record(Number(values.pid), wait);
  if (file.endsWith(".cpuprofile")) {
    return { profile: JSON.parse(readFileSync(file, "utf8")), loop: null };
  }
  return recordUnderLoad(file, path);
}

const { profile, loop } = await take();
const root = framesOf(profile, folder);
const times = [...selfTimes(root).values()]
  .filter(({ time }) => time > 0)
  .sort((a, b) => b.time - a.time);

if (loop !== null) {
  console.log(`the event loop was busy for ${percent(loop.busy)}`);
  console.log(`its longest turn took ${loop.longest.toFixed(0)} ms`);
  console.log(`the process used ${percent(loop.processor)} of a core`);
}
for (const { name, time } of times.slice(0, 6)) {
  console.log(
    `${((100 * time) / root.total).toFixed(1).padStart(5)} % ${name}`,
  );
}
writeFileSync("flame.svg", drawFlame(root));
