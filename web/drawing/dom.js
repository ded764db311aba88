/** Helpers that make and update elements. Text is only ever set as text. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. Properties that start with `on` become listeners; `class`, `data-…`, `aria-…` and unknown names
 * become attributes; `true` is an empty attribute, and `false`, `null` and `undefined` are none.
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
 * Makes an SVG element.
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
 * Sets an attribute if it is not so already.
 *
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value `true` is an empty attribute; `false`, `null` and `undefined` are none.
 */
export function attribute(element, name, value) {
  const text = value === true ? "" : value === false || value === null || value === undefined ? null : String(value);
  if (element.getAttribute(name) === text) return;
  if (text === null) element.removeAttribute(name);
  else element.setAttribute(name, text);
}

/** Sets the text of an element if it is not so already. @param {Element} element @param {string | number} value */
export function text(element, value) {
  const wanted = String(value);
  if (element.textContent !== wanted) element.textContent = wanted;
}

/**
 * Makes the children of `parent` those of `items`, in order, keeping the elements of keys that stay: focus and
 * scroll positions survive.
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
 * Makes an element a stop of the Tab key while its content is too large for it, so that keys can scroll it.
 *
 * @param {HTMLElement} element
 * @param {...Element} contents
 * @returns {() => void} Ends it.
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
 * Does something during which a run is seen where nobody wants to be in it, such as at its end: it is not shown meanwhile.
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
    // What has changed is drawn with the next frame.
    requestAnimationFrame(() => requestAnimationFrame(arrived));
  }
}

/** Whether the large diagram covers all else. */
export const isCovered = () => document.querySelector("#diagram-dialog[open]") !== null;

/** Whether a run is shown just now where it is not to be seen: what is drawn then is to be what is seen after it. */
export const isArriving = () => arriving > 0;

/** How much is done just now during which a run is not to be seen. */
let arriving = 0;

function arrived() {
  arriving -= 1;
  document.documentElement.toggleAttribute("data-arriving", arriving > 0);
}
