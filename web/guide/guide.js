/**
 * The search field, the contents and the wide parts of a page of the guide. This is a classic script, because a
 * browser does not load modules from local files.
 */

/** The pages of the guide. The script `search-index.js` sets this variable. @type {GuidePage[] | undefined} */
var guidePages;

{
  const root = new URL(".", /** @type {HTMLScriptElement} */ (document.currentScript).src);
  const field = /** @type {HTMLInputElement} */ (document.querySelector("#search"));
  const list = /** @type {HTMLElement} */ (document.querySelector("#results"));
  const found = /** @type {HTMLElement} */ (document.querySelector("#found"));
  const contents = /** @type {HTMLDetailsElement} */ (document.querySelector(".contents details"));
  const narrow = matchMedia("(max-width: 52rem)");

  /** @type {GuideIndex | undefined} */
  let index;
  /** Index of the selected result; −1 if no result is selected. */
  let selected = -1;

  /** Loads the search index when the search field gets the focus for the first time. */
  const load = () => {
    const script = document.createElement("script");
    script.src = new URL("search-index.js", root).href;
    script.addEventListener("load", () => {
      index = indexGuide(guidePages ?? []);
      show();
    });
    script.addEventListener("error", () => {
      found.textContent = "The index of the search cannot be loaded.";
      field.addEventListener("focus", load, { once: true });
    });
    document.head.append(script);
  };

  /** Makes an element with `children`. @param {string} tag @param {(Node | string)[]} children */
  const element = (tag, children) => {
    const made = document.createElement(tag);
    made.append(...children);
    return made;
  };

  /** @param {GuideResult} result @param {number} place */
  const option = ({ section: { path, title, heading, anchor, text }, words }, place) => {
    const pieces = guideSnippet(text, words).map(({ text, isHit }) => (isHit ? element("mark", [text]) : text));
    const name = heading === title ? title : `${title} › ${heading}`;
    const made = /** @type {HTMLAnchorElement} */ (element("a", [element("strong", [name]), element("small", pieces)]));
    made.href = new URL(heading === title ? path : `${path}#${anchor}`, root).href;
    made.id = `result-${place}`;
    made.role = "option";
    made.tabIndex = -1;
    made.ariaSelected = "false";
    return made;
  };

  /** @param {boolean} isOpen */
  const open = (isOpen) => {
    list.hidden = !isOpen;
    field.ariaExpanded = String(isOpen);
    if (!isOpen) select(-1);
  };

  /** Shows the results for the text in the search field. */
  const show = () => {
    if (index === undefined) return;
    const isAsked = field.value.trim() !== "";
    const results = isAsked ? searchGuide(index, field.value) : [];
    const none = element("p", ["No section has a word of this."]);
    list.replaceChildren(...(results.length > 0 ? results.map(option) : [none]));
    list.role = results.length > 0 ? "listbox" : "presentation";
    list.scrollTop = 0;
    found.textContent = isAsked ? `${results.length} results` : "";
    select(-1);
    open(isAsked);
  };

  /** @param {number} place */
  const select = (place) => {
    list.children[selected]?.setAttribute("aria-selected", "false");
    selected = place;
    const chosen = list.children[place];
    chosen?.setAttribute("aria-selected", "true");
    chosen?.scrollIntoView({ block: "nearest" });
    if (chosen === undefined) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", chosen.id);
  };

  /** @param {KeyboardEvent} event */
  const choose = (event) => {
    const links = [...list.querySelectorAll("a")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && !list.hidden) open(false);
    else if (event.key === "Enter") links[Math.max(0, selected)]?.click();
    else if (step !== undefined && links.length > 0) {
      open(true);
      // If no result is selected, the down key selects the first result, and the up key selects the last result.
      const from = selected < 0 && step < 0 ? 0 : selected;
      select((from + step + links.length) % links.length);
    } else return;
    event.preventDefault();
  };

  /** Makes those parts of the page focusable that scroll horizontally, so that the Tab key reaches them. */
  const reachWideParts = () => {
    for (const part of document.querySelectorAll("pre, .table")) {
      if (part.scrollWidth > part.clientWidth) part.setAttribute("tabindex", "0");
      else part.removeAttribute("tabindex");
    }
  };

  /**
   * If the window is too narrow to show the contents beside the page, collapses the contents. Scrolls the contents to
   * the current page.
   */
  const fold = () => {
    contents.open = !narrow.matches;
    const bar = /** @type {HTMLElement} */ (contents.parentElement);
    const current = contents.querySelector("[aria-current]");
    if (current instanceof HTMLElement) bar.scrollTop = current.offsetTop - bar.clientHeight / 2;
    reachWideParts();
  };

  /** @param {KeyboardEvent} event */
  const focusSearch = (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target === field) return;
    event.preventDefault();
    field.select();
    field.focus();
  };

  field.addEventListener("focus", load, { once: true });
  field.addEventListener("input", show);
  field.addEventListener("focus", show);
  field.addEventListener("keydown", choose);
  list.addEventListener("click", () => open(false));
  document.addEventListener("keydown", focusSearch);
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !field.parentElement?.contains(target)) open(false);
  });
  narrow.addEventListener("change", fold);
  addEventListener("resize", reachWideParts);
  field.parentElement?.removeAttribute("hidden");
  fold();
}
