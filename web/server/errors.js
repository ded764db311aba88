/** Errors, and the listeners that show them. */

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
