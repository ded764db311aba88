/**
 * Converts the style of a drawing to attributes of the drawing's elements, so that the drawing needs no style sheet.
 * More programs support attributes than style sheets. In addition, the content security policy of the page permits
 * attributes but not inline style sheets. Pure.
 */

/** CSS properties that elements inherit. */
const INHERITED = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin"],
  ...["paint-order", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"],
];
/** CSS properties that elements do not inherit, with their initial values. @type {Record<string, string>} */
const OWN = { opacity: "1", filter: "none", "text-decoration-line": "none", "clip-path": "none" };

/** Attribute names that differ from the name of their CSS property. @type {Record<string, string>} */
const CALLED = { "text-decoration-line": "text-decoration" };

/**
 * Returns the style attributes that an element needs to look the same without a style sheet.
 *
 * @param {(property: string) => string} of Returns the value of a CSS property of the element.
 * @param {((property: string) => string) | null} around Returns the value of a CSS property of the element's parent.
 *   Null if there is no parent.
 * @returns {[string, string][]}
 */
export function inlineStyles(of, around) {
  const inherited = INHERITED.filter((property) => of(property) !== around?.(property));
  const own = Object.keys(OWN).filter((property) => of(property) !== OWN[property]);
  return [...inherited, ...own].map((property) => [CALLED[property] ?? property, of(property)]);
}
