/** Errors, and the listeners that show them. */

import { strings } from "../drawing/preferences.js";

/** @type {Set<(error: unknown) => void>} */
const listeners = new Set();

/**
 * Calls `listener` with every error that is reported.
 *
 * @param {(error: unknown) => void} listener
 * @returns {() => void} Removes the listener.
 */
export function onReport(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param {unknown} error */
export function report(error) {
  listeners.forEach((listener) => listener(error));
}

/** Does something, and reports its error. @param {() => Promise<unknown>} action */
export async function orReport(action) {
  try {
    await action();
  } catch (error) {
    report(error);
  }
}

/** An order that the page refuses before it asks the server. */
export class Refusal extends Error {
  /** @param {string} title @param {string} sentence The reason. */
  constructor(title, sentence) {
    super(sentence);
    this.title = title;
  }
}

/**
 * Waits for a module that is fetched when it is first needed.
 *
 * @template T
 * @param {Promise<T>} part What `import` returns.
 * @returns {Promise<T>} Rejected with a `Refusal` if it could not be fetched.
 */
export async function fetched(part) {
  try {
    return await part;
  } catch (error) {
    // Browsers differ in the message. An error of the module itself has another type.
    if (!(error instanceof TypeError)) throw error;
    const { title, text } = strings.toast.absent;
    throw new Refusal(title, text);
  }
}
