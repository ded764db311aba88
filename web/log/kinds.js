/** Determines the kinds of events that a run contains or can still contain. Pure. */

import { elects } from "../words/properties.js";

/** @import { Algorithm, Specification } from "../server/types.js" */

/** The kinds that occur only in some runs, and the condition under which a run can contain them. */
const SPECIAL = /** @type {{ kinds: string[], can: (algorithm: Algorithm, specification: Specification) => boolean }[]} */ ([
  { kinds: ["requested", "entered", "exited", "put", "rejected"], can: ({ commands }) => commands.includes("acquire") },
  { kinds: ["blocked", "aborted", "reported"], can: ({ family }) => family === "deadlock" },
  { kinds: ["expired"], can: (_, { parameters = {} }) => "lease" in parameters },
  { kinds: ["called", "elected"], can: elects },
  { kinds: ["proposed", "promised", "accepted", "decided"], can: ({ commands }) => commands.includes("propose") },
  // Only custom programs offer services, and the catalogue contains no custom programs.
  { kinds: ["invoked", "returned", "misbehaved"], can: () => false },
  { kinds: ["taken"], can: (_, { channel = "raw" }) => channel !== "raw" },
  {
    kinds: ["suspected", "trusted"],
    can: (algorithm, { detector = "none" }) =>
      detector !== "none" || algorithm.assumes.failure_detector !== "none" || elects(algorithm),
  },
]);

/**
 * Returns those kinds that a run can contain, or does contain.
 *
 * @param {readonly string[]} kinds All kinds.
 * @param {Algorithm | undefined} algorithm Undefined if the catalogue does not contain the algorithm.
 * @param {Specification | undefined} specification
 * @param {ReadonlySet<string>} occurred The kinds of the known events of the run.
 */
export function kindsIn(kinds, algorithm, specification, occurred) {
  const isPossible = (/** @type {typeof SPECIAL[number]} */ { can }) =>
    algorithm !== undefined && specification !== undefined && can(algorithm, specification);
  const excluded = new Set(SPECIAL.filter((special) => !isPossible(special)).flatMap((special) => special.kinds));
  return kinds.filter((kind) => !excluded.has(kind) || occurred.has(kind));
}
