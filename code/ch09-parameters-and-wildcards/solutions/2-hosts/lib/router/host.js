const HOST_PATTERN = /^\/\/([^/]+)(\/.*)$/s;

// Parts a pattern's host from its path: `//api.example.org/users/:id`.
export function splitHost(pattern) {
  const match = HOST_PATTERN.exec(
    typeof pattern === "string" ? pattern : "",
  );
  if (match === null) return { host: null, path: pattern };
  const [, host, path] = match;
  return { host: hostName(host), path };
}

// A Host field's name: without a port, in small letters.
export function hostName(host) {
  return host.replace(/:\d*$/, "").toLowerCase();
}
