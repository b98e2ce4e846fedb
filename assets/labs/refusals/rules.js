/**
 * The rule behind each refusal, by the sentence that the milestone's parser
 * refuses with. tests/site/labs/refusals.js names a sentence that has no rule
 * here.
 *
 * @typedef {object} Rule
 * @property {number} rfc
 * @property {string} section
 * @property {string} says
 * @property {string} [limit] its name in limits.js
 */

const smuggling = "a message with both may be an attempt at smuggling, and is an error";
const hosts = "a request of HTTP/1.1 has one Host line with a valid value, or is a 400";
const tooManyFields = "a server may refuse fields that are too large";
const requestLine = "a request line is a method, a space, a target, a space, and the version";
const methods = "a method is a token, and one that a server doesn't know is a 501";
const targets = "a target is a path, a whole address, or the asterisk of OPTIONS";
const chunks = "a chunk is its size in hexadecimal, CR LF, as many bytes, CR LF";
const lastCoding = "without chunked as the last coding of a request nobody knows its end";

/** @type {Record<string, Rule>} */
export const rules = {
  "both a length and a transfer coding": { rfc: 9112, section: "6.3", says: smuggling },
  "HTTP/1.0 has no transfer codings": {
    rfc: 9112,
    section: "6.1",
    says: "such a message has to be taken for one with a faulty end",
  },
  "Content-Length is one decimal number": {
    rfc: 9112,
    section: "6.3",
    says: "an invalid Content-Length is a 400, and one length said twice may be",
  },
  "the last transfer coding is chunked, once": { rfc: 9112, section: "6.3", says: lastCoding },
  "chunked is the only transfer coding here": {
    rfc: 9112,
    section: "6.1",
    says: "a transfer coding that a server doesn't understand is a 501",
  },
  "a chunk has a size, and extensions": { rfc: 9112, section: "7.1", says: chunks },
  "a chunk does not end where its size says": { rfc: 9112, section: "7.1", says: chunks },
  "the line of a chunk is too long": {
    rfc: 9112,
    section: "7.1.1",
    says: "a recipient ought to limit the length of chunk extensions",
  },
  "the lines of the chunks are too long": {
    rfc: 9112,
    section: "7.1.1",
    says: "a recipient ought to limit the length of chunk extensions",
    limit: "fieldSectionBytes",
  },
  "a line ends in CR and LF": {
    rfc: 9112,
    section: "2.2",
    says: "lines end in CR LF; a server may take an LF alone, and this one doesn't",
  },
  "the request line is too long": {
    rfc: 9112,
    section: "3",
    says: "a target longer than a server wants to read is a 414",
    limit: "requestLineBytes",
  },
  "the fields are too long": {
    rfc: 6585,
    section: "5",
    says: tooManyFields,
    limit: "fieldSectionBytes",
  },
  "there are too many fields": {
    rfc: 6585,
    section: "5",
    says: tooManyFields,
    limit: "fieldCount",
  },
  "the body is too large": {
    rfc: 9110,
    section: "15.5.14",
    says: "a server may refuse a body that is larger than it wants to read",
    limit: "bodyBytes",
  },
  "a request begins with a method": {
    rfc: 9112,
    section: "3",
    says: "a request begins with its method, and a method is a token",
  },
  "a request line ends in HTTP/1.1": { rfc: 9112, section: "3", says: requestLine },
  "a request line has two spaces": { rfc: 9112, section: "3", says: requestLine },
  "this server speaks HTTP/1": {
    rfc: 9110,
    section: "15.6.6",
    says: "another major version is a 505",
  },
  "a method is a token": { rfc: 9110, section: "9.1", says: methods },
  "this server does not know the method": { rfc: 9110, section: "9.1", says: methods },
  "a target is visible ASCII without #": { rfc: 9112, section: "3.2", says: targets },
  "a target begins with a slash": { rfc: 9112, section: "3.2", says: targets },
  "a field line is a name, a colon, a value": {
    rfc: 9112,
    section: "5.1",
    says: "no space stands before the colon, and a request that has one is a 400",
  },
  "a control character in a field value": {
    rfc: 9110,
    section: "5.5",
    says: "a value has no CR, LF or NUL in it, and we take no other control character",
  },
  "a request names its Host": { rfc: 9112, section: "3.2", says: hosts },
  "a host is one name, perhaps with a port": { rfc: 9112, section: "3.2", says: hosts },
  "only 100-continue can be expected": {
    rfc: 9110,
    section: "10.1.1",
    says: "an expectation that a server can't meet is a 417",
  },
};

/** @type {Record<number, string>} */
export const reasonPhrases = {
  400: "Bad Request",
  413: "Payload Too Large",
  414: "URI Too Long",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
  501: "Not Implemented",
  505: "HTTP Version Not Supported",
};

/** @param {Rule} rule */
export function addressOf({ rfc, section }) {
  return `https://www.rfc-editor.org/rfc/rfc${rfc}.html#section-${section}`;
}
