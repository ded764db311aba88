/** The account that the clients pay into: what is in it, and what should be. */

import { attribute, h, text } from "../dom.js";
import { preferences, strings } from "../preferences.js";
import { store } from "../store.js";
import { Piece } from "./piece.js";

export class Account extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["state", "run"];

  #balance = h("output", { id: "balance" });
  #expected = h("span", { class: "expected" });
  #deposits = h("span", { class: "deposits" });

  build() {
    this.append(h("h2", {}, strings.account.title), this.#balance, this.#expected, this.#deposits);
  }

  draw() {
    const account = store.state?.account;
    this.hidden = account === undefined;
    if (account === undefined) return;
    const { expected, deposits, refused } = strings.account;
    const isRight = account.balance === account.expected;
    attribute(this, "data-right", String(isRight));
    text(this.#balance, number(account.balance));
    text(this.#expected, isRight ? "" : expected(number(account.expected)));
    const late = account.refused > 0 ? ` · ${refused(account.refused)}` : "";
    text(this.#deposits, `${deposits(account.deposits)}${late}`);
  }
}

/** @param {number} value */
const number = (value) => value.toLocaleString(preferences.language);

customElements.define("il-account", Account);
