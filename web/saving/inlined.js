/**
 * How a drawing looks without the style sheets of the page: what each of its elements must say of itself. In attributes, which
 * more programs read than style sheets, and which the policy of the page allows. Pure.
 */

/** What an element has from the one it is in, unless it says otherwise. */
const INHERITED = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "paint-order",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
];
/** What it has not from there, and how that is if nothing is said. What is not shown at all is no part of a picture. @type {Record<string, string>} */
const OWN = { opacity: "1", filter: "none", "text-decoration-line": "none", "clip-path": "none" };

/** The attribute for a property, where that has another name. @type {Record<string, string>} */
const CALLED = { "text-decoration-line": "text-decoration" };

/**
 * @param {(property: string) => string} of How the element looks.
 * @param {((property: string) => string) | null} around How the one looks that it is in; null: it is in none.
 * @returns {[string, string][]} Its attributes.
 */
export function inlined(of, around) {
  const inherited = INHERITED.filter((property) => of(property) !== around?.(property));
  const own = Object.keys(OWN).filter((property) => of(property) !== OWN[property]);
  return [...inherited, ...own].map((property) => [CALLED[property] ?? property, of(property)]);
}
