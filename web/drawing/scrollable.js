/** Makes an element a stop of the Tab key while its content is too large for it, so that keys can scroll it. */

import { attribute } from "./dom.js";

/**
 * @param {HTMLElement} element What is scrolled.
 * @param {...Element} contents What is in it.
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
