/** Sentences about events, schedule actions, violations and verdicts, in the language of the page. */

import { strings } from "../drawing/preferences.js";
import { store } from "../run/store.js";
import { name, partsOf } from "../strings/lists.js";
import { noteInWords, reasonInWords } from "./catalogue.js";
import { figure } from "./figures.js";
import { isRecorded, verdictIn } from "./run-words.js";

/** @import { Ballot, Choice, Happening, Reason, Verdict, Violation, Warning } from "../server/types.js" */

/**
 * Returns the page's sentence for a code. If the page does not know the code, returns the sentence of the server.
 *
 * @param {string} code
 * @param {Record<string, any>} values
 * @param {string | undefined} sentence
 */
function explain(code, values, sentence) {
  return strings.because[code]?.(values) ?? sentence ?? `${code} ${JSON.stringify(values)}`;
}

/** @param {Violation | NonNullable<Happening["violation"]>} violation */
export function violationOf(violation) {
  const sentence = "sentence" in violation ? violation.sentence : undefined;
  return explain(violation.code, violation.arguments, sentence);
}

/** @param {Warning} warning */
export const warningOf = (warning) => explain(warning.code, warning, warning.sentence);

/** @param {Verdict} verdict */
export function becauseOf({ status, because }) {
  const { fine, sentence } = strings.verdict;
  const is_recorded = isPast();
  const general = status === "ok" && store.subject !== "lock" ? fine : sentence[verdictIn(status, is_recorded)];
  return because === null ? general : explain(because.code, { ...because, is_recorded }, because.sentence ?? general);
}

/** Whether the page shows something that no action of the user can change. */
const isPast = () => store.at !== null || (store.run !== null && isRecorded(store.run));

/**
 * Returns the headline of the open run at the cursor: the phenomenon that the run shows, or the verdict in one word.
 *
 * @param {Verdict} verdict
 */
export const headlineOf = ({ status, phenomenon }) =>
  phenomenon ? strings.phenomena[phenomenon.name](phenomenon) : strings.verdict.status[verdictIn(status, isPast())];

/**
 * Describes a value of an event. The value is, for example, `"ordered"` or `{ "unexpected": "signal 11" }`.
 *
 * @param {unknown} value
 */
function word(value) {
  if (value === null || typeof value !== "object") return String(value ?? "");
  return Object.entries(value)
    .map(([key, detail]) => `${key} (${typeof detail === "string" ? detail : bodyText(detail)})`)
    .join(", ");
}

/**
 * Returns the displayed name of a timer. The timer is, for example, `{ "client": "hold" }`, or `{ "channel": 2 }` for
 * retransmission to P2.
 *
 * @param {unknown} timer
 */
export function timerName(timer) {
  if (timer === null || typeof timer !== "object") return word(timer);
  if ("detector" in timer) return strings.faults.detector;
  if ("channel" in timer) return `${strings.metrics.names.channel} → ${name(Number(timer.channel))}`;
  return Object.values(timer).map(word).join(" ");
}

/** @param {Happening} event */
function orderIn({ command = {} }) {
  const { id: _, ...order } = command;
  return Object.keys(order)
    .filter((key) => order[key] !== null)
    .join(" ")
    .replaceAll("_", " ");
}

/** @param {Happening} event */
function changeIn({ change }) {
  if (change === undefined) return "";
  const { subject, id = "" } = change;
  const value = /** @type {any} */ (change.value ?? null);
  const { network, partition, rule, remove } = strings.schedules.choices;
  const [from, to] = id.split("-").map(Number);
  switch (subject) {
    case "default":
      return network?.({ default: value ?? {} });
    case "link":
      return network?.({ link: { ...value, from, to } });
    case "partition":
      return value === null ? remove?.({ partition: id }) : partition?.(value);
    case "rule":
      return value === null ? remove?.({ rule: id }) : [rule?.(value), timesIn(value)].filter((part) => part !== "").join(", ");
    default:
      return [subject, id, bodyText(value)].filter((part) => part !== "").join(" ");
  }
}

/** Returns how often a rule applies. If the rule applies always, returns an empty string. @param {{ count?: number | null }} rule */
const timesIn = ({ count = null }) => (count === null ? "" : strings.faults.times(count));

/** @template {object} T @param {T} table @param {unknown} key */
const known = (table, key) => String(Reflect.get(table, String(key)) ?? word(key));

/** Returns the number of a lock. If the run has only one lock, returns null. @param {number | undefined} lock */
const ofSeveral = (lock = 0) => (store.several || lock > 0 ? lock : null);

/** Describes the message of a network event, for example `REPLY 1.0.1`. @param {Happening} event */
const carried = ({ message_kind, message }) => `${message_kind} ${message}`;

/** Returns whether a message is a copy that a channel has retransmitted. @param {string} [message] */
const isCopy = (message = "") => message.split(".").length > 3;

