import { Connection } from "./lib/connection.js";

const commands = {
  run: (connection, line) => {
    while (line.next()) connection.answer(`[${line.text}]`);
  },
  takesKeys: () => false,
};

const bytes = Buffer.from("incr a 1\r\ndelete b\r\n");
const answers = new Set();
for (let cut = 0; cut <= bytes.length; cut++) {
  let answer = "";
  const connection = new Connection(commands, (text) => {
    answer += text;
    return true;
  });
  connection.read(bytes, 0, cut);
  connection.read(bytes, cut, bytes.length);
  answers.add(answer);
}
console.log(answers);
