/** Errors of the server in a document, shown at the fields of its form. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { ProblemError } from "../../server/api.js";
import { report } from "../../server/errors.js";

/** @typedef {NonNullable<import("../../server/types.js").Problem["errors"]>[number]} FieldError */

/** Removes the errors from a form. @param {HTMLFormElement} form */
export const forgive = (form) => form.querySelectorAll("label .wrong").forEach((wrong) => wrong.remove());

/**
 * Shows the errors of fields at these fields, and only the others in the toast.
 *
 * @param {HTMLFormElement} form The name of each field is its JSON pointer without the first slash.
 * @param {unknown} error
 */
export function refused(form, error) {
  if (!(error instanceof ProblemError)) return report(error);
  const { errors = [], ...problem } = error.problem;
  const elsewhere = errors.filter((one) => !blame(form, one));
  if (errors.length === 0 || elsewhere.length > 0) report(new ProblemError({ ...problem, errors: elsewhere }));
  /** @type {HTMLElement | null} */ (form.querySelector("label:has(.wrong) :is(input, select)"))?.focus();
}

/** @param {HTMLFormElement} form @param {FieldError} error @returns {boolean} Whether the form has the field. */
function blame(form, { pointer, detail, allowed = [] }) {
  const input = form.querySelector(`[name="${CSS.escape(pointer.slice(1))}"]`);
  const possible = allowed.length > 0 ? ` (${strings.toast.allowed} ${allowed.join(", ")})` : "";
  // A person who fills in a form does not see lines and columns of the document.
  const why = detail.replace(`${pointer}: `, "").replace(/ at line \d+ column \d+$/u, "");
  input?.closest("label")?.append(h("small", { class: "wrong", role: "alert" }, why + possible));
  return input !== null;
}
