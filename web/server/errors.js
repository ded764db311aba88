/** Errors, and the listeners that show them. */

import { strings } from "../drawing/preferences.js";

/** @type {Set<(error: unknown) => void>} */
const listeners = new Set();

/**
 * Calls `listener` with every reported error.
 *
 * @param {(error: unknown) => void} listener @returns {() => void} Removes the listener.
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
 * Waits for a module, and rejects with a `Refusal` if it cannot be fetched.
 *
 * @template T @param {Promise<T>} part A dynamic import. @returns {Promise<T>}
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
