/**
 * `npm start`: sets up what is missing, builds the book and serves it,
 * building it again when a file changes. PORT moves it away from 3000.
 */

import { runMain } from "./lib/main.js";

runMain(async () => {
  // Loaded only now: a Node.js that is too old has been told so.
  const { serve } = await import("./lib/serve.js");
  return serve();
});
