/**
 * Makes a command of a function that gives its answer, for a line of
 * `least` to `most` words. After `noreply` nothing is answered.
 */
export function quietly(least, most, work) {
  return (connection, line) => {
    const { length } = line.rest;
    if (length < least || length > most) {
      return connection.answer("ERROR\r\n");
    }
    const answer = work(line);
    if (!line.isQuiet) connection.answer(`${answer}\r\n`);
  };
}
