/** Error messages. Each message stays visible until the user closes the message or its display time is over. */

import { attribute, h } from "../../drawing/dom.js";
import { ERROR_MS } from "../../drawing/pacing.js";
import { strings } from "../../drawing/preferences.js";
import { perform } from "../../page/commands.js";
import { ProblemError } from "../../server/api.js";
import { Refusal, onReport } from "../../server/errors.js";
import { View } from "../view.js";

const MOST = 4;

export class Toast extends View {
  build() {
    this.setAttribute("role", "alert");
    this.popover = "manual";
    this.until(onReport((error) => this.#show(error)));
  }

  /** @param {unknown} error */
  #show(error) {
    const [title, details] = tell(error);
    const known = [...this.children].find((child) => child.firstElementChild?.textContent === title);
    known?.remove();
    const offers = error instanceof Refusal ? error.offers : [];
    const words = { live: strings.past.now, fork: strings.cursor.fork };
    const follow = (/** @type {keyof typeof words} */ offer) => {
      toast.remove();
      perform(offer);
    };
    const buttons = offers.map((offer) => h("button", { "data-offer": offer, onclick: () => follow(offer) }, words[offer]));
    const toast = h(
      "div",
      { class: "toast" },
      h("strong", {}, title),
      ...details.map((detail) => h("p", {}, detail)),
      buttons.length > 0 && h("span", { class: "buttons" }, ...buttons),
      h("button", { "aria-label": strings.header.close, onclick: () => toast.remove() }, "×"),
    );
    this.append(toast);
    attribute(this, "data-aside", document.querySelector("dialog[open]") !== null);
    // A dialog that was opened in the meantime covers the popover. Hiding and showing the popover brings it to the
    // front.
    this.hidePopover();
    this.showPopover();
    while (this.children.length > MOST) this.firstElementChild?.remove();
    setTimeout(() => toast.remove(), ERROR_MS);
  }
}

/** @param {unknown} error @returns {[string, string[]]} A title and lines with details. */
function tell(error) {
  const { failed, unreachable, allowed } = strings.toast;
  // If the server does not respond, `fetch` throws a `TypeError`.
  if (error instanceof TypeError && error.message.includes("fetch")) return [unreachable, []];
  if (error instanceof Refusal) return [error.title, [error.message]];
  if (!(error instanceof ProblemError)) return [failed, [String(error)]];
  const { title, status, detail, line, errors = [] } = error.problem;
  const fields = errors.map(({ pointer, detail: why, allowed: values = [] }) =>
    [`${pointer}: ${why}`, values.every((value) => why.includes(value)) ? "" : `(${allowed} ${values.join(", ")})`].join(" "),
  );
  // A detail with a line number is more precise than the errors of fields, so only this detail is shown. A detail
  // that only repeats the error of a field is omitted.
  if (detail !== undefined && line !== undefined) return [`${title} (${status})`, [detail]];
  const general = detail !== undefined && !errors.some((one) => detail.includes(one.detail)) ? [detail] : [];
  return [`${title} (${status})`, [...general, ...fields]];
}

customElements.define("il-toast", Toast);
