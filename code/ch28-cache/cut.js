import { Cache } from "./lib/cache.js";
import { Connection } from "./lib/connection.js";

const commands = new Cache();

const texts = [
  "set a 7 0 7\r\nget a\r\n\r\nget a b\r\n",
  "set b 0 0 1\r\ntoo long\r\nget b\r\n",
  `delete ${"k".repeat(2100)}\r\n`,
  `set visits 0 0 1\r\n7\r\nget ${"visits ".repeat(297)}\r\n`,
];
for (const text of texts) {
  const bytes = Buffer.from(text);
  const answers = new Set();
  for (let cut = 0; cut <= bytes.length; cut++) {
    let answer = "";
    const connection = new Connection(commands, (more) => {
      answer += more;
      return true;
    });
    connection.read(bytes, 0, cut);
    connection.read(bytes, cut, bytes.length);
    answers.add(`${answer} ${connection.isClosed}`);
  }
  console.log(`${bytes.length} bytes, different answers: ${answers.size}`);
}
