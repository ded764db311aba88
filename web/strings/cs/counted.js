/** Czech: numbers of things. */

/**
 * The form that goes with a number: 1, 2 … 4, or 5 and more.
 *
 * @param {number} count
 * @param {string} one
 * @param {string} few
 * @param {string} many
 */
export const counted = (count, one, few, many) => `${count} ${count === 1 ? one : count >= 2 && count <= 4 ? few : many}`;
