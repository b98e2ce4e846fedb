const DAYS = "Mon|Tue|Wed|Thu|Fri|Sat|Sun";
const LONG_DAYS = "Mon|Tues|Wednes|Thurs|Fri|Satur|Sun";
const MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec";
const TIME = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";
const MONTH = `(?<month>${MONTHS})`;
const YEAR = "(?<year>\\d{4})";

// RFC 9110, section 5.6.7: one form to send, and two more to understand.
const FORMS = [
  `(?:${DAYS}), (?<day>\\d\\d) ${MONTH} ${YEAR} ${TIME} GMT`,
  `(?:${LONG_DAYS})day, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT`,
  `(?:${DAYS}) ${MONTH} (?<day>[ \\d]\\d) ${TIME} ${YEAR}`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Reads the date of a field.
 *
 * @param {string} text
 * @returns {number} milliseconds since 1970, or NaN if it is no date
 */
export function parseDate(text) {
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups !== undefined) return timeOf(groups);
  }
  return Number.NaN;
}

function timeOf(groups) {
  const { year, month, day, hour, minute, second } = groups;
  const fullYear = year.length === 2 ? withCentury(+year) : +year;
  const monthIndex = MONTHS.split("|").indexOf(month);
  const midnight = Date.UTC(fullYear, monthIndex, +day);
  const date = new Date(midnight);
  // Date.UTC makes March of the 30th of February.
  const isDay =
    date.getUTCDate() === +day && date.getUTCFullYear() === fullYear;
  // A leap second is the 60th.
  if (!isDay || hour > 23 || minute > 59 || second > 60) return Number.NaN;
  return midnight + ((hour * 60 + +minute) * 60 + +second) * 1000;
}

// More than fifty years ahead means the century before.
function withCentury(year) {
  const thisYear = new Date().getUTCFullYear();
  const full = thisYear - (thisYear % 100) + year;
  return full > thisYear + 50 ? full - 100 : full;
}

/** @param {Date | number} date a number is milliseconds since 1970 */
export function formatDate(date) {
  return new Date(date).toUTCString();
}
