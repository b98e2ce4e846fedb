import { startPostgres } from "./postgres.js";

const port = Number(process.argv[2]);
const fsync = process.argv[3] !== "--no-fsync";
const postgres = await startPostgres({ port, fsync });
console.log(`${postgres.url} is ready, fsync ${fsync ? "on" : "off"}`);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => postgres.stop());
}
