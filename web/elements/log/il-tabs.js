/** The tabs with the messages, the faults, the violations, and the agreement on which the locks are based. */

import { attribute, h, reachIfScrolled, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import "../cards/il-agreement.js";
import "../faults/il-faults.js";
import { topics, View } from "../view.js";
import "./il-messages.js";
import "./il-violations.js";

/** @typedef {"messages" | "faults" | "violations" | "agreement"} Tab */

/** @type {Tab[]} */
const TABS = ["messages", "faults", "violations", "agreement"];

export class Tabs extends View {
  static topics = topics("messages", "network", "violations", "run", "state");

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
      const panel = h("div", { id: `panel-${tab}`, role: "tabpanel", "aria-labelledby": `tab-${tab}` });
      this.#tabs.set(tab, button);
      this.#panels.set(tab, panel);
      this.until(reachIfScrolled(panel));
      list.append(button);
      this.append(panel);
    }
  }

  /** @param {Tab} tab */
  show(tab) {
    this.#open = tab;
    this.draw();
  }

  /**
   * The tabs that the open run has. Loaded runs have no messages and no faults. If the head of the page already
   * shows the agreement, there is no tab for the agreement.
   */
  get #offered() {
    const isLoaded = store.run?.origin === "loaded";
    const agrees = store.hasLocks && (store.state?.agreement ?? []).length > 0;
    return TABS.filter((tab) => (tab === "agreement" ? agrees : tab === "violations" || !isLoaded));
  }

  draw() {
    const { network, held, violations } = store;
    const offered = this.#offered;
    const open = offered.includes(this.#open) ? this.#open : "violations";
    attribute(/** @type {Element} */ (this.closest("#board")), "data-tab", open);
    const links = network === null ? 0 : network.links.length + network.partitions.length + network.rules.length;
    const counts = { messages: held.length, faults: links, violations: violations.length, agreement: 0 };
    for (const [tab, button] of this.#tabs) {
      button.hidden = !offered.includes(tab);
      attribute(button, "aria-selected", tab === open ? "true" : "false");
      attribute(button, "tabindex", tab === open ? 0 : -1);
      text(/** @type {Element} */ (button.lastChild), counts[tab] > 0 ? counts[tab] : "");
      this.#drawPanel(tab, offered.includes(tab), tab === open);
    }
  }

  /** @param {Tab} tab @param {boolean} isOffered Whether the run has the tab. @param {boolean} isOpen */
  #drawPanel(tab, isOffered, isOpen) {
    const panel = this.#panels.get(tab);
    if (panel === undefined) return;
    panel.hidden = !isOpen;
    if (isOffered !== panel.hasChildNodes()) panel.replaceChildren(...(isOffered ? [document.createElement(`il-${tab}`)] : []));
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
