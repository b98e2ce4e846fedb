/**
 * Which middleware runs for which request: `[method, target, ran, status]`,
 * where `ran` are the paths of the middleware that ran, from the outside in.
 *
 * The rule, in one sentence: middleware at a path runs for that path and all
 * that lies below it, at segment boundaries, whatever route answers and also
 * where none does.
 *
 * @typedef {object} GuardGroup
 * @property {string} name
 * @property {object} [options] of the router
 * @property {string[]} guards
 * @property {string[]} routes `GET /path`
 * @property {[method: string, target: string, ran: string[], status: number][]} asked
 */

/** @type {GuardGroup[]} */
export const GUARD_GROUPS = [
  {
    name: "a path, and what lies below it (RFC 3986, section 3.3)",
    guards: ["/admin"],
    routes: ["GET /admin", "GET /admin/", "GET /admin/users", "GET /*"],
    asked: [
      ["GET", "/admin", ["/admin"], 200],
      ["GET", "/admin/", ["/admin"], 200],
      ["GET", "/admin/users", ["/admin"], 200],
      ["GET", "/admin/nobody/knows", ["/admin"], 200],
      ["GET", "/admin?x=/public", ["/admin"], 200],
      ["GET", "/administrator", [], 200],
      ["GET", "/admin.html", [], 200],
      ["GET", "/admin;x", [], 200],
      ["GET", "/adm", [], 200],
      ["GET", "/x/admin", [], 200],
      ["GET", "/", [], 200],
    ],
  },
  {
    name: "a slash at the end of the middleware's path says nothing",
    guards: ["/admin/"],
    routes: ["GET /admin", "GET /admin/", "GET /admin/users"],
    asked: [
      ["GET", "/admin", ["/admin/"], 200],
      ["GET", "/admin/", ["/admin/"], 200],
      ["GET", "/admin/users", ["/admin/"], 200],
      ["GET", "/adminx", [], 404],
    ],
  },
  {
    name: "a path without a route (RFC 9110, sections 9.3 and 15.5.6)",
    guards: ["/", "/admin"],
    routes: ["GET /admin/users", "POST /form"],
    asked: [
      ["GET", "/admin/nothing", ["/", "/admin"], 404],
      ["GET", "/admin", ["/", "/admin"], 404],
      ["GET", "/nothing", ["/"], 404],
      ["DELETE", "/admin/users", ["/", "/admin"], 405],
      ["OPTIONS", "/admin/users", ["/", "/admin"], 204],
      ["HEAD", "/admin/users", ["/", "/admin"], 200],
      ["PUT", "/form", ["/"], 405],
    ],
  },
  {
    name: "no path, no middleware (RFC 9112, section 3.2)",
    guards: ["/", "/admin"],
    routes: ["GET /admin"],
    asked: [
      ["GET", "/admin/../admin", [], 400],
      ["GET", "//admin", [], 400],
      ["GET", "/%zz", [], 400],
      ["OPTIONS", "*", [], 204],
    ],
  },
  {
    name: "the root is above everything",
    guards: ["/"],
    routes: ["GET /", "GET /a/b"],
    asked: [
      ["GET", "/", ["/"], 200],
      ["GET", "/a/b", ["/"], 200],
      ["GET", "/c", ["/"], 404],
    ],
  },
  {
    name: "the order is by depth",
    guards: ["/a/b", "/a", "/"],
    routes: ["GET /a/b/c"],
    asked: [
      ["GET", "/a/b/c", ["/", "/a", "/a/b"], 200],
      ["GET", "/a/x", ["/", "/a"], 404],
    ],
  },
  {
    name: "a parameter's path guards a static route",
    guards: ["/users/:id"],
    routes: [
      "GET /users/me",
      "GET /users",
      "GET /users/",
      "GET /users/me/x",
    ],
    asked: [
      ["GET", "/users/me", ["/users/:id"], 200],
      ["GET", "/users/me/x", ["/users/:id"], 200],
      ["GET", "/users/7", ["/users/:id"], 404],
      ["GET", "/users", [], 200],
      ["GET", "/users/", [], 200],
    ],
  },
  {
    // An escaped slash is part of a segment (RFC 3986, section 2.2).
    name: "a static path guards a parameter's route, for that value only",
    guards: ["/users/me"],
    routes: ["GET /users/:id", "GET /users/:id/posts"],
    asked: [
      ["GET", "/users/me", ["/users/me"], 200],
      ["GET", "/users/%6De", ["/users/me"], 200],
      ["GET", "/users/me/posts", ["/users/me"], 200],
      ["GET", "/users/7", [], 200],
      ["GET", "/users/meme", [], 200],
      ["GET", "/users/me%2Fposts", [], 200],
    ],
  },
  {
    name: "a path inside a wildcard's",
    guards: ["/static/private"],
    routes: ["GET /static/*", "GET /*"],
    asked: [
      ["GET", "/static/private/x", ["/static/private"], 200],
      ["GET", "/static/private", ["/static/private"], 200],
      ["GET", "/static/priv%61te/x", ["/static/private"], 200],
      ["GET", "/static/public/x", [], 200],
      ["GET", "/static/privateer", [], 200],
      ["GET", "/static/", [], 200],
      ["GET", "/static", [], 200],
    ],
  },
  {
    name: "a parameter inside a wildcard's, which may be empty",
    guards: ["/static/:folder"],
    routes: ["GET /static/*"],
    asked: [
      ["GET", "/static/", [], 200],
      ["GET", "/static/a", ["/static/:folder"], 200],
      ["GET", "/static/a/b", ["/static/:folder"], 200],
    ],
  },
  {
    name: "all ways through the tree count, and not the one to the route",
    guards: ["/:a/b", "/a/:b", "/a/b", "/:x/:y"],
    routes: ["GET /a/:any", "GET /*"],
    asked: [
      ["GET", "/a/b", ["/:a/b", "/a/:b", "/a/b", "/:x/:y"], 200],
      ["GET", "/a/c", ["/a/:b", "/:x/:y"], 200],
      ["GET", "/c/b/d", ["/:a/b", "/:x/:y"], 200],
      ["GET", "/c", [], 200],
    ],
  },
  {
    name: "text that other paths share",
    guards: ["/ab", "/abc/d", "/a"],
    routes: ["GET /abc/de", "GET /ab/c", "GET /abc"],
    asked: [
      ["GET", "/ab/c", ["/ab"], 200],
      ["GET", "/abc", [], 200],
      ["GET", "/abc/de", [], 200],
      ["GET", "/abc/d", ["/abc/d"], 404],
      ["GET", "/a/bc", ["/a"], 404],
    ],
  },
  {
    name: "a path in any spelling, and in UTF-8 (RFC 3986, section 2.3)",
    guards: ["/café", "/%61dmin"],
    routes: ["GET /*"],
    asked: [
      ["GET", "/caf%C3%A9/x", ["/café"], 200],
      ["GET", "/%63af%c3%a9", ["/café"], 200],
      ["GET", "/cafe", [], 200],
      ["GET", "/admin", ["/%61dmin"], 200],
      ["GET", "/%2561dmin", [], 200],
    ],
  },
  {
    name: "case counts, unless told not to (RFC 3986, section 6.2.2.1)",
    guards: ["/admin"],
    routes: ["GET /*"],
    asked: [
      ["GET", "/Admin", [], 200],
      ["GET", "/%41DMIN/x", [], 200],
    ],
  },
  {
    name: "where case is ignored, it is for middleware too",
    options: { ignoreCase: true },
    guards: ["/admin", "/Users/:id"],
    routes: ["GET /*", "GET /users/ME"],
    asked: [
      ["GET", "/Admin", ["/admin"], 200],
      ["GET", "/%41DMIN/x", ["/admin"], 200],
      ["GET", "/users/me", ["/Users/:id"], 200],
      ["GET", "/administrator", [], 200],
    ],
  },
  {
    name: "where a slash at the end is ignored, it is for middleware too",
    options: { ignoreTrailingSlash: true },
    guards: ["/admin", "/files/:name"],
    routes: ["GET /admin", "GET /files/*", "GET /"],
    asked: [
      ["GET", "/admin", ["/admin"], 200],
      ["GET", "/admin/", ["/admin"], 200],
      ["GET", "/admin/x/", ["/admin"], 404],
      ["GET", "/files/a/", ["/files/:name"], 200],
      ["GET", "/", [], 200],
    ],
  },
];
