/** What a tree's lab is made of: its fields, its lists, its tree. */

import { labelled, make, partTitle, textField } from "../page.js";

/**
 * @import { Example } from "../labs.js"
 * @import { TreeNode } from "./model.js"
 */

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * A lab's elements.
 *
 * @param {string} name
 * @param {Example} example
 */
export function makeParts(name, example) {
  const id = (/** @type {string} */ part) => `lab-${name}-${part}`;
  const startAgain = make("button", { type: "button", className: "lab-quiet" }, "Start again");
  const head = make("p", { className: "lab-head" }, make("strong", {}, example.title), startAgain);

  const addMethod = methodField(id("add-method"), [...methods, "ALL"]);
  const pattern = textField(id("pattern"));
  pattern.setAttribute("aria-describedby", id("error"));
  const addForm = make(
    "form",
    { className: "lab-form" },
    ...labelled("Method", addMethod),
    ...labelled("Pattern", pattern),
    make("button", { type: "submit" }, "Add"),
  );
  const error = make("p", { className: "lab-error", id: id("error") });
  error.setAttribute("role", "alert");
  const routes = make("ol", { className: "lab-routes" });
  routes.setAttribute("aria-label", "Routes");
  const change = make("p", { className: "lab-change" });
  change.setAttribute("role", "status");

  const tree = make("ul", { className: "lab-tree" });
  tree.setAttribute("aria-label", "The tree");

  const askMethod = methodField(id("ask-method"), methods);
  const path = textField(id("path"));
  const askForm = make(
    "form",
    { className: "lab-form" },
    ...labelled("Method of the request", askMethod),
    ...labelled("Path", path),
    make("button", { type: "submit" }, "Ask"),
  );
  const verdict = make("p", { className: "lab-verdict" });
  verdict.setAttribute("role", "status");
  const steps = make("ol", { className: "lab-steps" });
  steps.setAttribute("aria-label", "Steps");
  const stepsPart = make("div", { className: "lab-part" }, partTitle("Step by step"), steps);

  const all = [
    head,
    make("div", { className: "lab-part" }, partTitle("Routes"), addForm, error, routes, change),
    make("div", { className: "lab-part" }, partTitle("The tree"), tree),
    make("div", { className: "lab-part" }, partTitle("A request"), askForm, verdict),
    stepsPart,
  ];
  return {
    ...{ all, startAgain, addForm, addMethod, pattern, error, routes, change, tree },
    ...{ askForm, askMethod, path, verdict, steps, stepsPart },
  };
}

/**
 * @param {string} id
 * @param {string[]} values
 */
function methodField(id, values) {
  return make("select", { id }, ...values.map((value) => make("option", {}, value)));
}

/**
 * @param {TreeNode} node
 * @param {Map<string, string>} [before]
 * @returns {HTMLLIElement}
 */
export function treeItem(node, before) {
  const { label, key, methods: own, children } = node;
  const element = make("span", { className: "lab-node" }, make("code", {}, label));
  element.dataset.key = key;
  element.classList.toggle("is-end", own.length > 0);
  element.classList.toggle("is-new", before !== undefined && before.get(key) !== label);
  const item = make("li", {}, element);
  if (own.length > 0) item.append(make("span", { className: "lab-methods" }, own.join(", ")));
  if (children.length > 0) {
    item.append(make("ul", {}, ...children.map((child) => treeItem(child, before))));
  }
  return item;
}

/**
 * @param {Element} element
 * @returns {[key: string, place: DOMRect]}
 */
export function positionOf(element) {
  const { key = "" } = /** @type {HTMLElement} */ (element).dataset;
  return [key, element.getBoundingClientRect()];
}

/**
 * Lets every node glide from where it was to where it is, and what is new
 * appear.
 *
 * @param {Element} tree
 * @param {Map<string, DOMRect>} places where they were
 */
export function moveFrom(tree, places) {
  for (const element of tree.querySelectorAll(".lab-node")) {
    const [key, now] = positionOf(element);
    const was = places.get(key);
    const from = was
      ? { transform: `translate(${was.left - now.left}px, ${was.top - now.top}px)` }
      : { opacity: 0 };
    element.animate([from, {}], { duration: 350, easing: "ease-out" });
  }
}
