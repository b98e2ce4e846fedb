/**
 * What the pages do when scripts run: the theme's switch, the contents on a
 * narrow screen, buttons that copy, keys that turn the page. Everything can be
 * read without it.
 */

/**
 * mdBook's search asks this before it takes a key for itself.
 *
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key belongs to a field that is being typed in
 */
function mdbook_something_else_has_focus(event) {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches("input, select, textarea, [contenteditable]");
}

(() => {
  const html = document.documentElement;

  themeSwitch();
  contentsList();
  contentsDrawer();
  copyButtons();
  scrollableByKeyboard();
  pageKeys();

  /**
   * An element that theme/index.hbs or the preprocessor puts there.
   *
   * @param {string} selector
   * @param {ParentNode} [within]
   */
  function find(selector, within = document) {
    const element = within.querySelector(selector);
    if (!(element instanceof HTMLElement)) throw new Error(`nothing here is ${selector}`);
    return element;
  }

  /**
   * @param {string} selector
   * @param {ParentNode} [within]
   * @returns {HTMLElement[]}
   */
  function findAll(selector, within = document) {
    return [...within.querySelectorAll(selector)].filter((each) => each instanceof HTMLElement);
  }

  function themeSwitch() {
    const button = find("#theme-toggle");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () =>
      html.classList.contains("dark") || (system.matches && !html.classList.contains("light"));
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    system.addEventListener("change", show);
    show();

    button.addEventListener("click", () => {
      const theme = isDark() ? "light" : "dark";
      // Who chooses what the system says goes on following the system.
      const isSystems = (theme === "dark") === system.matches;
      html.classList.remove("light", "dark");
      if (!isSystems) html.classList.add(theme);
      show();
      try {
        if (isSystems) localStorage.removeItem("theme");
        else localStorage.setItem("theme", theme);
      } catch {
        // No storage: the choice holds for this page.
      }
    });
  }

  /** Marks the page in the contents, and puts its sections under it. */
  function contentsList() {
    const here = location.pathname.replace(/\/$/, "/index.html").replace(/\.html$/, "");
    const links = findAll(".contents .chapter a").filter((a) => a instanceof HTMLAnchorElement);
    const own = links.find((link, index) => {
      const path = link.pathname.replace(/\.html$/, "");
      // The first chapter is the index page too.
      return path === here || (index === 0 && here.endsWith("/index"));
    });
    if (!own) return;
    own.setAttribute("aria-current", "page");

    const headings = findAll("main h2[id]");
    if (headings.length === 0) return;
    const list = document.createElement("ol");
    list.className = "sections";
    const entries = headings.map((heading) => {
      const link = document.createElement("a");
      link.href = `#${heading.id}`;
      link.textContent = heading.textContent;
      const item = document.createElement("li");
      item.append(link);
      list.append(item);
      return { heading, link };
    });
    // Before the chapter's other pages, if it has some.
    own.closest("li > *")?.after(list);
    showInMiddle(own, find("#contents"));
    markSection(entries);
  }

  /**
   * Scrolls a box until a part of it is in its middle. After scrollIntoView
   * the Tab key would start from that part in Chromium up to 147 at least, and
   * not from the page's top with its skip link.
   *
   * @param {Element} part
   * @param {Element} box
   */
  function showInMiddle(part, box) {
    const { top, height } = part.getBoundingClientRect();
    const middle = box.getBoundingClientRect().top + box.clientHeight / 2;
    box.scrollTop += top + height / 2 - middle;
  }

  /** @param {{ heading: Element, link: Element }[]} entries */
  function markSection(entries) {
    let isWaiting = false;
    const mark = () => {
      isWaiting = false;
      const passed = entries.filter(({ heading }) => heading.getBoundingClientRect().top < 160);
      const current = passed.at(-1);
      for (const entry of entries) {
        if (entry === current) entry.link.setAttribute("aria-current", "true");
        else entry.link.removeAttribute("aria-current");
      }
    };
    addEventListener(
      "scroll",
      () => {
        if (!isWaiting) requestAnimationFrame(mark);
        isWaiting = true;
      },
      { passive: true },
    );
    mark();
  }

  function contentsDrawer() {
    const toggle = find("#contents-toggle");
    const contents = find("#contents");
    const page = find(".page");
    toggle.setAttribute("role", "button");
    toggle.setAttribute("aria-expanded", "false");

    const set = (/** @type {boolean} */ isOpen) => {
      html.classList.toggle("contents-open", isOpen);
      toggle.setAttribute("aria-expanded", String(isOpen));
      page.inert = isOpen;
      if (isOpen) find(".contents-close", contents).focus();
    };
    const isOpen = () => html.classList.contains("contents-open");
    const close = () => {
      if (!isOpen()) return;
      set(false);
      toggle.focus();
    };

    toggle.addEventListener("click", (event) => {
      event.preventDefault();
      set(true);
    });
    toggle.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      set(true);
    });
    find(".contents-close", contents).addEventListener("click", close);
    contents.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("a")) set(false);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") close();
    });
    document.addEventListener("click", (event) => {
      const isWithin = event.composedPath().some((each) => each === contents || each === toggle);
      if (!isWithin) close();
    });
    // Turned to landscape, the contents stand beside the text.
    matchMedia("(min-width: 70.001rem)").addEventListener("change", () => set(false));
  }

  function copyButtons() {
    if (!navigator.clipboard) return;
    for (const figure of findAll("[data-copy]")) {
      if (figure.dataset.copy === "hunks") {
        for (const hunk of findAll(".hunk", figure)) {
          addButton(hunk, "Copy these lines as they are after the change", () => newLines(hunk));
        }
      } else if (figure.dataset.copy === "commands") {
        const commands = findAll(".command", figure);
        if (commands.length === 0) continue;
        const what = commands.length === 1 ? "Copy the command" : "Copy the commands";
        // Without the last line's end: nothing runs before Enter is pressed.
        addButton(figure, what, () => commands.map(typed).join("").trimEnd());
      } else {
        const file = find(".file", figure).textContent;
        addButton(figure, `Copy ${file}`, () => `${typed(find("code", figure))}\n`);
      }
    }
  }

  /**
   * A hunk as it reads when the change is made.
   *
   * @param {HTMLElement} hunk
   */
  function newLines(hunk) {
    return findAll(".line:not(del)", hunk).map(typed).join("");
  }

  /**
   * An element's text without what is there for screen readers.
   *
   * @param {HTMLElement} element
   */
  function typed(element) {
    const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
    for (const words of findAll(".visually-hidden", copy)) words.remove();
    return copy.textContent ?? "";
  }

  /**
   * @param {Element} place
   * @param {string} label
   * @param {() => string} textToCopy
   */
  function addButton(place, label, textToCopy) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", label);
    button.title = label;
    button.addEventListener("click", async () => {
      let answer = "Copied";
      try {
        await navigator.clipboard.writeText(textToCopy());
      } catch {
        answer = "Not allowed";
      }
      button.textContent = answer;
      button.setAttribute("aria-label", answer);
      setTimeout(() => {
        button.textContent = "Copy";
        button.setAttribute("aria-label", label);
      }, 1600);
    });
    place.append(button);
  }

  /** What scrolls sideways has to be reachable by keyboard. */
  function scrollableByKeyboard() {
    const boxes = findAll("pre, .table-wrapper");
    const update = () => {
      for (const box of boxes) {
        if (box.scrollWidth > box.clientWidth) {
          box.tabIndex = 0;
          box.setAttribute("role", "group");
          box.setAttribute("aria-label", nameOf(box));
        } else {
          for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
        }
      }
    };
    const nameOf = (/** @type {HTMLElement} */ box) => {
      if (box.matches(".table-wrapper")) return "Table";
      return box.closest("figure")?.querySelector("figcaption")?.textContent ?? "Code";
    };
    update();
    addEventListener("resize", update, { passive: true });
    document.fonts?.ready.then(update);
  }

  /** The arrow keys turn the page, as they do on every mdBook. */
  function pageKeys() {
    document.addEventListener("keydown", (event) => {
      const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event;
      if (altKey || ctrlKey || metaKey || shiftKey) return;
      if (mdbook_something_else_has_focus(event)) return;
      // In a box that scrolls sideways these keys scroll.
      if (target instanceof Element && target.closest("[role=group]")) return;
      const rel = { ArrowLeft: "prev", ArrowRight: "next" }[key];
      const link = rel && document.querySelector(`.way-on a[rel=${rel}]`);
      if (link instanceof HTMLAnchorElement) location.assign(link.href);
    });
  }
})();
