/**
 * Reads responses, and forgives nothing. It shares no code with the servers
 * that it judges: a mistake in their parser must not hide itself here.
 */

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) ([\t\x20-\x7e\x80-\xff]*)$/;
const FIELD_LINE =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*((?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)[\t ]*$/;

/**
 * @typedef {object} Response
 * @property {number} status
 * @property {string} reason
 * @property {Map<string, string[]>} fields by lower-case name
 * @property {Buffer} body
 * @property {"length" | "chunked" | "close" | "none"} framing what told
 *   where the body ends
 */

/** The server sent something that is not an HTTP/1.1 response. */
export class ResponseError extends Error {
  name = "ResponseError";
}

export class ResponseReader {
  /** @type {Response[]} */
  responses = [];
  /** @type {ResponseError | undefined} */
  error;

  #bytes = Buffer.alloc(0);
  /** @type {Response | undefined} */
  #unfinished;
  #isAnswerToHead;

  /**
   * @param {(index: number) => boolean} isAnswerToHead whether the final
   *   response of this index answers a HEAD request, and has no body
   */
  constructor(isAnswerToHead = () => false) {
    this.#isAnswerToHead = isAnswerToHead;
  }

  /** What has arrived and is no complete response (yet). */
  get rest() {
    return this.#bytes;
  }

  /** The responses without the 1xx ones. */
  get finalResponses() {
    return this.responses.filter(({ status }) => status >= 200);
  }

  /** @param {Uint8Array} bytes */
  push(bytes) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    this.#guarded(() => {
      while (this.#readResponse());
    });
  }

  /** The server has closed: what is unfinished now stays so. */
  end() {
    this.#guarded(() => {
      const response = this.#unfinished;
      if (response?.framing === "close") {
        response.body = this.#take(this.#bytes.length);
        this.#finish(response);
      } else if (response !== undefined || this.#bytes.length > 0) {
        throw new ResponseError("the connection closed inside a response");
      }
    });
  }

  /** @param {() => void} read */
  #guarded(read) {
    if (this.error) return;
    try {
      read();
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      this.error = error;
    }
  }

  /** @returns {boolean} whether a response was completed */
  #readResponse() {
    this.#unfinished ??= this.#readHead();
    const response = this.#unfinished;
    if (response === undefined) return false;
    const body = this.#readBody(response);
    if (body === undefined) return false;
    response.body = body;
    this.#finish(response);
    return true;
  }

  /** @param {Response} response complete */
  #finish(response) {
    this.#unfinished = undefined;
    this.responses.push(response);
  }

  /** @returns {Response | undefined} */
  #readHead() {
    const end = this.#bytes.indexOf("\r\n\r\n");
    if (end === -1) {
      if (!couldBeStatusLine(this.#bytes)) {
        throw new ResponseError("this does not begin a response");
      }
      return undefined;
    }
    const [statusLine, ...fieldLines] = this.#take(end + 4)
      .toString("latin1", 0, end)
      .split("\r\n");
    const match = STATUS_LINE.exec(statusLine);
    if (!match) {
      throw new ResponseError(
        `no status line: ${JSON.stringify(statusLine)}`,
      );
    }
    /** @type {Response} */
    const response = {
      status: Number(match[1]),
      reason: match[2],
      fields: readFields(fieldLines),
      body: Buffer.alloc(0),
      framing: "none",
    };
    response.framing = this.#framingOf(response);
    return response;
  }

  /**
   * RFC 9112, section 6.3.
   *
   * @param {Response} response
   * @returns {Response["framing"]}
   */
  #framingOf({ status, fields }) {
    const length = fields.get("content-length");
    const coding = fields.get("transfer-encoding");
    if (length && coding) {
      throw new ResponseError("both Content-Length and Transfer-Encoding");
    }
    if (length && !(length.length === 1 && /^\d+$/.test(length[0]))) {
      throw new ResponseError(`Content-Length is ${length.join(" and ")}`);
    }
    if (coding && coding.join() !== "chunked") {
      throw new ResponseError(`Transfer-Encoding is ${coding.join(", ")}`);
    }
    const bodiless = status < 200 || status === 204 || status === 304;
    if (bodiless && (length || coding) && status !== 304) {
      throw new ResponseError(`a body announced with status ${status}`);
    }
    if (bodiless || this.#isAnswerToHead(this.finalResponses.length)) {
      return "none";
    }
    if (length) return "length";
    return coding ? "chunked" : "close";
  }

  /**
   * @param {Response} response
   * @returns {Buffer | undefined} undefined as long as it isn't all there
   */
  #readBody({ framing, fields }) {
    switch (framing) {
      case "none":
        return Buffer.alloc(0);
      case "close":
        return undefined;
      case "chunked":
        return this.#readChunks();
      case "length": {
        const length = Number(fields.get("content-length")?.[0]);
        return this.#bytes.length < length ? undefined : this.#take(length);
      }
    }
  }

  /** @returns {Buffer | undefined} */
  #readChunks() {
    const chunks = [];
    for (let at = 0; ; ) {
      const lineEnd = this.#bytes.indexOf("\r\n", at);
      if (lineEnd === -1) return undefined;
      const line = this.#bytes.toString("latin1", at, lineEnd);
      if (!/^[\da-f]+$/i.test(line)) {
        throw new ResponseError(`no chunk size: ${JSON.stringify(line)}`);
      }
      const size = Number.parseInt(line, 16);
      const dataEnd = lineEnd + 2 + size;
      if (this.#bytes.length < dataEnd + 2) return undefined;
      if (this.#bytes.toString("latin1", dataEnd, dataEnd + 2) !== "\r\n") {
        throw new ResponseError("a chunk that does not end in CRLF");
      }
      chunks.push(this.#bytes.subarray(lineEnd + 2, dataEnd));
      at = dataEnd + 2;
      if (size === 0) {
        this.#take(at);
        return Buffer.concat(chunks);
      }
    }
  }

  /** @param {number} length */
  #take(length) {
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }
}

/** @param {Buffer} bytes */
function couldBeStatusLine(bytes) {
  const expected = "HTTP/1.1 ";
  const begin = bytes.toString("latin1", 0, expected.length);
  return expected.startsWith(begin);
}

/** @param {string[]} lines */
function readFields(lines) {
  /** @type {Map<string, string[]>} */
  const fields = new Map();
  for (const line of lines) {
    const match = FIELD_LINE.exec(line);
    if (!match) {
      throw new ResponseError(`no field line: ${JSON.stringify(line)}`);
    }
    const name = match[1].toLowerCase();
    fields.set(name, [...(fields.get(name) ?? []), match[2]]);
  }
  return fields;
}
