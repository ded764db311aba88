/** Shows the errors that the server finds in a submitted document. Each error appears beside its form field. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { ProblemError } from "../../server/api.js";
import { report } from "../../server/errors.js";

/** @typedef {NonNullable<import("../../server/types.js").Problem["errors"]>[number]} FieldError */

/** Removes all displayed errors from a form. @param {HTMLFormElement} form */
export const forgive = (form) => form.querySelectorAll("label .wrong").forEach((wrong) => wrong.remove());

/**
 * Shows each error beside the form field that the error concerns. If an error concerns no field of the form, it
 * appears in a toast.
 *
 * @param {HTMLFormElement} form A form whose field names are JSON pointers without the first slash.
 * @param {unknown} error
 */
export function refused(form, error) {
  if (!(error instanceof ProblemError)) return report(error);
  const { errors = [], ...problem } = error.problem;
  const elsewhere = errors.filter((one) => !blame(form, one));
  if (errors.length === 0 || elsewhere.length > 0) report(new ProblemError({ ...problem, errors: elsewhere }));
  /** @type {HTMLElement | null} */ (form.querySelector("label:has(.wrong) :is(input, select)"))?.focus();
}

/**
 * @param {HTMLFormElement} form
 * @param {FieldError} error
 * @returns {boolean} Whether the form has the field that the error concerns.
 */
function blame(form, { pointer, detail, allowed = [] }) {
  const input = form.querySelector(`[name="${CSS.escape(pointer.slice(1))}"]`);
  const possible = allowed.length > 0 ? ` (${strings.toast.allowed} ${allowed.join(", ")})` : "";
  // The user fills in a form and does not see the document, so line and column in the document are removed.
  const why = detail.replace(`${pointer}: `, "").replace(/ at line \d+ column \d+$/u, "");
  input?.closest("label")?.append(h("small", { class: "wrong", role: "alert" }, why + possible));
  return input !== null;
}
