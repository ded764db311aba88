/** The help dialog: the list of keys, and links to the guide and to the API reference. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { commands, namesOf } from "../../page/commands.js";
import { buttons } from "../fields/fields.js";
import { DialogView } from "./dialog-view.js";

export default class Help extends DialogView {
  static called = "help";

  build() {
    const { help, header } = strings;
    const rows = commands.filter(({ keys }) => keys.length > 0).map(({ name, keys }) => {
      const printed = namesOf(keys).map((key) => h("kbd", {}, key));
      return h("div", {}, h("dt", {}, ...printed), h("dd", {}, strings.commands[name]));
    });
    const reference = h("a", { id: "reference", href: "/reference", target: "_blank" }, help.reference);
    const guide = h("a", { id: "guide", href: "/docs/", target: "_blank" }, help.guide);
    const close = buttons(h("button", { autofocus: true }, header.close));
    const content = [this.heading(help.title), h("dl", { class: "keys" }, ...rows), h("p", {}, guide), h("p", {}, reference), close];
    this.fill(h("form", { method: "dialog" }, ...content));
  }
}

customElements.define("il-help", Help);