/**
 * Describes why a resource refused a write. The reason is, for example, `{ "late": { "fence": 1, "newest": 2 } }`.
 *
 * @param {unknown} why
 * @param {typeof strings.events} events
 */
function whyRejected(why, { late, unfenced, changed }) {
  const [[reason, is] = ["", {}]] = Object.entries(/** @type {Record<string, any>} */ (why ?? {}));
  if (reason === "late") return late(is.fence, is.newest);
  if (reason === "unfenced") return unfenced(is.newest);
  return reason === "changed" ? changed(is.named, is.version) : word(why);
}

/** @type {Record<string, (event: Happening, events: typeof strings.events) => string>} */
const SENTENCES = {
  created: (_, { created }) => created,
  ended: ({ why }, { ended }) => ended(word(why)),
  started: ({ pid }, { started }) => started(pid ?? 0),
  crashed: ({ cause }, { crashed }) => crashed(word(cause)),
  paused: (_, { paused }) => paused,
  resumed: (_, { resumed }) => resumed,
  restarted: ({ state }, events) => (state === "none" ? events.restartedNone : events.restartedStored),
  initialized: (_, { initialized }) => initialized,
  commanded: (event, { commanded }) => commanded(orderIn(event)),
  fired: ({ timer }, { fired }) => fired(timerName(timer)),
  delivered: ({ message_kind, from }, { delivered }) => delivered(message_kind ?? "", name(from ?? 0)),
  sent: ({ message_kind, to, body, message }, { sent, sentAgain }) =>
    `${(isCopy(message) ? sentAgain : sent)(message_kind ?? "", name(to ?? 0))}${inBrackets(bodyText(body))}`,
  taken: ({ message_kind, from }, { taken }) => taken(message_kind ?? "", name(from ?? 0)),
  suspected: ({ whom }, { suspected }) => suspected(name(whom ?? 0)),
  trusted: ({ whom }, { trusted }) => trusted(name(whom ?? 0)),
  duplicated: (event, events) => events.duplicated(carried(event), known(events.words.by, event.by)),
  held: (event, { held }) => held(carried(event)),
  forwarded: (event, { forwarded }) => forwarded(carried(event)),
  dropped: (event, events) => events.dropped(carried(event), known(events.words.why, event.why)),
  armed: ({ timer, delay_us }, { armed }) => armed(timerName(timer), figure((delay_us ?? 0) / 1000, 1)),
  cancelled: ({ timer }, { cancelled }) => cancelled(timerName(timer)),
  stored: (_, { stored }) => stored,
  requested: ({ lock }, { requested }) => requested(ofSeveral(lock)),
  entered: ({ lock }, { entered }) => entered(ofSeveral(lock)),
  exited: ({ lock }, { exited }) => exited(ofSeveral(lock)),
  blocked: ({ lock, on }, { blocked }) => blocked(lock ?? 0, on ?? []),
  aborted: ({ cause }, events) => events.aborted(known(events.words.cause, cause)),
  expired: ({ holder, lock }, { expired }) => expired(lock ?? 0, name(holder ?? 0)),
  reported: ({ cycle, victim }, { reported }) => reported(cycle ?? [], name(victim ?? 0)),
  called: ({ term }, { called }) => called(term ?? 0),
  elected: ({ node, leader, term }, { elected, becameLeader }) =>
    node === leader ? becameLeader(term ?? 0) : elected(name(leader ?? 0), term ?? 0),
  proposed: ({ value, instance }, { proposed }) => proposed(String(value ?? ""), instance ?? 0),
  promised: ({ ballot, instance }, { promised }) => promised(ballotText(ballot), instance ?? 0),
  accepted: ({ value, ballot, instance }, { accepted }) => accepted(String(value ?? ""), ballotText(ballot), instance ?? 0),
  decided: ({ value, instance }, { decided }) => decided(String(value ?? ""), instance ?? 0),
  invoked: ({ operation }, { invoked }) => invoked(partsOf(operation)),
  returned: ({ response }, { returned }) => returned(partsOf(response)),
  put: ({ node, resource, value }, { put, putBySomebody }) =>
    (node === undefined ? putBySomebody : put)(Number(value), resource ?? ""),
  rejected: ({ resource, value, why }, events) => events.rejected(Number(value), resource ?? "", whyRejected(why, events)),
  noted: ({ detail }) => noteInWords(detail ?? ""),
  refused: ({ detail }, { refused }) => refused(detail ?? ""),
  misbehaved: ({ detail }, { misbehaved }) => misbehaved(detail ?? ""),
  configured: (event, { configured }) => configured(changeIn(event)),
  violated: ({ violation }, { violated }) => violated(violation === undefined ? "" : violationOf(violation)),
};

/** The kinds of events, in alphabetical order. */
export const KINDS = Object.keys(SENTENCES).sort();

/** @param {Happening} event */
export function sentenceOf(event) {
  const sentence = SENTENCES[event.kind]?.(event, strings.events) ?? event.kind;
  return event.rule === undefined ? sentence : `${sentence} (${strings.events.words.rule} ${event.rule})`;
}

