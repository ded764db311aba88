/** What the server has against a document, said at the fields of the form that it came from. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { ProblemError } from "../../server/api.js";
import { report } from "../../server/errors.js";

/** @typedef {NonNullable<import("../../server/types.js").Problem["errors"]>[number]} FieldError */

/** Takes back what was said before. @param {HTMLFormElement} form */
export const forgive = (form) => form.querySelectorAll("label .wrong").forEach((wrong) => wrong.remove());

/**
 * What is about a field is said there; only what is not goes into the toast.
 *
 * @param {HTMLFormElement} form Its fields are named by the pointers to them, without the first slash.
 * @param {unknown} error
 */
export function refused(form, error) {
  if (!(error instanceof ProblemError)) return report(error);
  const { errors = [], ...problem } = error.problem;
  const elsewhere = errors.filter((one) => !blame(form, one));
  if (errors.length === 0 || elsewhere.length > 0) report(new ProblemError({ ...problem, errors: elsewhere }));
  /** @type {HTMLElement | null} */ (form.querySelector("label:has(.wrong) :is(input, select)"))?.focus();
}

/** @param {HTMLFormElement} form @param {FieldError} error @returns {boolean} Whether there is such a field. */
function blame(form, { pointer, detail, allowed = [] }) {
  const input = form.querySelector(`[name="${CSS.escape(pointer.slice(1))}"]`);
  const possible = allowed.length > 0 ? ` (${strings.toast.allowed} ${allowed.join(", ")})` : "";
  // Where in the document it was says nothing to whom never saw the document.
  const why = detail.replace(`${pointer}: `, "").replace(/ at line \d+ column \d+$/u, "");
  input?.closest("label")?.append(h("small", { class: "wrong", role: "alert" }, why + possible));
  return input !== null;
}
