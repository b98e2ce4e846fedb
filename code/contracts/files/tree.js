import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const FILES = {
  "ten.txt": "0123456789",
  "empty.txt": "",
  "what.unknown": "?",
  "UPPER.HTML": "<p>upper\n",
  "large.bin": Buffer.alloc(3_000_000, 1),
  "a b.txt": "space\n",
  "café.txt": "accent\n",
  "100%.txt": "percent\n",
  "sub/index.html": "<p>sub\n",
  "sub/deep.txt": "deep\n",
  "sub/.hidden/x.txt": "hidden\n",
  "what?#/index.html": "<p>what\n",
  "bare/x.txt": "x\n",
  "indexed/x.txt": "x\n",
  ".env": "SECRET=1\n",
  ".git/config": "secret\n",
  "page.html": "<p>page\n",
  // What they hold is told from the page, and never decoded here.
  "page.html.br": "made with brotli\n",
  "page.html.gz": "made with gzip\n",
  "stale.txt": "new\n",
  "stale.txt.br": "old\n",
  "stale.txt.gz": "a moment old\n",
  "same-time.txt": "plain\n",
  "same-time.txt.gz": "made with gzip\n",
  "linked.txt": "plain\n",
  "../secret.txt": "secret\n",
  // A folder whose name begins like the root's.
  "../root-beside/x.txt": "secret\n",
};

const LINKS = {
  "link-in.txt": "ten.txt",
  "link-sub": "sub",
  "link-out.txt": "../secret.txt",
  "link-out": "..",
  "link-beside": "../root-beside",
  "link-hidden.txt": ".env",
  "link-hidden": "sub/.hidden",
  "link-index": "indexed",
  "indexed/index.html": "../.env",
  "empty.txt.gz": ".env",
  "link-broken": "nowhere",
  "link-loop": "link-loop",
  "linked.txt.br": "../secret.txt",
  null: "/dev/null",
};

/** As programs do that have Dates. @param {string} from @param {string} to */
function copyTime(from, to) {
  // With a part of a millisecond, as writing gives it.
  utimesSync(from, 1_767_323_045.678, 1_767_323_045.678_4);
  const { atime, mtime } = statSync(from);
  utimesSync(to, atime, mtime);
}

/**
 * Makes a folder with all that somebody might ask for, or had better not.
 *
 * @returns {{ root: string, remove: () => void }}
 */
export function makeTree() {
  const top = mkdtempSync(join(tmpdir(), "files-"));
  const root = join(top, "root");
  const time = new Date("2026-01-02T03:04:05.678Z");
  for (const [name, content] of Object.entries(FILES)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    utimesSync(path, time, time);
  }
  const earlier = new Date("2026-01-01T00:00:00Z");
  utimesSync(join(root, "stale.txt.br"), earlier, earlier);
  // Within the same second.
  const justBefore = new Date(time.getTime() - 3);
  utimesSync(join(root, "stale.txt.gz"), justBefore, justBefore);
  copyTime(join(root, "same-time.txt"), join(root, "same-time.txt.gz"));
  for (const [name, place] of Object.entries(LINKS)) {
    symlinkSync(place, join(root, name));
  }
  spawnSync("mkfifo", [join(root, "pipe")]);
  return { root, remove: () => rmSync(top, { recursive: true }) };
}
