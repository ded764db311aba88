/** What files are called: by the run, what is in them, and for a picture of a moment when that was. */

/** @param {string} title */
const slug = (title) =>
  title
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-+|-+$/gu, "")
    .toLowerCase();

/**
 * @param {string} run Its name.
 * @param {string} what
 * @param {string} ending Without the dot.
 * @param {number | null} [seq] The event after which it was so; null: the whole run.
 */
export const fileName = (run, what, ending, seq = null) =>
  `${[slug(run), what, seq].filter((part) => part !== null && part !== "").join("-")}.${ending}`;
