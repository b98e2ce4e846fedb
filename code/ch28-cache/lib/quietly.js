/**
 * Makes a command of a function that gives its answer, for a line of
 * `least` to `most` words, of which the first `keys` are keys. After
 * `noreply` nothing is answered.
 */
export function quietly(least, most, work, keys = 0) {
  return (connection, line) => {
    const { length } = line.rest;
    if (length < least || length > most) {
      return connection.answer("ERROR\r\n");
    }
    const answer = work(line);
    if (length > keys && line.isQuiet) return;
    connection.answer(`${answer}\r\n`);
  };
}
