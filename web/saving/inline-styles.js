/**
 * Converts the style of a drawing to attributes of its elements, so that it needs no style sheet. More programs support
 * attributes than style sheets, and the content security policy of the page permits attributes. Pure.
 */

/** Properties that an element inherits. */
const INHERITED = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin"],
  ...["paint-order", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"],
];
/** Properties that an element does not inherit, with their initial values. @type {Record<string, string>} */
const OWN = { opacity: "1", filter: "none", "text-decoration-line": "none", "clip-path": "none" };

/** Attributes whose names differ from those of their properties. @type {Record<string, string>} */
const CALLED = { "text-decoration-line": "text-decoration" };

/**
 * Returns the style attributes that an element needs.
 *
 * @param {(property: string) => string} of Returns the value of a property of the element.
 * @param {((property: string) => string) | null} around Returns the value of a property of the element's parent. Null
 *   if there is no parent.
 * @returns {[string, string][]}
 */
export function inlineStyles(of, around) {
  const inherited = INHERITED.filter((property) => of(property) !== around?.(property));
  const own = Object.keys(OWN).filter((property) => of(property) !== OWN[property]);
  return [...inherited, ...own].map((property) => [CALLED[property] ?? property, of(property)]);
}
