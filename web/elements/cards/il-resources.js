/** The protected resources (an account or files), with their current values and the values that they should have. */

import { attribute, h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { figure } from "../../words/figures.js";
import { topics, View } from "../view.js";

/** @import { Resource } from "../../server/types.js" */

/** The server's name for the account resource. The page translates this name. */
const ACCOUNT = "account";

export class Resources extends View {
  static topics = topics("state", "run");

  /** @type {Map<string, Row>} */
  #rows = new Map();

  build() {
    this.#rows.clear();
    this.replaceChildren();
  }

  draw() {
    const resources = store.state?.resources ?? [];
    this.hidden = resources.length === 0;
    const names = new Set(resources.map(({ name }) => name));
    for (const [name, { element }] of this.#rows) if (!names.has(name)) element.remove();
    this.#rows = new Map([...this.#rows].filter(([name]) => names.has(name)));
    for (const resource of resources) this.#row(resource.name).draw(resource);
    attribute(this, "data-right", String(resources.every(isRight)));
  }

  /** @param {string} name */
  #row(name) {
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    const row = new Row(name);
    this.#rows.set(name, row);
    this.append(row.element);
    return row;
  }
}

class Row {
  #value = h("output");
  #expected = h("span", { class: "expected" });
  #writes = h("span", { class: "writes" });

  /** @param {string} name */
  constructor(name) {
    const title = name === ACCOUNT ? strings.resources.account : name;
    this.element = h("section", { "data-resource": name }, h("h2", {}, title), this.#value, this.#expected, this.#writes);
  }

  /** @param {Resource} resource */
  draw(resource) {
    const { expected, deposits, writes, refused } = strings.resources;
    const done = resource.name === ACCOUNT ? deposits : writes;
    attribute(this.element, "data-right", String(isRight(resource)));
    text(this.#value, figure(resource.value));
    text(this.#expected, isRight(resource) ? "" : expected(figure(resource.expected)));
    const late = resource.refused > 0 ? ` · ${refused(resource.refused)}` : "";
    text(this.#writes, `${done(resource.version)}${late}`);
  }
}

/** @param {Resource} resource */
const isRight = ({ value, expected }) => value === expected;

customElements.define("il-resources", Resources);
