// Imported before a server: counts the listeners that it adds for "answered",
// and prints how many there are when the server is told to end.
import { EventEmitter } from "node:events";

const { on } = EventEmitter.prototype;
let count = 0;

EventEmitter.prototype.on = function (name, listener) {
  if (name === "answered") count += 1;
  return on.call(this, name, listener);
};

process.on("SIGTERM", () => {
  console.log(`${count} listeners`);
  process.exit();
});
