/**
 * Three libraries' schemas as a route's `body`, which chapter 13 says it takes
 * from any library with Standard Schema.
 */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "../../tools/lib/setup.js";
import { newestVelocy } from "../contracts/newest-velocy.js";
import { serve } from "./serve.js";

/**
 * Of each library a schema for `{ tags: [{ name: string }], size: number }`
 * whose `size` is 10 if it isn't given, and one that answers later, and
 * refuses the name `taken`. ArkType has nothing that answers later.
 *
 * @type {Record<string, (load: any) => { plain: any, later?: any }>}
 */
const LIBRARIES = {
  zod({ z }) {
    const tags = z.array(z.object({ name: z.string() }));
    const isFree = async (/** @type {string} */ name) => name !== "taken";
    return {
      plain: z.object({ tags, size: z.number().default(10) }),
      later: z.object({ name: z.string().refine(isFree, "is taken") }),
    };
  },
  valibot(v) {
    const tags = v.array(v.object({ name: v.string() }));
    const isFree = async (/** @type {string} */ name) => name !== "taken";
    const name = v.pipeAsync(v.string(), v.checkAsync(isFree, "is taken"));
    return {
      plain: v.object({ tags, size: v.optional(v.number(), 10) }),
      later: v.objectAsync({ name }),
    };
  },
  arktype({ type }) {
    const tags = type({ name: "string" }).array();
    return { plain: type({ tags, size: "number = 10" }) };
  },
};

/** @type {[what: string, body: unknown, pointers: string[]][]} */
const REFUSED = [
  ["another kind of value", { tags: "none" }, ["#/tags"]],
  ["no value", {}, ["#/tags"]],
  ["a nested value", { tags: [{ name: "a" }, { name: 5 }] }, ["#/tags/1/name"]],
  ["two values", { tags: [{}], size: "5" }, ["#/size", "#/tags/0/name"]],
];

const found = await newestVelocy();
const hasSchemas = found !== null && "Router" in found.velocy && canTakeSchemas(found.velocy);
const skip = !hasSchemas && "no milestone takes schemas yet";

before(async () => {
  if (skip) return;
  const folder = fileURLToPath(new URL(".", import.meta.url));
  await ensureDependencies(folder, "Installing npm's middleware for tests/npm");
});

for (const [name, schemasOf] of Object.entries(LIBRARIES)) {
  describe(`a schema of ${name}'s`, { skip }, () => {
    /** @type {(t: import("node:test").TestContext, which: "plain" | "later") => Promise<(body: unknown) => Promise<{ statusCode: number, json: any }>>} */
    const server = async (t, which) => {
      const { Router } = found?.velocy ?? {};
      const { [which]: schema } = schemasOf(await import(name));
      const router = new Router();
      router.post("/", { body: schema }, (/** @type {any} */ req) => req.json());
      /** @type {unknown[]} */
      const errors = [];
      const ask = await serve(t, found?.velocy, router, errors);
      t.after(() => assert.deepEqual(errors, [], "nothing went wrong on the side"));
      const headers = { "content-type": "application/json", accept: "application/json" };
      return async (value) => {
        const body = JSON.stringify(value);
        const answer = await ask("/", { method: "POST", headers, body });
        return { statusCode: answer.statusCode, json: JSON.parse(String(answer.body)) };
      };
    };

    test("lets in what fits, and gives what it has made of it", async (t) => {
      const ask = await server(t, "plain");
      const tags = [{ name: "a" }];
      assert.deepEqual(await ask({ tags, size: 5 }), {
        statusCode: 200,
        json: { tags, size: 5 },
      });
      assert.deepEqual((await ask({ tags })).json, { tags, size: 10 });
    });

    for (const [what, value, pointers] of REFUSED) {
      test(`refuses ${what}, and says where`, async (t) => {
        const ask = await server(t, "plain");
        const { statusCode, json } = await ask(value);
        assert.equal(statusCode, 422);
        const places = json.errors.map((/** @type {any} */ { pointer }) => pointer);
        assert.deepEqual(places.sort(), pointers);
        for (const { message } of json.errors) assert.ok(message.length > 0);
      });
    }

    test("may answer later", { skip: name === "arktype" && "it has no such schema" }, async (t) => {
      const ask = await server(t, "later");
      assert.deepEqual(await ask({ name: "free" }), { statusCode: 200, json: { name: "free" } });
      const { statusCode, json } = await ask({ name: "taken" });
      assert.equal(statusCode, 422);
      assert.deepEqual(json.errors, [{ pointer: "#/name", message: "is taken" }]);
    });
  });
}

/** @param {any} velocy */
function canTakeSchemas({ Router }) {
  const validate = (/** @type {unknown} */ value) => ({ value });
  const body = { "~standard": { version: 1, vendor: "by hand", validate } };
  try {
    new Router().post("/", { body }, () => {});
    return true;
  } catch {
    return false;
  }
}
