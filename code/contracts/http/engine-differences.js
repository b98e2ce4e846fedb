/**
 * The cases of the contract that the engine ends otherwise than node:http.
 * The test fails for one that is missing here, and for one too many.
 *
 * @type {import("./engine.js").Row[]}
 */
export const DIFFERENCES = [
  {
    name: "answers a method that it does not know with 501",
    nodeHttp: "400, closes",
    engine: "501, closes",
    reason:
      "a 501 says that the server doesn't know the method, a 400 that the client is wrong",
  },
  {
    name: "takes the case of a method seriously: get is not GET",
    nodeHttp: "400, closes",
    engine: "501, closes",
    reason:
      "a 501 says that the server doesn't know the method, a 400 that the client is wrong",
  },
  {
    name: "finds no method in constructor",
    nodeHttp: "400, closes",
    engine: "501, closes",
    reason:
      "a 501 says that the server doesn't know the method, a 400 that the client is wrong",
  },
  {
    name: "finds no method in __proto__",
    nodeHttp: "400, closes",
    engine: "501, closes",
    reason:
      "a 501 says that the server doesn't know the method, a 400 that the client is wrong",
  },
  {
    name: "treats a later version 1.x as 1.1: the connection stays open",
    nodeHttp: "400, closes",
    engine: "200",
    reason: "what is 1.x is read as 1.1",
  },
  {
    name: "answers version 2.0 with 505",
    nodeHttp: "200, closes",
    engine: "505, closes",
    reason: "in a version other than 1.x, fields may mean anything",
  },
  {
    name: "answers the preface of an HTTP/2 connection with 505",
    nodeHttp: "400, closes",
    engine: "505, closes",
    reason: "in a version other than 1.x, fields may mean anything",
  },
  {
    name: "answers version 0.9 with 505 when a line says so",
    nodeHttp: "200, closes",
    engine: "505, closes",
    reason: "in a version other than 1.x, fields may mean anything",
  },
  {
    name: "looks at the version first: an unknown method in 3.0 is 505",
    nodeHttp: "400, closes",
    engine: "505, closes",
    reason: "in a version other than 1.x, fields may mean anything",
  },
  {
    name: "refuses the request of HTTP/0.9, which has no version",
    nodeHttp: "200, closes",
    engine: "400, closes",
    reason: "every request line names a version",
  },
  {
    name: "refuses two spaces between method and target",
    nodeHttp: "200",
    engine: "400, closes",
    reason:
      "one space parts the three parts of a line; who reads two otherwise reads another target",
  },
  {
    name: "refuses two spaces before the version",
    nodeHttp: "200",
    engine: "400, closes",
    reason:
      "one space parts the three parts of a line; who reads two otherwise reads another target",
  },
  {
    name: "refuses a CR with anything but an LF behind it",
    nodeHttp: "no answer, waits for more",
    engine: "400, closes",
    reason: "a CR alone ends no line, and nothing that follows can mend it",
  },
  {
    name: "refuses an absolute-form of another scheme",
    nodeHttp: "200",
    engine: "400, closes",
    reason: "this server answers for http and https alone",
  },
  {
    name: "refuses the asterisk with any other method",
    nodeHttp: "200",
    engine: "400, closes",
    reason: "a target * is for OPTIONS, and is all of the target",
  },
  {
    name: "refuses a path of OPTIONS that only begins with an asterisk",
    nodeHttp: "200",
    engine: "400, closes",
    reason: "a target * is for OPTIONS, and is all of the target",
  },
  {
    name: "refuses two Host fields",
    nodeHttp: "200",
    engine: "400, closes",
    reason:
      "of two Hosts, a proxy and the server may each choose a different one",
  },
  {
    name: "refuses two Host fields though they agree",
    nodeHttp: "200",
    engine: "400, closes",
    reason:
      "of two Hosts, a proxy and the server may each choose a different one",
  },
  {
    name: "refuses two Host fields in version 1.0 as well",
    nodeHttp: "200, closes",
    engine: "400, closes",
    reason:
      "of two Hosts, a proxy and the server may each choose a different one",
  },
  {
    name: "refuses two Host fields of which one is empty",
    nodeHttp: "200",
    engine: "400, closes",
    reason:
      "of two Hosts, a proxy and the server may each choose a different one",
  },
  {
    name: "refuses a second empty line before the request line",
    nodeHttp: "200",
    engine: "400, closes",
    reason: "one empty line is forgiven, of CR and LF",
  },
  {
    name: "refuses a bare LF for the empty line before the request line",
    nodeHttp: "200",
    engine: "400, closes",
    reason: "one empty line is forgiven, of CR and LF",
  },
  {
    name: "refuses Transfer-Encoding in version 1.0",
    nodeHttp: "200, closes",
    engine: "400, closes",
    reason:
      "its sender can't know chunks, so where the body ends is in doubt",
  },
  {
    name: "answers a coding that it cannot undo with 501",
    nodeHttp: "200",
    engine: "501, closes",
    reason: "a handler would get bytes that are still coded",
  },
  {
    name: "answers codings on two lines as on one",
    nodeHttp: "200",
    engine: "501, closes",
    reason: "a handler would get bytes that are still coded",
  },
  {
    name: "passes over empty members in the list of codings",
    nodeHttp: "400, closes",
    engine: "200",
    reason: "empty members of a list count for nothing",
  },
  {
    name: "lets no trailer change what the head has said",
    nodeHttp: "400, closes",
    engine: "200",
    reason:
      "trailers are kept apart from the head, so their names do no harm",
  },
  {
    name: "refuses chunks that nothing has announced",
    nodeHttp: "400, closes",
    engine: "200, 400, closes",
    reason: "the request before is whole, and is answered first",
  },
  {
    name: "takes an extension's bad white space out",
    nodeHttp: "400, closes",
    engine: "200",
    reason: "a recipient removes white space around an extension",
  },
  {
    name: "refuses an extension with an equals sign and no value",
    nodeHttp: "200",
    engine: "400, closes",
    reason: "the grammar wants a value after the equals sign",
  },
  {
    name: "answers nothing behind a request that says close",
    nodeHttp: "400, closes",
    engine: "200, closes",
    reason: "what comes after close isn't read, so it can't be refused",
  },
  {
    name: "answers what comes before a request that says close",
    nodeHttp: "400, closes",
    engine: "200, 200, closes",
    reason: "what comes after close isn't read, so it can't be refused",
  },
  {
    name: "closes when version 1.0 asks for both",
    nodeHttp: "200",
    engine: "200, closes",
    reason: "close is looked at first",
  },
  {
    name: "answers as many requests as it was told, and closes",
    nodeHttp: "200, 200, 503, 503",
    engine: "200, 200, closes",
    reason:
      "the last answer says close, and nothing is carried out behind it",
  },
  {
    name: "answers 417 also when only one of two expectations is known",
    nodeHttp: "100, 200",
    engine: "417",
    reason: "all of what is expected has to be met",
  },
  {
    name: "expects nothing of an empty Expect",
    nodeHttp: "417",
    engine: "200",
    reason: "an empty list has no members",
  },
  {
    name: "takes field lines of 16 KiB in all",
    nodeHttp: "200",
    engine: "431, closes",
    reason:
      "maxHeaderSize counts each byte of a head, its request line too",
  },
  {
    name: "answers field lines of more than 16 KiB with 431",
    nodeHttp: "200",
    engine: "431, closes",
    reason:
      "maxHeaderSize counts each byte of a head, its request line too",
  },
  {
    name: "does not wait for the end of a head that never ends",
    nodeHttp: "no answer, waits for more",
    engine: "431, closes",
    reason:
      "maxHeaderSize counts each byte of a head, its request line too",
  },
  {
    name: "answers a hundred and one field lines with 431",
    nodeHttp: "200",
    engine: "431, closes",
    reason:
      "node:http leaves out the fields beyond maxHeadersCount, and one that matters may be among them",
    only: 20,
  },
  {
    name: "counts lines, not names: the same field too often is 431",
    nodeHttp: "200",
    engine: "431, closes",
    reason:
      "node:http leaves out the fields beyond maxHeadersCount, and one that matters may be among them",
    only: 20,
  },
  {
    name: "answers more trailers than it takes fields with 431",
    nodeHttp: "200",
    engine: "431, closes",
    reason:
      "node:http leaves out the fields beyond maxHeadersCount, and one that matters may be among them",
    only: 20,
  },
  {
    name: "closes a connection that never asks anything, without a word",
    nodeHttp: "408, closes",
    engine: "no answer, closes",
    reason: "who has asked nothing waits for no answer",
  },
  {
    name: "closes after one request where one was the limit",
    nodeHttp: "200, 503",
    engine: "200, closes",
    reason:
      "the last answer says close, and nothing is carried out behind it",
  },
  {
    name: "answers what came before the mistake, and then the mistake",
    nodeHttp: "400, closes",
    engine: "200, 200, 400, closes",
    reason: "the requests before are whole, and are answered first",
  },
  {
    name: "gives a refusal a date and a length",
    nodeHttp:
      "400, closes; its date is absent; its content-length is absent",
    engine: "400, closes",
    reason: "a server with a clock sends a date",
  },
  {
    name: "gives the refusal behind a HEAD its body",
    nodeHttp: "400, closes",
    engine: "200, 400, closes",
    reason: "the requests before are whole, and are answered first",
  },
  {
    name: "closes after a 501, too",
    nodeHttp: "400, closes",
    engine: "501, closes",
    reason:
      "a 501 says that the server doesn't know the method, a 400 that the client is wrong",
  },
  {
    name: "closes after a 505, too",
    nodeHttp: "400, closes",
    engine: "505, closes",
    reason: "in a version other than 1.x, fields may mean anything",
  },
];
