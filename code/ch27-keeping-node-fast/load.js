import { Agent, get } from "node:http";

/**
 * Keeps every connection busy: as soon as an answer has come, it asks again.
 *
 * @param {string} url
 * @param {object} [options]
 * @param {number} [options.connections]
 * @param {number} [options.seconds]
 * @param {boolean} [options.remembers] sends the tag of the last answer
 * @param {(status: number) => void} [options.onAnswer]
 * @returns {Promise<Record<string, number>>} how many answers, by status
 */
export async function load(url, options = {}) {
  const { connections = 100, seconds = 8, onAnswer = () => {} } = options;
  const agent = new Agent({ keepAlive: true });
  const counts = {};
  let tag;
  let isOver = false;

  function ask() {
    const isKnown = options.remembers && tag !== undefined;
    const headers = isKnown ? { "if-none-match": tag } : {};
    return new Promise((resolve, reject) => {
      const req = get(url, { agent, headers }, (res) => {
        tag = res.headers.etag;
        res.on("end", () => resolve(res.statusCode));
        res.on("error", reject);
        res.resume();
      });
      req.on("error", (err) => {
        // The server may just have closed it: RFC 9110, section 9.2.2.
        if (req.reusedSocket && !isOver) resolve(ask());
        else reject(err);
      });
    });
  }

  async function askAgainAndAgain() {
    while (!isOver) {
      const status = await ask();
      if (isOver) return;
      counts[status] = (counts[status] ?? 0) + 1;
      onAnswer(status);
    }
  }

  const timer = setTimeout(() => {
    isOver = true;
    agent.destroy();
  }, seconds * 1000);
  try {
    await Promise.all(
      Array.from({ length: connections }, askAgainAndAgain),
    );
  } catch (err) {
    // What is under way at the end is cut, and no failure.
    if (!isOver) throw err;
  } finally {
    isOver = true;
    clearTimeout(timer);
    agent.destroy();
  }
  return counts;
}

/**
 * What was answered, with a loud word if it isn't the content.
 *
 * @param {Record<string, number>} counts by status
 */
export function statusesOf(counts) {
  const statuses = Object.keys(counts);
  const others = statuses.filter((each) => !/^(200|304)$/.test(each));
  const isContent = statuses.length > 0 && others.length === 0;
  const words = statuses.join(", ") || "nothing";
  return isContent ? words : `${words} (LOOK: NOT ONLY 200 AND 304)`;
}