/**
 * Describes the reasons of a step. The first event of the step contains them.
 *
 * @param {Happening} event
 * @param {string} [whose] Name of the algorithm. Default: that of the open run.
 * @returns {string[]}
 */
export const reasonsIn = ({ because }, whose = store.algorithm?.name) =>
  (because ?? []).map((reason) => reasonText(reason, whose));

/**
 * Describes a reason, with its values.
 *
 * @param {Reason} reason A reason. A custom program may have sent any other value as a reason.
 * @param {string} [whose] Name of the algorithm, or code of the reason that contains this reason.
 * @returns {string}
 */
function reasonText(reason, whose) {
  if (typeof reason?.code !== "string") return word(reason);
  const { code, lock: _, because, ...values } = reason;
  // A custom program may send any text as a reason.
  if (code === "said" && typeof values["text"] === "string") return values["text"];
  const words = reasonInWords(code, whose);
  const said = because === undefined ? words : `${words} ${reasonWithin(code, because)}`;
  const numbers = Object.entries(values).map(([key, value]) => `${key} ${reasonValue(key, value)}`);
  return numbers.length === 0 ? said : `${said} (${numbers.join(", ")})`;
}

/**
 * Describes the reason of an algorithm that runs as a part of another algorithm.
 *
 * @param {string} code
 * @param {any} because
 */
function reasonWithin(code, because) {
  // The outer algorithm contains an election algorithm. The variant of the outer algorithm has the name of the
  // election algorithm.
  if (code === "election") return reasonText(Object.values(because ?? {})[0], store.run?.specification.variant);
  return reasonText(because, code);
}

/** Names of values that are nodes. */
const NODES = new Set([
  ...["blocked", "by", "candidate", "client", "coordinator", "dead", "father", "first", "from", "holder", "leader"],
  ...["node", "process", "receiver", "sender", "to", "whom"],
]);

/**
 * @param {string} key
 * @param {any} value A number, a timestamp, or the reason of an algorithm that runs as a part of another algorithm.
 * @returns {string}
 */
const reasonValue = (key, value) => (typeof value?.code === "string" ? reasonText(value) : valueText(key, value));

/**
 * Describes the fields of a message in short form, for example `clock 4, process P1`.
 *
 * @param {unknown} body
 * @returns {string}
 */
export function bodyText(body) {
  if (Array.isArray(body)) return valueText("", body);
  if (body === null || typeof body !== "object") return body === undefined || body === null ? "" : String(body);
  return fieldsOf(body).join(", ");
}

/** Describes each field of a value. @param {object} value */
const fieldsOf = (value) => Object.entries(value).map(([key, inner]) => `${key.replaceAll("_", " ")} ${valueText(key, inner)}`);

/**
 * Describes the value of a field. A field may itself have fields. An example is the algorithm's own message, which is
 * sent together with the number of its lock.
 *
 * @param {string} key Name of the field.
 * @param {any} value
 * @returns {string}
 */
function valueText(key, value) {
  if (value === null || value === undefined || value === false) return "–";
  if (value === true) return "✓";
  if (Array.isArray(value)) return listText(key, value);
  if (typeof value !== "object") return NODES.has(key) && typeof value === "number" ? name(value) : String(value);
  if ("round" in value && "proposer" in value) return ballotText(value);
  if ("clock" in value && "process" in value) return `⟨${value.clock}, ${name(value.process)}⟩`;
  return `(${bodyText("kind" in value && "body" in value ? value.body : value)})`;
}

/**
 * Describes a list. The items of a list of simple values have only spaces between them.
 *
 * @param {string} key
 * @param {readonly any[]} list
 */
function listText(key, list) {
  if (list.length === 0) return "–";
  const isSimple = list.every((item) => item === null || typeof item !== "object");
  const itemText = (/** @type {any} */ item) =>
    item === null || typeof item !== "object" || Array.isArray(item) ? valueText(key, item) : fieldsOf(item).join(" ");
  return list.map(itemText).join(isSimple ? " " : ", ");
}

/** @param {string} text */
const inBrackets = (text) => (text === "" ? "" : ` (${text})`);

/** Returns a ballot as text, with its round and its proposer. @param {Ballot | undefined} ballot */
export const ballotText = (ballot) => (ballot === undefined ? "" : `⟨${ballot.round}, ${name(ballot.proposer)}⟩`);

/**
 * Returns a sentence for an action of a schedule. For an unknown action, returns its JSON.
 *
 * @param {Choice} choice
 */
export function choiceText(choice) {
  const [[verb, what] = ["", null]] = Object.entries(choice);
  return strings.schedules.choices[verb]?.(what) ?? `${verb} ${JSON.stringify(what)}`;
}

/** @param {number} at_us */
export const timeText = (at_us) => figure(at_us / 1_000_000, 3);
