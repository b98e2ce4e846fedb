/**
 * What a lab begins with. A chapter has it in its place by a comment of its
 * own: `<!-- lab: radix-tree -->`.
 *
 * @typedef {object} Example
 * @property {string} milestone the folder in code/ whose files the lab runs
 * @property {string} title
 * @property {string[]} routes as `GET /users/:id`
 * @property {string} suggestion a pattern to add
 * @property {string} path one to ask for
 */

/** @type {Record<string, Example>} */
export const examples = {
  "radix-tree": {
    milestone: "ch08-the-radix-tree",
    title: "The tree of velocy 0.8.0",
    routes: ["GET /users/me", "GET /things", "GET /users/me/posts"],
    suggestion: "/users",
    path: "/users/me/posts",
  },
  explain: {
    milestone: "ch09-parameters-and-wildcards",
    title: "The tree of velocy 0.9.0",
    routes: [
      "GET /users/:id",
      "GET /users/me",
      "GET /users/mia",
      "GET /users/:user/posts",
      "GET /files/*path",
      "POST /files/*path",
    ],
    suggestion: "/users/*rest",
    path: "/users/max",
  },
};

/** The milestone's files that a lab asks for by name, in its lib/. */
export const modules = ["judge.js", "match.js", "print.js", "route.js", "router.js"];
