import { HeadReader } from "./lib/engine/head.js";

function tryOut(...pieces) {
  const head = new HeadReader({ headBytes: 16384, fieldCount: 100 });
  try {
    for (const text of pieces) {
      const end = head.read(Buffer.from(text), 0, text.length);
      console.log(end, head.method || "none");
    }
    console.log(head.target, head.text.length, head.fieldsStart);
  } catch (err) {
    console.log(err.statusCode, err.message);
  }
}

const line = "GET /users/7 HTTP/1.1\r\n";
tryOut(`${line}Host: a\r\nCook`, `${line}Host: a\r\nCookie: b\r\n\r\n`);
tryOut(`${line}Host : a\r\n\r\n`);
tryOut(line + "A: b\r\n".repeat(101));
tryOut(`${line}A: ${"b".repeat(20_000)}`);
