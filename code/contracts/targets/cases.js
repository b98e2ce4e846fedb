/**
 * Request targets that try to mean two things, and the one thing that each
 * means: `[target, statusCode, path]`, where `path` is canonical, or what
 * else is said about it.
 *
 * The server under test has the route `GET /admin` and, for everything
 * else, `GET /*`. Chapter 10 has the rules.
 *
 * @typedef {object} TargetGroup
 * @property {string} name
 * @property {string} [method] GET if not given
 * @property {string} [host] the Host field: `example.com` if not given
 * @property {[target: string, statusCode: number, path?: string][]} targets
 */

/** @type {TargetGroup[]} */
export const TARGET_GROUPS = [
  {
    name: "a plain path is taken as it is",
    targets: [
      ["/", 200, "/"],
      ["/admin", 200, "/admin"],
      ["/admin?x=1", 200, "/admin"],
      ["/admin?", 200, "/admin"],
      ["/a/b/c", 200, "/a/b/c"],
      ["/a.b/~c/-d_e", 200, "/a.b/~c/-d_e"],
      ["/.well-known/x", 200, "/.well-known/x"],
      ["/a/.../b", 200, "/a/.../b"],
      ["/a:b/@c/!$&'()*+,;=", 200, "/a:b/@c/!$&'()*+,;="],
    ],
  },
  {
    name: "an escape means its character",
    targets: [
      ["/%61dmin", 200, "/admin"],
      ["/%61%64%6D%69%6E", 200, "/admin"],
      ["/%61%64%6d%69%6e", 200, "/admin"],
      ["/admi%6E?x", 200, "/admin"],
      ["/a%20b", 200, "/a b"],
      ["/caf%C3%A9", 200, "/café"],
      ["/caf%c3%a9", 200, "/café"],
      ["/%F0%9F%98%80", 200, "/😀"],
      ["/%41dmin", 200, "/Admin"],
      ["/admin%3Fx", 200, "/admin?x"],
      ["/admin%23x", 200, "/admin#x"],
      ["/admin%3Bx", 200, "/admin;x"],
      ["/a+b", 200, "/a+b"],
      ["/a%2Bb", 200, "/a+b"],
    ],
  },
  {
    name: "an escaped slash stays inside its segment",
    targets: [
      ["/a%2Fb", 200, "/a%2Fb"],
      ["/a%2fb", 200, "/a%2Fb"],
      ["/%2Fadmin", 200, "/%2Fadmin"],
      ["/admin%2F", 200, "/admin%2F"],
      ["/x%2F..%2Fadmin", 400],
    ],
  },
  {
    name: "an escape is read once",
    targets: [
      ["/%2561dmin", 200, "/%2561dmin"],
      ["/a%252Fb", 200, "/a%252Fb"],
      ["/100%25", 200, "/100%25"],
      ["/%252e%252e/admin", 200, "/%252e%252e/admin"],
    ],
  },
  {
    name: "a broken escape is refused",
    targets: [
      ["/%", 400],
      ["/%4", 400],
      ["/%zz", 400],
      ["/a%2", 400],
      ["/%u0061dmin", 400],
      ["/%ff", 400],
      ["/%c0%af", 400],
      ["/%e0%80%af", 400],
      ["/%ed%a0%80", 400],
      ["/%C3", 400],
      ["/%f8%88%80%80%80", 400],
    ],
  },
  {
    name: "a dot segment is refused",
    targets: [
      ["/.", 400],
      ["/..", 400],
      ["/./admin", 400],
      ["/admin/.", 400],
      ["/x/../admin", 400],
      ["/x/..", 400],
      ["/../../etc/passwd", 400],
      ["/x/%2e%2e/admin", 400],
      ["/x/.%2E/admin", 400],
      ["/%2e/admin", 400],
      ["/x/..?y", 400],
      ["/..%2Fadmin", 400],
      ["/x%5C..%5Cadmin", 400],
      ["/%2e%2e%2fadmin", 400],
    ],
  },
  {
    name: "the examples of chapter 10's table that stand nowhere else",
    targets: [
      ["/a/../b", 400],
      ["/a/%2e%2e/b", 400],
      ["/a//b", 400],
      ["/users/", 200, "/users/"],
      ["/a\\b", 400],
      ["/a%5Cb", 200, "/a\\b"],
      ["/..%2Fa", 400],
      ["/..%5Ca", 400],
      ["/a%00b", 400],
      ["/a%C2%85b", 400],
      ["/a%E2%80%A8b", 400],
      ["/a%E2%80%AEb", 200],
      ["/%C3%A9", 200, "/\u00e9"],
      ["/e%CC%81", 200, "/e\u0301"],
      ["/a#b", 400],
      ["/a?q=\u00e9", 400],
    ],
  },
  {
    name: "an empty segment is refused",
    targets: [
      ["//", 400],
      ["//admin", 400],
      ["/x//admin", 400],
      ["/admin//", 400],
      ["//evil.example/admin", 400],
      ["///", 400],
    ],
  },
  {
    name: "a slash at the end matters, and so does case",
    targets: [
      ["/admin/", 200, "/admin/"],
      ["/Admin", 200, "/Admin"],
      ["/ADMIN", 200, "/ADMIN"],
      ["/admin;x=1", 200, "/admin;x=1"],
      ["/admin.", 200, "/admin."],
      ["/admin%20", 200, "/admin "],
    ],
  },
  {
    name: "a character that no path has is refused",
    targets: [
      ["/\\admin", 400],
      ["/x\\..\\admin", 400],
      ["/admin#x", 400],
      ["/admin?x#y", 400],
      ["/admin\u00e9", 400],
      ["/a\tb", 400],
      ["/admin\0", 400],
      ["/admin%00", 400],
      ["/admin%0d%0aX:y", 400],
      ["/admin%7f", 400],
      ["/admin%C2%80", 400],
      ["/admin%C2%9F", 400],
      ["/admin%C2%A0", 200, "/admin\u00a0"],
      ["/admin%E2%80%A9", 400],
    ],
  },
  {
    name: "an absolute target says the same with more words",
    targets: [
      ["http://example.com/admin", 200, "/admin"],
      ["HTTP://example.com/admin", 200, "/admin"],
      ["https://example.com/admin?x=1", 200, "/admin"],
      ["http://EXAMPLE.com/admin", 200, "/admin"],
      ["http://example.com", 200, "/"],
      ["http://example.com/", 200, "/"],
      ["http://example.com?x=/admin", 200, "/"],
      ["http://example.com/%61dmin", 200, "/admin"],
      ["http://example.com//admin", 400],
      ["http://example.com/x/../admin", 400],
      ["http://other.example/admin", 400],
      ["http://user@example.com/admin", 400],
      ["http:///admin", 400],
      ["http://", 400],
      ["ftp://example.com/admin", 400],
      ["example.com/admin", 400],
      ["admin", 400],
      ["?x", 400],
    ],
  },
  {
    name: "an absolute target has a host (RFC 9110, section 4.2.1)",
    host: ":80",
    targets: [
      ["http://:80", 400],
      ["http://:80/admin", 400],
      ["https://:80/admin?x", 400],
    ],
  },
  {
    name: "an asterisk is for OPTIONS only",
    targets: [
      ["*", 400],
      ["/*", 200, "/*"],
    ],
  },
  {
    name: "OPTIONS may ask for the whole server",
    method: "OPTIONS",
    targets: [
      ["*", 204],
      ["/admin", 204],
      ["**", 400],
    ],
  },
];
