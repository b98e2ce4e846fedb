/** Elements that all labs are made of. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {(Node | string)[]} content
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

/** @param {string} text */
export function partTitle(text) {
  return make("p", { className: "lab-title" }, text);
}

/** @param {string} id */
export function textField(id) {
  const field = make("input", { id, type: "text", autocomplete: "off", spellcheck: false });
  field.setAttribute("autocapitalize", "none");
  return field;
}

/**
 * @param {string} words
 * @param {HTMLElement} field
 */
export function labelled(words, field) {
  return [make("label", { htmlFor: field.id, className: "visually-hidden" }, words), field];
}

/**
 * A term of a list of facts, and its value.
 *
 * @param {Node | string} term
 * @param {Node | string} value
 */
export function fact(term, value) {
  return [make("dt", {}, term), make("dd", {}, value)];
}

/**
 * A request that came out of a parser.
 *
 * @param {any} request
 */
export function requestItem(request) {
  const text = JSON.stringify({ ...request, body: request.body.toString() });
  return make("li", {}, make("code", {}, text));
}
