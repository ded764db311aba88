/** Helpers that create and update elements. Strings become text nodes and are never parsed as HTML. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an HTML element. Each property becomes a listener, a property or an attribute:
 *
 * - A name that starts with `on` is a listener.
 * - `class`, `data-…`, `aria-…` and unknown names are attributes.
 * - The value `true` makes an empty attribute; `false`, `null` and `undefined` make none.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) set(element, name, value);
  element.append(...children.filter(isShown).map(asNode));
  return element;
}

/**
 * Makes an SVG element, with the same rules as `h`.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) set(element, name, value);
  element.append(...children.filter(isShown).map(asNode));
  return element;
}

/** @param {Child} child @returns {child is Node | string | number} */
const isShown = (child) => child !== null && child !== undefined && child !== false;

/** @param {Node | string | number} child */
const asNode = (child) => (child instanceof Node ? child : String(child));

/** @param {Element} element @param {string} name @param {unknown} value */
function set(element, name, value) {
  if (name.startsWith("on") && typeof value === "function") {
    element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
  } else if (name === "value" || name === "checked") {
    Reflect.set(element, name, value);
  } else {
    attribute(element, name, value);
  }
}

/**
 * Sets an attribute, unless the attribute already has this value.
 *
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value `true` makes an empty attribute; `false`, `null` and `undefined` remove it.
 */
export function attribute(element, name, value) {
  const text = value === true ? "" : value === false || value === null || value === undefined ? null : String(value);
  if (element.getAttribute(name) === text) return;
  if (text === null) element.removeAttribute(name);
  else element.setAttribute(name, text);
}

/**
 * Sets the text of an element, unless the element already has this text.
 *
 * @param {Element} element
 * @param {string | number} value
 */
export function text(element, value) {
  const wanted = String(value);
  if (element.textContent !== wanted) element.textContent = wanted;
}

/** Returns the parts of a text. Text between backticks becomes code. @param {string} words */
export const withCode = (words) => words.split("`").map((part, place) => (place % 2 === 0 ? part : h("code", {}, part)));

/**
 * Makes `parent` have one child for each item, in order. If a child with the key of an item exists, it is reused, so
 * the child keeps its focus and scroll position.
 *
 * @template T
 * @template {HTMLElement | SVGElement} E
 * @param {Element} parent
 * @param {readonly T[]} items
 * @param {(item: T, index: number) => string | number} keyOf
 * @param {(item: T) => E} make
 * @param {(element: E, item: T, index: number) => void} [update]
 */
export function keyed(parent, items, keyOf, make, update) {
  /** @type {Map<string, E>} */
  const old = new Map();
  for (const child of parent.children) old.set(keys.get(child) ?? "", /** @type {E} */ (child));
  /** @type {Element | null} */
  let place = parent.firstElementChild;
  items.forEach((item, index) => {
    const key = String(keyOf(item, index));
    const kept = old.get(key);
    const element = kept ?? make(item);
    old.delete(key);
    keys.set(element, key);
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
    update?.(element, item, index);
  });
  for (const gone of old.values()) gone.remove();
}

/** @type {WeakMap<Element, string>} */
const keys = new WeakMap();

/**
 * While the content of an element overflows, makes the element focusable, so that the keyboard can scroll it.
 *
 * @param {HTMLElement} element
 * @param {...Element} contents
 * @returns {() => void} A function that stops the observation.
 */
export function reachIfScrolled(element, ...contents) {
  const sizes = new ResizeObserver(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    attribute(element, "tabindex", scrollWidth > clientWidth || scrollHeight > clientHeight ? 0 : null);
  });
  [element, ...contents].forEach((one) => sizes.observe(one));
  return () => sizes.disconnect();
}

/**
 * Hides the run while an action is pending, so that the user does not see intermediate states.
 *
 * @template T
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function unseen(action) {
  arriving += 1;
  document.documentElement.toggleAttribute("data-arriving", true);
  try {
    return await action();
  } finally {
    // The next frame draws the changes, and the run becomes visible in the frame after it.
    requestAnimationFrame(() => requestAnimationFrame(arrived));
  }
}

/** Whether the large diagram is open and covers the page. */
export const isCovered = () => document.querySelector("#diagram-dialog[open]") !== null;

/**
 * Whether the run is hidden. While the run is hidden, everything is drawn at once, so that the page is complete when
 * the run becomes visible.
 */
export const isArriving = () => arriving > 0;

/** Number of pending actions during which the run is hidden. */
let arriving = 0;

function arrived() {
  arriving -= 1;
  document.documentElement.toggleAttribute("data-arriving", arriving > 0);
}
