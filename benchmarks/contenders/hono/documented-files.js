// As Hono's documentation writes it; each runtime has a serveStatic of its own.

/**
 * @param {() => Promise<{ serveStatic: Function }>} load who isn't asked for
 *   files doesn't load what serves them
 */
export async function makeFiles(load) {
  const { FILES: root } = process.env;
  if (!root) return undefined;
  const { serveStatic } = await load();
  return serveStatic({ root, rewriteRequestPath: (path) => path.replace(/^\/files/, "") });
}
