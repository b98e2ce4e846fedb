import { once } from "node:events";
import { describe } from "node:test";
import { portOf } from "../../contracts/router/ask.js";
import { askedByTarget, testRouter } from "../../contracts/router/index.js";
import { testServer } from "../../contracts/router/server.js";
import { testTargets } from "../../contracts/targets/index.js";
import { createServer, Router } from "../index.js";

describe("What we have", () => {
  testRouter({
    name: "velocy 0.11.0",
    can: [
      "head",
      "all",
      "allowedMethods",
      "errors",
      "questions",
      "conflicts",
      "onlyPaths",
      "parameters",
      "wildcards",
      "namedWildcards",
      "backtracking",
      "ownNames",
      "anyName",
      "text",
      "escapes",
      "ignoreCase",
      "ignoreTrailingSlash",
    ],
    create: (options) => askedByTarget(new Router(options)),
  });

  testServer({
    Router,
    createServer,
    can: ["onError", "parameters", "queryParams"],
  });

  testTargets(async (routes) => {
    const router = new Router();
    for (const { pattern, handler } of routes) router.get(pattern, handler);
    const server = createServer(router).listen(0, "127.0.0.1");
    await once(server, "listening");
    return { port: portOf(server), close: () => server.close() };
  });
});
