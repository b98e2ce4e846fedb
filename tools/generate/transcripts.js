import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { visit } from "unist-util-visit";
import { parseMarkdown } from "../book/markdown.js";
import { Problem } from "../book/problem.js";

/** Where a terminal session says which file it shows. */
const RAW = /(?:^|\s)raw=(\S+)/;

/**
 * What a `console` fence with `raw=` has to show below its command: the file
 * that it names.
 *
 * @param {string} file
 * @param {string} markdown
 * @param {string} root  the repository's root
 * @returns {{ line: number, source: string, start: number, end: number, text: string }[]}
 * @throws {Problem} when there is no such file
 */
export function transcriptsOf(file, markdown, root) {
  /** @type {ReturnType<typeof transcriptsOf>} */
  const transcripts = [];
  visit(parseMarkdown(markdown), "code", ({ position, lang, meta, value }) => {
    const source = lang === "console" && RAW.exec(meta ?? "")?.[1];
    if (!source || position?.start.offset === undefined) return;
    if (position.end.offset === undefined) return;
    const { line } = position.start;
    if (!existsSync(join(root, source))) {
      throw new Problem(file, line, `there is no ${source} to show`);
    }
    const command = commandOf(value);
    const start = markdown.indexOf(command, position.start.offset) + command.length;
    const end = markdown.lastIndexOf("\n", position.end.offset - 1);
    const shown = readFileSync(join(root, source), "utf8").replace(/\n$/, "");
    transcripts.push({ line: line + 1, source, start, end, text: `\n${shown}` });
  });
  return transcripts;
}

/**
 * The command's first line, and those that go on with it.
 *
 * @param {string} session
 */
function commandOf(session) {
  const [first, ...rest] = session.split("\n");
  const end = rest.findIndex((line) => !line.startsWith(">"));
  return [first, ...rest.slice(0, end === -1 ? rest.length : end)].join("\n");
}
