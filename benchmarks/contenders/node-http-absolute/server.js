// bare node:http that also answers a target in absolute-form, as every server
// has to (RFC 9112, section 3.2.2).
import { server } from "../node-http/server.js";

server.prependListener("request", (req) => {
  const { url } = req;
  if (url.startsWith("http://")) req.url = url.slice(url.indexOf("/", "http://".length));
});
