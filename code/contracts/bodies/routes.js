import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A schema by hand: an age, and what follows from it. */
const person = {
  "~standard": {
    version: /** @type {const} */ (1),
    vendor: "by hand",
    validate: (/** @type {any} */ value) => {
      if (typeof value?.age === "number") {
        return { value: { ...value, isAdult: value.age >= 18 } };
      }
      const path = ["person", { key: "a/ge" }];
      return { issues: [{ message: "must be a number", path }] };
    },
  },
};

const later = {
  "~standard": {
    ...person["~standard"],
    validate: async (/** @type {any} */ value) => {
      await new Promise(setImmediate);
      return person["~standard"].validate(value);
    },
  },
};

/** Takes bytes and forgets them. */
function sink() {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/**
 * The routes that the cases ask.
 *
 * @param {any} router
 */
export function addRoutes(router) {
  const ten = { bodyBytes: 10 };
  const text = (/** @type {any} */ req) => req.text();
  const length = async (/** @type {any} */ req) =>
    String((await req.bytes()).length);
  router.post("/text", text);
  router.post("/length", length);
  router.post("/json", async (/** @type {any} */ req) =>
    JSON.stringify(await req.json()),
  );
  router.post("/form", async (/** @type {any} */ req) => [
    ...(await req.form()),
  ]);
  router.post("/ten/text", ten, text);
  router.post("/ten/none", ten, () => "nobody has read it");
  router.post(
    "/ten/events",
    ten,
    (/** @type {any} */ req, /** @type {any} */ res) => {
      let bytes = 0;
      req.on("data", (/** @type {Buffer} */ chunk) => {
        bytes += chunk.length;
      });
      req.on("end", () => res.end(`${bytes}`));
    },
  );
  router.post("/ten/loop", ten, async (/** @type {any} */ req) => {
    for await (const chunk of req) chunk.at(0);
    return "read";
  });
  router.post("/ten/pipeline", ten, async (/** @type {any} */ req) => {
    await pipeline(req, sink());
    return "read";
  });
  router.post("/any/length", { bodyBytes: Infinity }, length);
  const packed = { decompress: true, bodyBytes: 50_000 };
  router.post("/packed", packed, (/** @type {any} */ req) => req.json());
  for (const [path, body] of Object.entries({
    "/schema": person,
    "/schema/later": later,
  })) {
    router.post(path, { body }, async (/** @type {any} */ req) =>
      req.json(),
    );
  }
}
