/**
 * A message on the stage. The message is drawn as an envelope with its kind and key field. If there are many
 * messages, only a mark is drawn.
 */

import { attribute, keyed, s, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { saidOn } from "../../stage/carried.js";
import { lookOf } from "../../stage/message-looks.js";
import { HEIGHT } from "../../stage/spread.js";
import { through } from "../../stage/arrows.js";
import { name } from "../../strings/lists.js";
import { drawArrow, makeArrow } from "./stage-relations.js";

/** @import { Box, Place, Point } from "../../stage/box.js" */
/**
 * @typedef {object} Shown A message on the stage.
 * @property {string} id
 * @property {string} kind
 * @property {number} from
 * @property {number} to
 * @property {"on-the-way" | "held" | "lost"} fate
 */

const LETTERS = 32;
/** Width of a capital letter (`BREADTH`) and of a narrow character. */
const BREADTH = 22.5;
const NARROW = 13;
const IS_NARROW = /[ ,.:⟨⟩]/gu;
/** Width reserved for the mark at the left, and for the sign at the right that shows the message's fate. */
const MARK = 46;
const SIGN = 38;
/**
 * Scale of a mark without an envelope. `ALONE` applies if there are few messages on the stage, `AMONG_MANY` if
 * there are many.
 */
const ALONE = 1.7;
const AMONG_MANY = 0.9;
/** Maximum number of messages for which the scale `ALONE` applies. */
const MANY = 60;

/** Shape of a raised hand, the sign of a held message. */
const HAND = "M-7 2V-6M-2.5 0V-11M2.5 0V-11M7 2V-8M-11 -1L-7 6";
const PALM = "M-9 1H9V7a7 7 0 0 1 -7 7H-2a7 7 0 0 1 -7 -7Z";
const CROSS = "M-9 -9L9 9M9 -9L-9 9";

/** @param {{ id: string, kind: string }} message */
export function makeMessage({ id, kind }) {
  const { colour, shape, outline } = lookOf(kind, store.algorithm?.message_kinds ?? []);
  const group = s("g", { "data-envelope": id, "data-colour": colour, "data-shape": shape });
  const choose = () => store.pick(id);
  group.addEventListener("click", choose);
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  });
  group.append(s("rect", { class: "paper", y: -HEIGHT / 2, height: HEIGHT, rx: 5 }), s("path", { class: "mark", d: outline }));
  return group;
}

/** Adds the text to an envelope. @param {SVGElement} mark */
function makeWords(mark) {
  const words = s("text", { "font-size": LETTERS, dy: "0.35em" });
  mark.before(s("path", { class: "flap" }));
  mark.after(words);
  return words;
}

/** Makes the sign that marks a message as held or lost. @param {SVGElement} group */
function makeSign(group) {
  const sign = s(
    "g",
    { class: "fate" },
    s("path", { class: "hand", d: HAND }),
    s("path", { class: "palm", d: PALM }),
    s("path", { class: "cross", d: CROSS }),
  );
  group.append(sign);
  return sign;
}

/** Returns the text on an envelope. @param {Shown} message */
const wordsOf = ({ id, kind }) => saidOn(kind, store.state?.under_way?.[id]?.body);

/** @param {string} said */
const breadthOf = (said) => said.length * BREADTH - (said.match(IS_NARROW)?.length ?? 0) * (BREADTH - NARROW);

/** Returns the scale of a mark without an envelope. @param {number} count Number of messages on the stage. */
export const scaleOf = (count) => (count > MANY ? AMONG_MANY : ALONE);

/**
 * Returns the width of a message.
 *
 * @param {Shown} message
 * @param {boolean} labelled Whether there is space for text.
 * @param {number} scale Scale of the mark if the message has no envelope.
 */
export const widthOf = (message, labelled, scale) =>
  labelled
    ? MARK + breadthOf(wordsOf(message)) + 18 + (message.fate === "on-the-way" ? 0 : SIGN)
    : 24 * scale;

