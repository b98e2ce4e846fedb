/** How often something that takes long says so where there is no terminal. */
const INTERVAL = 20_000;

/** @typedef {ReturnType<typeof startProgress>} Progress */

/**
 * Says what is being done: on a terminal in one line that changes, elsewhere
 * now and then in a line of its own.
 *
 * @param {string} [title]  said at the start
 */
export function startProgress(title) {
  const isTerminal = process.stdout.isTTY;
  const start = performance.now();
  let status = "";
  if (title) console.log(title);
  const timer = setInterval(
    () => {
      const seconds = `${Math.round((performance.now() - start) / 1000)} s`;
      const line = `  ${seconds}  ${status}`;
      if (isTerminal) process.stdout.write(`\r\x1b[K${line.slice(0, process.stdout.columns - 1)}`);
      else console.log(line);
    },
    isTerminal ? 250 : INTERVAL,
  );
  return {
    /** @param {string} what  that is being done now */
    report: (what) => {
      status = what;
    },
    /** @param {string} text  a line of its own */
    say: (text) => {
      if (isTerminal) process.stdout.write("\r\x1b[K");
      console.log(text);
    },
    end: () => {
      clearInterval(timer);
      if (isTerminal) process.stdout.write("\r\x1b[K");
    },
  };
}
