/** Lists of nodes in words. */

/** @param {number} node */
export const name = (node) => `P${node}`;

/**
 * `P1`, `P1 and P2`, `P1, P2 and P3`.
 *
 * @param {string} and The word between the last two.
 */
export const namesWith =
  (and) =>
  /** @param {readonly number[]} nodes */
  (nodes) => {
    const all = nodes.map(name);
    const last = all.pop() ?? "";
    return all.length === 0 ? last : `${all.join(", ")} ${and} ${last}`;
  };
