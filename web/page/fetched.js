/** Modules that are fetched when they are first needed. */

import { strings } from "../drawing/preferences.js";
import { Refusal } from "../server/errors.js";

/**
 * What was fetched; if it did not come, whoever asked for it is told so kindly, and the page goes on without it.
 *
 * @template T
 * @param {Promise<T>} part As `import` gives it.
 * @returns {Promise<T>} Rejected with a `Refusal` if it could not be fetched.
 */
export async function fetched(part) {
  try {
    return await part;
  } catch (error) {
    // Each browser says it in other words; what a module itself did wrong is another kind of error.
    if (!(error instanceof TypeError)) throw error;
    const { title, text } = strings.toast.absent;
    throw new Refusal(title, text);
  }
}
