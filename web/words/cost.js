/** The number of messages that an algorithm needs for an entry, as its formula says. Pure. */

/** A formula at the beginning of the catalogue's text, up to the end or a comma: `4(N-1) + 3, or …`. */
const FORMULA = /^(?=[^,]*N)([\dN()+\-… ]+)(?:,|$)/u;
const TERM = /^(\d*)(N|\(N-1\))?$/u;

/**
 * Returns the formula and its value: `2(N−1) = 8`. If the text does not begin with a formula in N, returns an empty
 * string.
 *
 * @param {string} text The catalogue's text, in which words may follow the formula.
 * @param {number} nodes
 */
export function costText(text, nodes) {
  const formula = text.match(FORMULA)?.[1];
  const values = formula?.split("…").map((part) => valueOf(part, nodes)) ?? [Number.NaN];
  return values.some(Number.isNaN) ? "" : `${formula?.replaceAll("-", "−")} = ${values.join(" … ")}`;
}

/** @param {string} sum @param {number} nodes */
const valueOf = (sum, nodes) => sum.split("+").reduce((value, term) => value + termOf(term.trim(), nodes), 0);

/** @param {string} term @param {number} nodes */
function termOf(term, nodes) {
  const [all = "", factor = "", of = ""] = term.match(TERM) ?? [];
  if (all === "") return Number.NaN;
  return Number(factor === "" ? 1 : factor) * ({ N: nodes, "(N-1)": nodes - 1 }[of] ?? 1);
}
