// What bare node:http answers beside the benchmark's endpoint.
const large = `${"wire ".repeat(12)}end\n`.repeat(1024);

function send(res, type, body) {
  res.writeHead(200, {
    "x-powered-by": "benchmark",
    "content-type": type,
    connection: "keep-alive",
    "keep-alive": "timeout=5",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
}

function refuse(res, status) {
  res.writeHead(status, { "content-length": 0 });
  res.end();
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answerJson(req, res) {
  let text = "";
  req.setEncoding("utf8");
  req.on("data", (chunk) => {
    text += chunk;
  });
  req.on("end", () => {
    const body = parse(text);
    if (body === undefined) {
      refuse(res, 400);
      return;
    }
    const { name, id = null, tags } = body;
    send(res, "application/json", JSON.stringify({ name, id, tags: tags.length }));
  });
}

const { FILES } = process.env;
// Who isn't asked for files doesn't load what serves them.
const sendFile = FILES && (await import("./file.js")).makeFiles(FILES);

/** @param {string} path of the request's target, without the query */
export function answerOther(path, req, res) {
  if (path === "/bench" && req.method === "POST") answerJson(req, res);
  else if (path === "/large") send(res, "text/plain", large);
  else if (sendFile && path.startsWith("/files/")) sendFile(path, res);
  else refuse(res, 404);
}
