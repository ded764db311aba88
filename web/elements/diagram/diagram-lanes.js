/** The list of lanes. In the list, the user shows, hides, collapses and reorders lanes. */

import { Lanes } from "../../diagram/lanes.js";
import { attribute, h, keyed } from "../../drawing/dom.js";
import { popover } from "../../drawing/popover.js";
import { strings } from "../../drawing/preferences.js";
import { name } from "../../strings/lists.js";

export class DiagramLanes {
  lanes = new Lanes();
  /** All nodes, in the order in which the run lists them. @type {readonly number[]} */
  #all = [];
  #changed;
  #list = h("ol", { class: "nodes" });

  /** @param {() => void} changed Called after each change of the lanes. */
  constructor(changed) {
    this.#changed = changed;
    this.element = popover(h("summary", {}, strings.diagram.nodes), this.#list, { id: "diagram-lanes" });
  }

  open() {
    this.element.open = true;
    this.#list.querySelector("input")?.focus();
  }

  /**
   * Draws the list. Returns the nodes of the visible lanes, from top to bottom.
   *
   * @param {readonly number[]} all
   * @returns {number[]}
   */
  draw(all) {
    this.#all = all;
    const { laneUp, laneDown, collapsed } = strings.diagram;
    const nodes = this.lanes.ordered(all);
    const focus = document.activeElement;
    keyed(this.#list, nodes, (node) => node, (node) => this.#make(node), (row, node, place) => {
      const [up, down, thin] = ["up", "down", "thin"].map((what) => row.querySelector(`[data-do=${what}]`));
      const where = /** @type {const} */ ([name(node), place + 1, nodes.length]);
      if (up) attribute(up, "aria-label", laneUp(...where));
      if (down) attribute(down, "aria-label", laneDown(...where));
      if (thin) attribute(thin, "aria-label", collapsed(name(node)));
      if (thin) attribute(thin, "aria-pressed", String(this.lanes.thin.has(node)));
    });
    // Moving a row in the document removes its focus, so the focus is set again.
    if (focus instanceof HTMLElement && this.#list.contains(focus)) focus.focus();
    return this.lanes.shown(all);
  }

  /** Collapses a lane, or expands a collapsed one. @param {number} node */
  collapse(node) {
    this.lanes.collapse(node);
    this.#changed();
  }

  /** @param {number} node @param {number} other The node whose position the lane takes. */
  put(node, other) {
    this.lanes.put(this.#all, node, other);
    this.#changed();
  }

  /** @param {number} node @param {1 | -1} by */
  #move(node, by) {
    this.lanes.move(this.#all, node, by);
    this.#changed();
  }

  /** @param {number} node */
  #make(node) {
    const box = h("input", { type: "checkbox", checked: !this.lanes.hidden.has(node), "data-lane": node });
    box.onchange = () => {
      this.lanes.show(node, box.checked);
      this.#changed();
    };
    const button = (/** @type {string} */ what, /** @type {string} */ sign, /** @type {() => void} */ onclick) =>
      h("button", { "data-do": what, onclick }, sign);
    const row = h(
      "li",
      { "data-node": node },
      h("label", {}, box, name(node)),
      button("thin", "⇕", () => this.collapse(node)),
      button("up", "↑", () => this.#move(node, -1)),
      button("down", "↓", () => this.#move(node, 1)),
    );
    row.onkeydown = (event) => {
      if (!event.altKey || !(event.key === "ArrowUp" || event.key === "ArrowDown")) return;
      event.preventDefault();
      this.#move(node, event.key === "ArrowUp" ? -1 : 1);
    };
    return row;
  }
}
