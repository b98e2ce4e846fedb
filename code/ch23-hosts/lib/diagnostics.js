import { channel } from "node:diagnostics_channel";

const start = channel("velocy:request:start");
const route = channel("velocy:request:route");
const error = channel("velocy:request:error");
const end = channel("velocy:request:end");
// node:http tells them of its own servers.
const httpStart = channel("http.server.request.start");
const httpFinish = channel("http.server.response.finish");

export function tellStart(req, res) {
  if (start.hasSubscribers) start.publish({ req, res });
  if (!end.hasSubscribers) return;
  // It comes once, whether the answer was finished or broken off.
  res.once("close", () => end.publish({ req, res }));
}

export function tellRoute(req, res) {
  if (route.hasSubscribers) route.publish({ req, res, route: req.route });
}

export function tellError(req, res, err) {
  if (error.hasSubscribers) error.publish({ req, res, error: err });
}

/** An engine has made a request. */
export function tellRequest(res) {
  if (httpStart.hasSubscribers) tellBy(httpStart, res);
}

/** All of an answer has been given to an engine. */
export function tellFinish(res) {
  if (httpFinish.hasSubscribers && res.isInTurn) tellBy(httpFinish, res);
}

function tellBy(to, response) {
  const { req: request } = response;
  const { socket, server } = request;
  to.publish({ request, response, socket, server });
}
