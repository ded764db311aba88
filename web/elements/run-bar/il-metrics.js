/** The metrics of the run, on one line. */

import { attribute, h, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { name } from "../../strings/lists.js";
import { costText } from "../../words/cost.js";
import { bytesText, figure } from "../../words/figures.js";
import { topics, View } from "../view.js";

/** @import { Delays, Metrics as Known } from "../../server/types.js" */

/**
 * The text of each metric. A metric without a text is hidden. For a run with locks, the metrics describe entries. For a
 * run without locks, they describe the number of messages.
 *
 * @type {Record<string, (metrics: Partial<Known>) => string>}
 */
const TEXTS = {
  entries: ({ entries }) => ofEntries(number(entries, 0)),
  messages: ({ messages }) => (store.hasLocks ? "" : number(messages, 0)),
  messages_per_entry: ({ messages_per_entry }) => ofEntries([number(messages_per_entry, 2), cost()].filter(isText).join(" · ")),
  messages_by_kind: ({ messages_by_kind }) => byKind(messages_by_kind, isShownKind) || "–",
  repair_messages: ({ repair_messages }) => byKind(repair_messages, () => true),
  channel: channelText,
  detector: detectorText,
  client_delay: ({ client_delay }) => ofEntries(delays(client_delay)),
  synchronisation_delay: ({ synchronisation_delay }) => ofEntries(delays(synchronisation_delay)),
  response_time: ({ response_time }) => ofEntries(delays(response_time)),
  throughput: ({ throughput }) => ofEntries(number(throughput, 1)),
  journal: journalText,
};

export class Metrics extends View {
  static topics = topics("metrics", "run");

  #list = h("dl", { id: "metrics" });

  build() {
    const { metrics } = strings;
    const make = (/** @type {[string, string]} */ [metric, title]) =>
      h("div", { title: metrics.tips[metric] }, h("dt", {}, title), h("dd", { "data-metric": metric }));
    this.#list.replaceChildren(...Object.entries(metrics.names).map(make));
    this.append(h("h2", { class: "unseen" }, metrics.title), this.#list);
  }

  draw() {
    const known = store.metrics ?? {};
    for (const value of this.#list.querySelectorAll("dd")) {
      const { metric = "" } = value.dataset;
      const shown = TEXTS[metric]?.(known) ?? "";
      text(value, shown);
      attribute(value, "data-value", JSON.stringify(Reflect.get(known, metric) ?? null));
      attribute(/** @type {Element} */ (value.parentElement), "hidden", shown === "");
    }
  }
}

/** @param {string} shown */
const isText = (shown) => shown !== "";

/** @param {string} shown */
const ofEntries = (shown) => (store.hasLocks ? shown : "");

/** Returns the number of messages for an entry as the formula of the algorithm says. */
const cost = () => costText(store.algorithm?.messages_per_entry ?? "", store.run?.specification.nodes ?? 0);

/** @param {string} kind */
const isShownKind = (kind) => store.algorithm === undefined || store.messageKinds.includes(kind);

/**
 * @param {Record<string, number> | undefined} counts
 * @param {(kind: string) => boolean} isShown Whether a kind without messages is shown.
 */
function byKind(counts = {}, isShown) {
  const shown = Object.entries(counts).filter(([kind, count]) => count > 0 || isShown(kind));
  return shown.map(([kind, count]) => `${kind} ${number(count, 0)}`).join(" · ");
}

/** Describes the overhead of channels that themselves send additional messages. @param {Partial<Known>} metrics */
function channelText({ channel }) {
  const { retransmissions = 0, acknowledgements = 0, stay_away = [] } = channel ?? {};
  const { ofChannel, staysAway } = strings.metrics;
  const away = stay_away.map(({ from, to, times }) => staysAway(name(to), name(from), times));
  const sent = ofChannel(number(retransmissions, 0), number(acknowledgements, 0));
  return retransmissions + acknowledgements > 0 ? [sent, ...away].join(" · ") : "";
}

/** Describes the quality of the failure detectors, if the run has failure detectors. @param {Partial<Known>} metrics */
function detectorText({ detector: quality }) {
  const { suspicions = 0, wrong_suspicions: wrong = 0, undetected = 0, time_to_detect: time } = quality ?? {};
  const { detector = "none" } = store.run?.specification ?? {};
  if (detector === "none" && suspicions === 0) return "";
  return strings.metrics.ofDetector(number(suspicions, 0), number(wrong, 0), number(undetected, 0), delays(time));
}

/** Describes the size of the journal and, while the run is live, its limit. */
function journalText() {
  const { bytes = null, limit_bytes: most = null } = store.journal ?? {};
  if (bytes === null) return "–";
  return most === null ? bytesText(bytes) : strings.metrics.ofJournal(bytesText(bytes), bytesText(most));
}

/** @param {number | null | undefined} value @param {0 | 1 | 2} digits */
const number = (value, digits) => (value === null || value === undefined ? "–" : figure(value, digits));

/** @param {Delays | undefined} is */
function delays(is) {
  if (is === null || is === undefined || is.mean === null) return "–";
  return `${number(is.mean, 1)} ms (≤ ${number(is.p99, 1)})`;
}

customElements.define("il-metrics", Metrics);
