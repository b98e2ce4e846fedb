#!/usr/bin/env node
/**
 * mdBook's preprocessor: weaves the chapters into pages. mdBook starts it by
 * itself (book.toml), hands it the book as JSON and takes the changed book.
 *
 * https://rust-lang.github.io/mdBook/for_developers/preprocessors.html
 */

import { text } from "node:stream/consumers";

if (process.argv[2] === "supports") {
  process.exitCode = process.argv[3] === "html" ? 0 : 1;
} else {
  try {
    const { weaveBook } = await import("./preprocessor/book.js");
    const [context, book] = JSON.parse(await text(process.stdin));
    await weaveBook(book, context);
    process.stdout.write(JSON.stringify(book));
  } catch (err) {
    process.exitCode = 1;
    console.error(explain(err));
  }
}

/** @param {any} err */
function explain(err) {
  if (err.code === "ERR_MODULE_NOT_FOUND") {
    return "The pages are made by npm packages that aren't here yet: run `npm ci`, then this again.";
  }
  // A mistake in a chapter says itself where it is.
  return err.name === "Problem" ? String(err) : err.stack;
}
