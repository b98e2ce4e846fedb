/* The preprocessor highlights code when the book is built; theme/index.hbs loads no script for it. */
