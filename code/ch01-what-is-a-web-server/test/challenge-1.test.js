import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Program } from "../../contracts/program.js";
import { Visitor } from "../../contracts/visitor.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

describe("Challenges", { skip }, () => {
  /** @type {Program} */
  let server;
  before(async () => {
    server = await Program.start(new URL("..", import.meta.url));
  });
  after(() => server?.close());

  it("counts its visitors, and says so in the page", async () => {
    for (let visit = 1; visit <= 12; visit++) {
      const { page } = await visitPage();
      const [heading] = /<h1>.*<\/h1>/.exec(page) ?? [];
      assert.equal(heading, `<h1>Visit № ${visit}</h1>`);
    }
  });

  it("says that the page is HTML, and in which charset", async () => {
    const { fields } = await visitPage();
    const type = /^content-type: *(.*)$/im.exec(fields)?.[1];
    assert.equal(type?.toLowerCase(), "text/html; charset=utf-8");
  });

  it("says how many bytes the page has", async () => {
    const { fields, page } = await visitPage();
    const length = /^content-length: *(.*)$/im.exec(fields)?.[1];
    assert.equal(length, String(Buffer.byteLength(page)));
  });

  it("gives two who come at the same time two numbers", async () => {
    const pages = await Promise.all([visitPage(), visitPage()]);
    const numbers = pages.map(({ page }) => /№ (\d+)/.exec(page)?.[1]);
    assert.notEqual(numbers[0], numbers[1]);
  });

  /** Asks for the page, and takes all that comes for it. */
  async function visitPage() {
    const visitor = await Visitor.connect(server);
    await visitor.send(REQUEST);
    await visitor.end();
    const text = visitor.bytes.toString();
    const headEnd = text.indexOf("\r\n\r\n");
    return {
      fields: text.slice(0, headEnd),
      page: text.slice(headEnd + 4),
    };
  }
});
