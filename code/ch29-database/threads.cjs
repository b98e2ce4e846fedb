const { lookup } = require("node:dns");
const { readdirSync } = require("node:fs");

const count = () => readdirSync("/proc/self/task").length;
const [host = "localhost"] = process.argv.slice(2);
console.log(`${count()} threads at the start`);
lookup(host, () => console.log(`${count()} after ${host} was looked up`));
