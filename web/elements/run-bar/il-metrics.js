/** The metrics of the run, on one line. */

import { attribute, h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { bytesText, figure } from "../../words/figures.js";
import { topics, View } from "../view.js";

/** @import { Delays } from "../../server/types.js" */

/**
 * Metrics that are shown whether or not the run has locks. Some of these metrics are hidden while their value is
 * zero.
 */
const ALWAYS = new Set(["messages_by_kind", "repair_messages", "channel", "detector", "journal"]);

export class Metrics extends View {
  static topics = topics("metrics", "run");

  #list = h("dl", { id: "metrics" });
  /** @type {Map<string, HTMLElement>} */
  #values = new Map();

  build() {
    const { metrics } = strings;
    this.#list.replaceChildren(
      this.#make("entries", metrics.entries),
      this.#make("messages", metrics.messages),
      this.#make("messages_per_entry", metrics.perEntry),
      this.#make("messages_by_kind", metrics.byKind),
      this.#make("repair_messages", metrics.repair),
      this.#make("channel", metrics.channel),
      this.#make("detector", metrics.detector, metrics.detectorTip),
      this.#make("client_delay", metrics.client, metrics.delayTip),
      this.#make("synchronisation_delay", metrics.synchronisation, metrics.delayTip),
      this.#make("response_time", metrics.response, metrics.delayTip),
      this.#make("throughput", metrics.throughput),
      this.#make("journal", metrics.journal, metrics.journalTip),
    );
    this.append(h("h2", { class: "unseen" }, metrics.title), this.#list);
  }

  /** @param {string} metric @param {string} title @param {string | null} [tip] */
  #make(metric, title, tip = null) {
    const value = h("dd", { "data-metric": metric });
    this.#values.set(metric, value);
    return h("div", { title: tip }, h("dt", {}, title), value);
  }

  /**
   * Shows the metrics that apply to the run. For a run with locks, these metrics describe entries. For a run
   * without locks, they describe the number of messages.
   */
  #chooseShown() {
    for (const [metric, value] of this.#values) {
      if (value.parentElement === null || ALWAYS.has(metric)) continue;
      value.parentElement.hidden = store.hasLocks === (metric === "messages");
    }
  }

  draw() {
    const { metrics } = store;
    this.#chooseShown();
    this.#show("entries", number(metrics?.entries, 0));
    this.#show("messages", number(metrics?.messages, 0));
    this.#show("messages_per_entry", number(metrics?.messages_per_entry, 2));
    const shown = new Set(store.messageKinds);
    const isShown = (/** @type {string} */ kind) => shown.has(kind) || store.algorithm === undefined;
    const kinds = Object.entries(metrics?.messages_by_kind ?? {}).filter(([kind, count]) => count > 0 || isShown(kind));
    this.#show("messages_by_kind", kinds.map(([kind, count]) => `${kind} ${number(count, 0)}`).join(" · ") || "–");
    this.#showRepairs();
    this.#showChannel();
    this.#showDetector();
    this.#show("client_delay", delays(metrics?.client_delay));
    this.#show("synchronisation_delay", delays(metrics?.synchronisation_delay));
    this.#show("response_time", delays(metrics?.response_time));
    this.#show("throughput", number(metrics?.throughput, 1));
    this.#showJournal();
  }

  /** Shows the size of the journal and, while the run is live, its limit. */
  #showJournal() {
    const { bytes = null, limit_bytes: most = null } = store.journal ?? {};
    const { ofJournal } = strings.metrics;
    const shown = bytes === null ? "–" : most === null ? bytesText(bytes) : ofJournal(bytesText(bytes), bytesText(most));
    this.#show("journal", shown);
  }

  /** Shows the overhead of channels that themselves send additional messages. */
  #showChannel() {
    const { retransmissions = 0, acknowledgements = 0, stay_away = [] } = store.metrics?.channel ?? {};
    const { ofChannel, staysAway } = strings.metrics;
    const away = stay_away.map(({ from, to, times }) => staysAway(name(from), name(to), times));
    const shown = [ofChannel(number(retransmissions, 0), number(acknowledgements, 0)), ...away].join(" · ");
    this.#showWhere(retransmissions + acknowledgements > 0, "channel", shown);
  }

  /** Shows the number of messages that the algorithm sent to repair failures, if there were such messages. */
  #showRepairs() {
    const kinds = Object.entries(store.metrics?.repair_messages ?? {}).map(([kind, count]) => `${kind} ${number(count, 0)}`);
    this.#showWhere(kinds.length > 0, "repair_messages", kinds.join(" · "));
  }

  /** Shows the quality of the failure detectors, if the run has failure detectors. */
  #showDetector() {
    const { suspicions = 0, wrong_suspicions: wrong = 0, undetected = 0, time_to_detect: time } = store.metrics?.detector ?? {};
    const { ofDetector } = strings.metrics;
    const shown = ofDetector(number(suspicions, 0), number(wrong, 0), number(undetected, 0), delays(time));
    const { detector = "none" } = store.run?.specification ?? {};
    this.#showWhere(detector !== "none" || suspicions > 0, "detector", shown);
  }

  /** @param {boolean} isThere @param {string} metric @param {string} shown */
  #showWhere(isThere, metric, shown) {
    this.#show(metric, shown);
    const part = this.#values.get(metric)?.parentElement;
    if (part !== null && part !== undefined) part.hidden = !isThere;
  }

  /** @param {string} metric @param {string} shown */
  #show(metric, shown) {
    const value = this.#values.get(metric);
    if (value === undefined) return;
    text(value, shown);
    attribute(value, "data-value", JSON.stringify(Reflect.get(store.metrics ?? {}, metric) ?? null));
  }
}

/** @param {number | null | undefined} value @param {0 | 1 | 2} digits */
const number = (value, digits) => (value === null || value === undefined ? "–" : figure(value, digits));

/** @param {Delays | undefined} is */
function delays(is) {
  if (is === null || is === undefined || is.mean === null) return "–";
  return `${number(is.mean, 1)} ms (≤ ${number(is.p99, 1)})`;
}

customElements.define("il-metrics", Metrics);
