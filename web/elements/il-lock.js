/** The lock, to be read from the last row: free, held by whom, or violated; who waits; how the run stands. */

import { attribute, h, keyed, text } from "../dom.js";
import { strings } from "../preferences.js";
import { becauseOf } from "../sentences.js";
import { store } from "../store.js";
import { name } from "../strings/lists.js";
import { Piece } from "./piece.js";

/** So many fit in large print. */
const MOST_LARGE = 6;
const MOST_WAITING = 14;
const ANNOUNCE_MS = 1_000;

export class Lock extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["state", "connection", "run"];

  #word = h("span", { class: "word" });
  #who = h("span", { class: "who" });
  #state = h("div", { id: "lock-state" }, this.#word, " ", this.#who);
  #waiting = h("ol", { id: "waiting", tabindex: "-1" });
  #nobody = h("span", { class: "nobody" });
  #entries = h("output", { id: "entries" });
  #others = h("ul", { class: "other-locks" });
  #status = h("strong", {});
  #sentence = h("span", {});
  #show = h("button", { onclick: () => this.#showViolations() });
  #verdict = h("div", { id: "verdict" }, this.#status, this.#sentence, this.#show);
  #past = h("span", {});
  #pastBar = h("div", { id: "past", hidden: true }, this.#past);
  #announcer = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #announcing;

  build() {
    const { lock, past } = strings;
    const now = h("button", { id: "now", onclick: () => store.travel(null) }, past.now);
    this.#pastBar.replaceChildren(this.#past, now);
    text(this.#nobody, lock.nobody);
    this.append(
      h(
        "div",
        { class: "lock" },
        this.#state,
        h("div", { class: "queue" }, h("h2", {}, lock.waiting), this.#waiting, this.#nobody),
        h("div", { class: "entries" }, h("h2", {}, lock.entries), this.#entries),
      ),
      this.#others,
      this.#pastBar,
      this.#verdict,
      this.#announcer,
    );
    this.until(() => clearTimeout(this.#announcing));
  }

  draw() {
    const { state, at } = store;
    const [first, ...others] = state?.locks ?? [];
    this.#drawFirst(first);
    keyed(
      this.#others,
      others,
      ({ lock }) => lock,
      () => h("li"),
      (item, other) => text(item, `${strings.lock.title(other.lock)}: ${wordOf(other.holders)} ${whoOf(other.holders)}`),
    );
    this.#pastBar.hidden = at === null;
    text(this.#past, at === null ? "" : strings.past.text(at));
    this.#drawVerdict();
  }

  /** @param {import("../types.js").LockState | undefined} lock */
  #drawFirst(lock) {
    const holders = [...(lock?.holders ?? [])].sort((a, b) => a - b);
    const kind = lock === undefined ? "unknown" : holders.length === 0 ? "free" : holders.length === 1 ? "held" : "violated";
    attribute(this.#state, "data-lock", kind);
    attribute(this.#state, "data-holders", holders.join(","));
    attribute(this.#state, "data-verdict", store.state?.verdict.status ?? "unknown");
    text(this.#word, lock === undefined ? strings.lock.unknown : wordOf(holders));
    text(this.#who, whoOf(holders));
    this.#state.classList.toggle("crowd", holders.length > 2);
    const waiting = lock?.waiting ?? [];
    keyed(
      this.#waiting,
      waiting.slice(0, MOST_WAITING),
      ({ node, request }) => `${node}-${request}`,
      ({ node }) => h("li", { "data-waiting": node }, h("b", {}, name(node)), h("small")),
      (item, { since_us }) => text(/** @type {Element} */ (item.lastChild), sinceText(since_us)),
    );
    attribute(this.#waiting, "data-many", waiting.length > MOST_LARGE);
    attribute(this.#waiting, "data-more", waiting.length > MOST_WAITING ? `+ ${waiting.length - MOST_WAITING}` : null);
    this.#nobody.hidden = waiting.length > 0;
    text(this.#entries, lock?.entries ?? "–");
    this.#announce(kind, holders);
  }

  #drawVerdict() {
    const verdict = store.state?.verdict;
    this.#verdict.hidden = verdict === undefined;
    if (verdict === undefined) return;
    const { status, lastKnown } = strings.verdict;
    const { stale } = store;
    const word = status[verdict.status];
    attribute(this.#verdict, "data-status", stale ? "stale" : verdict.status);
    text(this.#status, stale ? lastKnown(word) : word);
    text(this.#sentence, stale ? strings.connectionTip.disconnected : becauseOf(verdict));
    this.#show.hidden = verdict.violations === 0;
    text(this.#show, `${strings.verdict.count(verdict.violations)} …`);
  }

  /**
   * Says it for those who do not see it, at most once a second, and only the last of what there was to say.
   *
   * @param {string} kind
   * @param {number[]} holders
   */
  #announce(kind, holders) {
    const { announceFree, announceHeld, announceViolated } = strings.lock;
    const sentences = { free: announceFree, held: announceHeld(holders), violated: announceViolated(holders) };
    const sentence = sentences[/** @type {keyof typeof sentences} */ (kind)] ?? "";
    if (this.#announcer.dataset["next"] === sentence) return;
    this.#announcer.dataset["next"] = sentence;
    this.#announcing ??= setTimeout(() => {
      this.#announcing = undefined;
      text(this.#announcer, this.#announcer.dataset["next"] ?? "");
    }, ANNOUNCE_MS);
  }

  #showViolations() {
    this.dispatchEvent(new CustomEvent("show-tab", { bubbles: true, detail: "violations" }));
  }
}

/** @param {number[]} holders */
function wordOf({ length }) {
  const { free, heldBy, violated } = strings.lock;
  return length === 0 ? free : length === 1 ? heldBy : violated;
}

/** @param {number[]} holders */
const whoOf = (holders) => (holders.length === 0 ? "" : strings.names(holders));

/** @param {number} since_us */
function sinceText(since_us) {
  const waited_s = ((store.state?.at_us ?? since_us) - since_us) / 1_000_000;
  return strings.lock.since(waited_s.toFixed(1));
}

customElements.define("il-lock", Lock);
