/** Saves files through the browser, and determines their names. */

import { h } from "../drawing/dom.js";
import { SAVED_MS } from "../drawing/pacing.js";

/** @param {string} title */
const slug = (title) =>
  title
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-+|-+$/gu, "")
    .toLowerCase();

/**
 * Returns the name of a file. It consists of the run, the content of the file, and the last event that a picture
 * shows.
 *
 * @param {string} run
 * @param {string} what
 * @param {string} ending File extension without the dot.
 * @param {number | null} [seq] Null if the file is about the whole run.
 */
export const fileName = (run, what, ending, seq = null) =>
  `${[slug(run), what, seq].filter((part) => part !== null && part !== "").join("-")}.${ending}`;

/** Makes the browser save a file. @param {Blob} file @param {string} name */
export function download(file, name) {
  const href = URL.createObjectURL(file);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), SAVED_MS);
}
