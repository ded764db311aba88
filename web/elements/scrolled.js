/** What is too long for its room is scrolled with the keys, too: it is a stop of the Tab key as long as it is too long. */

import { attribute } from "../dom.js";

/**
 * @param {HTMLElement} element What is scrolled.
 * @param {HTMLElement} content What is in it.
 * @returns {() => void} Ends it.
 */
export function reachIfScrolled(element, content) {
  const sizes = new ResizeObserver(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    attribute(element, "tabindex", scrollWidth > clientWidth || scrollHeight > clientHeight ? 0 : null);
  });
  sizes.observe(element);
  sizes.observe(content);
  return () => sizes.disconnect();
}
