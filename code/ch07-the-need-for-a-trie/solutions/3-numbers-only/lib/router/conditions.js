/** @type {Map<string, (segment: string) => boolean>} by name */
export const CONDITIONS = new Map([
  ["int", (segment) => /^[0-9]+$/.test(segment)],
]);
