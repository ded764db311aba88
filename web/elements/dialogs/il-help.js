/** The help dialog: the list of keys, and links to the guide and to the API reference. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { commands, namesOf } from "../../page/commands.js";
import { ownDiagramCommands } from "../../page/diagram-keys.js";
import { buttons } from "../fields/fields.js";
import { DialogView } from "./dialog-view.js";

export default class Help extends DialogView {
  static called = "help";

  build() {
    const { help, header } = strings;
    const ofPage = commands.filter(({ keys }) => keys.length > 0).map(({ name, keys }) => row(keys, strings.commands[name]));
    const ofDiagram = ownDiagramCommands.map(({ name, keys }) => row(keys, strings.diagramCommands[name]));
    const reference = h("a", { id: "reference", href: "/reference", target: "_blank" }, help.reference);
    const guide = h("a", { id: "guide", href: "/docs/", target: "_blank" }, help.guide);
    const close = buttons(h("button", { autofocus: true }, header.close));
    const lists = [h("dl", { class: "keys" }, ...ofPage), h("h3", {}, help.diagram), h("dl", { class: "keys" }, ...ofDiagram)];
    const content = [this.heading(help.title), ...lists, h("p", {}, guide), h("p", {}, reference), close];
    this.fill(h("form", { method: "dialog" }, ...content));
  }
}

/** @param {readonly string[]} keys @param {string} words */
const row = (keys, words) =>
  h("div", {}, h("dt", {}, ...namesOf(keys).map((key) => h("kbd", {}, key))), h("dd", {}, words));

customElements.define("il-help", Help);
