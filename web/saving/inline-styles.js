/**
 * The style of a drawing as attributes of its elements, so that it needs no style sheet. More programs read attributes than style
 * sheets, and the policy of the page allows them. Pure.
 */

/** Properties that an element inherits. */
const INHERITED = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin"],
  ...["paint-order", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"],
];
/** Properties that it does not inherit, with their initial values. @type {Record<string, string>} */
const OWN = { opacity: "1", filter: "none", "text-decoration-line": "none", "clip-path": "none" };

/** Attributes with other names than their properties. @type {Record<string, string>} */
const CALLED = { "text-decoration-line": "text-decoration" };

/**
 * Returns the attributes of an element.
 *
 * @param {(property: string) => string} of The style of the element.
 * @param {((property: string) => string) | null} around The style of its parent, if it has one.
 * @returns {[string, string][]}
 */
export function inlineStyles(of, around) {
  const inherited = INHERITED.filter((property) => of(property) !== around?.(property));
  const own = Object.keys(OWN).filter((property) => of(property) !== OWN[property]);
  return [...inherited, ...own].map((property) => [CALLED[property] ?? property, of(property)]);
}
