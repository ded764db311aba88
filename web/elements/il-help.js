/** The list of keys, and the way to the reference of the API. */

import { h } from "../dom.js";
import { strings } from "../preferences.js";
import { Piece } from "./piece.js";

export class Help extends Piece {
  #dialog = h("dialog", { id: "help-dialog", "aria-labelledby": "help-title" });

  build() {
    const { help, header } = strings;
    const rows = help.keys.map(([key, meaning]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, meaning)));
    this.#dialog.replaceChildren(
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "help-title" }, help.title),
        h("dl", { class: "keys" }, ...rows),
        h("p", {}, h("a", { id: "reference", href: "/reference", target: "_blank" }, help.reference)),
        h("div", { class: "buttons" }, h("button", { autofocus: true }, header.close)),
      ),
    );
    this.append(this.#dialog);
  }

  open() {
    this.#dialog.showModal();
  }
}

customElements.define("il-help", Help);
