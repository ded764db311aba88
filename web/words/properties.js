/** Selects the properties that say something about an algorithm. Pure. */

/** @import { Algorithm } from "../server/types.js" */

/** Whether processes of an algorithm elect coordinators. @param {Algorithm} algorithm */
export const elects = ({ commands, structure }) => commands.includes("elect") || structure?.parameter === "leader";

/**
 * Conditions under which a property says something about an algorithm. All other properties always do.
 *
 * @type {Record<string, (algorithm: Algorithm) => boolean>}
 */
const CONDITIONS = {
  "mutual-exclusion": ({ commands }) => commands.includes("acquire"),
  "one-leader": elects,
  "leader-known": elects,
  "one-value": ({ commands }) => commands.includes("propose"),
};

/**
 * Returns those properties that say something about an algorithm. The server also checks the others, which hold
 * trivially.
 *
 * @param {readonly string[]} properties
 * @param {Algorithm | undefined} algorithm Undefined if the catalogue does not contain the algorithm.
 */
export const propertiesOf = (properties, algorithm) =>
  properties.filter((property) => algorithm === undefined || (CONDITIONS[property]?.(algorithm) ?? true));
