/**
 * What the suites send beside the plain GET: each once, for the generator and
 * for the contract.
 */

/** What a browser sends beside Host, for a request from a page's script. */
export const browserFields = [
  "Connection: keep-alive",
  "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  "Accept: application/json",
  "Accept-Language: en-US,en;q=0.5",
  "Accept-Encoding: gzip, deflate, br, zstd",
  "Referer: http://localhost:3000/users/testing",
  "Cookie: session=3f1c9a0e5b7d4c2f8a6e; theme=dark",
  "Sec-Fetch-Dest: empty",
  "Sec-Fetch-Mode: cors",
  "Sec-Fetch-Site: same-origin",
];

/** A small object, as a page's script would post it. */
export const jsonBody = JSON.stringify({
  name: "testing",
  id: "10",
  tags: ["small", "posted"],
  count: 3,
  isOpen: true,
  at: "2026-11-22T06:45:00.000Z",
});

export const jsonFields = ["Content-Type: application/json"];
