/** The protected resources (an account or files), with their current values and the values that they should have. */

import { attribute, h, keyed, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { figure } from "../../words/figures.js";
import { ACCOUNT } from "../stage/stage-account.js";
import { topics, View } from "../view.js";

/** @import { Resource } from "../../server/types.js" */

export class Resources extends View {
  static topics = topics("state", "run");

  draw() {
    const resources = store.state?.resources ?? [];
    this.hidden = resources.length === 0;
    keyed(this, resources, ({ name }) => name, makeRow, drawRow);
    attribute(this, "data-right", String(resources.every(isRight)));
  }
}

/** @param {Resource} resource */
function makeRow({ name }) {
  const title = h("h2", {}, name === ACCOUNT ? strings.resources.account : name);
  return h("section", { "data-resource": name }, title, h("output"), h("span", { class: "expected" }), h("span", { class: "writes" }));
}

/** @param {HTMLElement} row @param {Resource} resource */
function drawRow(row, resource) {
  const { expected, deposits, writes, refused } = strings.resources;
  const [, value, should, done] = row.children;
  if (value === undefined || should === undefined || done === undefined) return;
  const count = resource.name === ACCOUNT ? deposits : writes;
  const late = resource.refused > 0 ? ` · ${refused(resource.refused)}` : "";
  attribute(row, "data-right", String(isRight(resource)));
  text(value, figure(resource.value));
  text(should, isRight(resource) ? "" : expected(figure(resource.expected)));
  text(done, `${count(resource.version)}${late}`);
}

/** @param {Resource} resource */
const isRight = ({ value, expected }) => value === expected;

customElements.define("il-resources", Resources);
