/**
 * All fields of an event, as the API returns them. Signals `go` to move the cursor to the event, and signals `closed`
 * when the user closes this element.
 */

import { h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import * as api from "../../server/api.js";
import { report } from "../../server/errors.js";
import { reasonsIn, sentenceOf } from "../../words/sentences.js";
import { View } from "../view.js";

export class EventDetail extends View {
  #title = h("h3", {});
  #json = h("pre", { tabindex: 0 });
  /** @type {number | null} */
  #seq = null;

  build() {
    const { log, header } = strings;
    const close = () => this.dispatchEvent(new CustomEvent("closed"));
    const go = () => this.dispatchEvent(new CustomEvent("go"));
    this.id = "event-detail";
    this.append(
      h(
        "div",
        { class: "bar" },
        this.#title,
        h("button", { id: "state-after", title: log.stateTip, onclick: go }, log.state),
        h("button", { onclick: close }, header.close),
      ),
      this.#json,
    );
    this.hidden = this.#seq === null;
  }

  /** @param {number | null} seq Number of the event, or null to show no event. */
  async show(seq) {
    this.#seq = seq;
    this.hidden = seq === null;
    if (seq === null) return;
    const event = store.events.find(seq) ?? (await fetchEvent(seq));
    if (this.#seq !== seq) return;
    const { log } = strings;
    text(this.#title, event === undefined ? log.gone(seq) : `${log.event(seq)}: ${[sentenceOf(event), ...reasonsIn(event)].join(" · ")}`);
    text(this.#json, event === undefined ? "" : JSON.stringify(event, null, 2));
  }
}

/** @param {number} seq @returns {Promise<import("../../server/types.js").Happening | undefined>} */
async function fetchEvent(seq) {
  if (store.run === null) return undefined;
  try {
    const { items } = await api.events(store.run.id, seq - 1, 1);
    return items[0]?.seq === seq ? items[0] : undefined;
  } catch (error) {
    report(error);
    return undefined;
  }
}

customElements.define("il-event", EventDetail);
