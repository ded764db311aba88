/** Passes errors to the listeners that display them. */

import { strings } from "../drawing/preferences.js";

/** @type {Set<(error: unknown) => void>} */
const listeners = new Set();

/**
 * Registers a listener that is called with every reported error.
 *
 * @param {(error: unknown) => void} listener
 * @returns {() => void} A function that removes the listener.
 */
export function onReport(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param {unknown} error */
export function report(error) {
  listeners.forEach((listener) => listener(error));
}

/** Executes an action. If the action fails, reports the error. @param {() => Promise<unknown>} action */
export async function orReport(action) {
  try {
    await action();
  } catch (error) {
    report(error);
  }
}

/** The error of an action that the page itself refuses, without a request to the server. */
export class Refusal extends Error {
  /**
   * @param {string} title
   * @param {string} sentence The reason for the refusal.
   * @param {readonly ("live" | "fork")[]} [offers] Commands that help the user to go on.
   */
  constructor(title, sentence, offers = []) {
    super(sentence);
    this.title = title;
    this.offers = offers;
  }
}

/**
 * Waits for a dynamic import. If the module cannot be fetched, rejects with a `Refusal`.
 *
 * @template T
 * @param {Promise<T>} part A dynamic import.
 * @returns {Promise<T>}
 */
export async function fetched(part) {
  try {
    return await part;
  } catch (error) {
    // Browsers use different messages for a failed import, so only the type of the error is tested. An error inside
    // the module has another type.
    if (!(error instanceof TypeError)) throw error;
    const { title, text } = strings.toast.absent;
    throw new Refusal(title, text);
  }
}
