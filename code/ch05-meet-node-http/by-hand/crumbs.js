import { RequestParser } from "./lib/request-parser.js";

const length = 1024 * 1024;
const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
const parser = new RequestParser({ onRequest: () => {} });
parser.push(Buffer.from(head));

const before = process.memoryUsage().rss;
for (let i = 0; i < length - 1; i++) parser.push(Buffer.alloc(1, "a"));
const bytes = process.memoryUsage().rss - before;

const size = bytes / length > 100 ? "more" : "less";
console.log(`${size} than 100 bytes of memory for each that came`);
