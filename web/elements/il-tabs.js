/** Messages, faults and violations: one of them at a time. */

import { attribute, h, text } from "../dom.js";
import { strings } from "../preferences.js";
import { store } from "../store.js";
import "./il-faults.js";
import "./il-messages.js";
import "./il-violations.js";
import { Piece } from "./piece.js";

/** @typedef {"messages" | "faults" | "violations"} Tab */

/** @type {Tab[]} */
const TABS = ["messages", "faults", "violations"];

export class Tabs extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["messages", "network", "violations", "run"];

  /** @type {Tab} */
  #open = "messages";
  /** @type {Map<Tab, HTMLButtonElement>} */
  #tabs = new Map();
  /** @type {Map<Tab, HTMLElement>} */
  #panels = new Map();

  build() {
    const list = h("div", { role: "tablist", onkeydown: (/** @type {KeyboardEvent} */ event) => this.#move(event) });
    this.append(list);
    for (const tab of TABS) {
      const attributes = { id: `tab-${tab}`, role: "tab", "aria-controls": `panel-${tab}` };
      const button = h("button", { ...attributes, onclick: () => this.show(tab) }, strings[tab].tab, h("span"));
      const panel = h(
        "div",
        { id: `panel-${tab}`, role: "tabpanel", "aria-labelledby": `tab-${tab}` },
        document.createElement(`il-${tab}`),
      );
      this.#tabs.set(tab, button);
      this.#panels.set(tab, panel);
      list.append(button);
      this.append(panel);
    }
  }

  /** @param {Tab} tab */
  show(tab) {
    this.#open = tab;
    this.draw();
  }

  /** Messages and faults are for runs that live; of loaded events there are violations. */
  get #offered() {
    return store.run?.origin === "loaded" ? TABS.filter((tab) => tab === "violations") : TABS;
  }

  draw() {
    const { network, held, violations } = store;
    const offered = this.#offered;
    const open = offered.includes(this.#open) ? this.#open : "violations";
    const links = network === null ? 0 : network.links.length + network.partitions.length + network.rules.length;
    const counts = { messages: held.length, faults: links, violations: violations.length };
    for (const [tab, button] of this.#tabs) {
      button.hidden = !offered.includes(tab);
      attribute(button, "aria-selected", tab === open ? "true" : "false");
      attribute(button, "tabindex", tab === open ? 0 : -1);
      text(/** @type {Element} */ (button.lastChild), counts[tab] > 0 ? counts[tab] : "");
      /** @type {HTMLElement} */ (this.#panels.get(tab)).hidden = tab !== open;
    }
  }

  /** @param {KeyboardEvent} event */
  #move({ key }) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const offered = this.#offered;
    if (step === undefined || offered.length === 1) return;
    const next = offered[(offered.indexOf(this.#open) + step + offered.length) % offered.length] ?? "messages";
    this.show(next);
    this.#tabs.get(next)?.focus();
  }
}

customElements.define("il-tabs", Tabs);
