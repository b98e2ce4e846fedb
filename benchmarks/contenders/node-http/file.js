// What bare node:http answers where it is asked for files: opened, looked at and
// streamed anew at each request.
import { open } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";

const prefix = "/files/";
const types = { ".txt": "text/plain" };

function refuse(res, status) {
  res.writeHead(status, { "content-length": 0 });
  res.end();
}

/** @returns {string | undefined} the file's path, if it is in the folder */
function fileOf(folder, target) {
  try {
    const name = decodeURIComponent(target.slice(prefix.length));
    const file = path.join(folder, name);
    return file.startsWith(folder + path.sep) && !name.includes("\0") ? file : undefined;
  } catch {
    return undefined;
  }
}

async function send(file, res) {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) {
    refuse(res, 404);
    return;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) {
      refuse(res, 404);
      return;
    }
    res.writeHead(200, {
      "content-type": types[path.extname(file)] ?? "application/octet-stream",
      "content-length": stats.size,
      "last-modified": stats.mtime.toUTCString(),
    });
    await pipeline(handle.createReadStream(), res);
  } finally {
    await handle.close();
  }
}

/** @param {string} root */
export function makeFiles(root) {
  const folder = path.resolve(root);
  return (target, res) => {
    const file = fileOf(folder, target);
    if (file === undefined) refuse(res, 404);
    // A client that goes away ends the stream, and has no answer to get.
    else send(file, res).catch(() => res.destroy());
  };
}