/**
 * @param {SVGElement} group
 * @param {Shown} message
 * @param {Point} at
 * @param {object} look
 * @param {boolean} look.labelled Whether there is space for text.
 * @param {number} look.scale Scale of the mark if the message has no envelope.
 * @param {boolean} look.reachable Whether the Tab key reaches the message.
 * @param {Box} look.box
 */
export function drawMessage(group, message, at, { labelled, scale, reachable, box }) {
  const { id, from, to, fate } = message;
  const width = widthOf(message, labelled, scale);
  const x = Math.min(box.width - width / 2 - 2, Math.max(width / 2 + 2, at.x));
  attribute(group, "transform", `translate(${x.toFixed(1)} ${at.y.toFixed(1)})`);
  attribute(group, "data-fate", fate);
  attribute(group, "data-labelled", labelled);
  attribute(group, "data-chosen", id === store.message);
  attribute(group, "data-next", store.timeHeld && id === store.next?.message);
  attribute(group, "tabindex", reachable ? 0 : null);
  attribute(group, "role", reachable ? "button" : null);
  attribute(group, "aria-label", reachable ? `${strings.stage.fate[fate]}: ${wordsOf(message)} ${name(from)} → ${name(to)}` : null);
  drawPaper(group, labelled ? wordsOf(message) : "", fate, { width, scale });
}

/**
 * Draws the paths of messages that do not move. Each path leads from the sender to the envelope, and from the
 * envelope to the receiver.
 *
 * @param {SVGElement} group
 * @param {readonly (Shown & Point & { way: readonly [Place, Place] })[]} messages
 */
export function drawWays(group, messages) {
  const make = (/** @type {Shown} */ { kind }) =>
    makeArrow({ "data-colour": lookOf(kind, store.algorithm?.message_kinds ?? []).colour });
  keyed(group, messages, ({ id, kind }) => `${store.run?.id} ${id} ${kind}`, make, (element, { way: [from, to], ...at }) =>
    drawArrow(element, through(from, at, to)),
  );
}

/**
 * Draws the envelope of a message, or only its mark. The elements for the text and the fate sign are created only
 * when they are first needed. Among many messages, most never need these elements.
 *
 * @param {SVGElement} group
 * @param {string} said Text on the envelope; if it is empty, only the mark is drawn.
 * @param {Shown["fate"]} fate
 * @param {{ width: number, scale: number }} size Width of the envelope, and scale of the mark if there is no
 *   envelope.
 */
function drawPaper(group, said, fate, { width, scale }) {
  const part = (/** @type {string} */ name) => /** @type {SVGElement | null} */ (group.querySelector(`:scope > ${name}`));
  const [paper, mark] = [part(".paper"), part(".mark")];
  if (paper === null || mark === null) return;
  const words = part("text") ?? (said === "" ? null : makeWords(mark));
  const sign = part(".fate") ?? (fate === "on-the-way" ? null : makeSign(group));
  if (words !== null) text(words, said);
  const looks = `${width} ${fate}`;
  if (group.dataset["looks"] === looks) return;
  group.dataset["looks"] = looks;
  const left = -width / 2;
  attribute(paper, "x", left);
  attribute(paper, "width", width);
  attribute(mark, "transform", said === "" ? `scale(${scale})` : `translate(${left + MARK / 2 + 2} 0) scale(1.25)`);
  if (words !== null) attribute(words, "x", left + MARK + 2);
  const flap = part(".flap");
  if (flap !== null) attribute(flap, "d", `M${left + 3} ${-HEIGHT / 2 + 2}L0 ${-HEIGHT / 2 + 11}L${-left - 3} ${-HEIGHT / 2 + 2}`);
  if (sign !== null) attribute(sign, "transform", said === "" ? "translate(20 -16)" : `translate(${-left - SIGN / 2 - 4} 0)`);
}
