// As Hono's documentation writes it, on any runtime.
import { Hono } from "hono";

const large = `${"wire ".repeat(12)}end\n`.repeat(1024);

/**
 * @param {Record<string, string>} fields that the runtime doesn't send by itself
 * @param {import("hono").MiddlewareHandler} [files] where it is asked for them
 */
export function makeApp(fields, files) {
  const app = new Hono();
  const all = Object.entries({ "x-powered-by": "benchmark", ...fields });

  app.get("/bench/:name", (c) => {
    for (const [name, value] of all) c.header(name, value);
    return c.json({ name: c.req.param("name"), id: c.req.query("id") ?? null });
  });

  app.post("/bench", async (c) => {
    const { name, id = null, tags } = await c.req.json();
    for (const [field, value] of all) c.header(field, value);
    return c.json({ name, id, tags: tags.length });
  });

  app.get("/large", (c) => {
    for (const [name, value] of all) c.header(name, value);
    return c.text(large);
  });

  if (files) app.use("/files/*", files);

  // What isn't JSON makes c.req.json() throw, and is the client's mistake.
  app.onError((err, c) => c.text(err.message, err instanceof SyntaxError ? 400 : 500));
  return app;
}
