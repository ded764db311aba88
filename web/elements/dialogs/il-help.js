/** The list of keys, and the way to the reference of the API. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { commands, namesOf } from "../../page/commands.js";
import { View } from "../view.js";

export class Help extends View {
  #dialog = h("dialog", { id: "help-dialog", "aria-labelledby": "help-title" });

  build() {
    const { help, header } = strings;
    const rows = commands
      .filter(({ keys }) => keys.length > 0)
      .map(({ name, keys }) => h("div", {}, h("dt", {}, ...namesOf(keys).map((key) => h("kbd", {}, key))), h("dd", {}, strings.commands[name])));
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
