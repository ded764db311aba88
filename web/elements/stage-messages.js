/** The messages on the stage: those that are held, and those on their ways, with words on them if there is room. */

import { keyed, s } from "../dom.js";
import { lanes, spread } from "../stage/spread.js";
import { onWay } from "../stage/way.js";
import { store } from "../store.js";
import { drawMessage, makeMessage, widthOf } from "./stage-message.js";

/** @typedef {import("../stage/box.js").Places} Places */
/** @typedef {import("./stage-message.js").Shown & { share: number }} OnItsWay With how far it is, 0 … 1. */
/** @typedef {OnItsWay & import("../stage/box.js").Point} Seen */

const MOST_HELD = 60;
/** More messages than these have no words on them; there is less room for words where there are more nodes than a few. */
const MOST_LABELS = { few: 14, many: 8 };
const FEW = 7;
/** How far messages are that are held; and those on their way, for people who want nothing to move: near their receivers. */
const HELD = 0.5;
const WAITING = 0.65;
/** So many held messages are reached with the Tab key; the list of messages has all. */
const MOST_REACHED = 8;

export class StageMessages {
  held = s("g", { class: "held" });
  moving = s("g", { class: "moving" });
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #box;
  /** Of the nodes. @type {Places} */
  #places = new Map();

  /** @param {import("../stage/box.js").Box} box Where there is room for them. */
  constructor(box) {
    this.#box = box;
  }

  /** @param {Places} places Of the nodes. @param {import("../stage/box.js").Box} box Where there is room for them. */
  draw(places, box) {
    this.#places = places;
    this.#box = box;
    this.#drawHeld();
    this.drawMoving();
  }

  #drawHeld() {
    const held = store.held.slice(0, MOST_HELD);
    this.#put(this.held, this.#resting(held.map((message) => restingOf(message, HELD))), MOST_REACHED);
  }

  /** Those on their ways, which move without anything else on the stage. */
  drawMoving() {
    const rests = this.#still.matches && store.at === null;
    const resting = () => store.onTheWay.map((message) => restingOf(message, WAITING));
    const moving = rests ? resting() : store.cursor.moving.map(shownOf);
    if (store.cursor.mode === "still" || this.#still.matches) return this.#put(this.moving, this.#resting(moving), 0);
    const below = this.#labelled ? lanes(moving) : [];
    const seen = this.#onWays(moving).map((message, place) => ({ ...message, y: message.y + (below[place] ?? 0) }));
    return this.#put(this.moving, seen, 0);
  }

  /** Whether there is room for words on messages. */
  get #labelled() {
    const most = this.#places.size > FEW ? MOST_LABELS.many : MOST_LABELS.few;
    return Math.min(store.held.length, MOST_HELD) + store.cursor.moving.length <= most;
  }

  /**
   * Where messages are on their ways.
   *
   * @param {readonly OnItsWay[]} messages
   * @returns {Seen[]} Without those of nodes that are not drawn.
   */
  #onWays(messages) {
    return messages.flatMap((message) => {
      const [from, to] = [this.#places.get(message.from), this.#places.get(message.to)];
      return from === undefined || to === undefined ? [] : [{ ...message, ...onWay(from, to, message.share) }];
    });
  }

  /** @param {readonly OnItsWay[]} messages Which do not move. */
  #resting(messages) {
    const seen = this.#onWays(messages);
    if (!this.#labelled) return seen;
    return spread(seen.map((message) => ({ ...message, width: widthOf(message, true) })));
  }

  /**
   * @param {SVGElement} group
   * @param {readonly Seen[]} messages
   * @param {number} reached How many of them are reached with the Tab key.
   */
  #put(group, messages, reached) {
    const labelled = this.#labelled;
    // Names of messages are those of a run: another has the same ones for others.
    keyed(group, messages, ({ id, kind }) => `${store.run?.id} ${id} ${kind}`, makeMessage, (element, message, index) =>
      drawMessage(element, message, message, { labelled, reachable: index < reached, box: this.#box }),
    );
  }
}

/** @param {import("../cursor.js").Moving} message @returns {OnItsWay} */
const shownOf = ({ lost, ...message }) => ({ ...message, fate: lost ? "lost" : "on-the-way" });

/**
 * A message that does not move.
 *
 * @param {import("../types.js").Message} message
 * @param {number} share
 * @returns {OnItsWay}
 */
const restingOf = ({ message: id, message_kind: kind, from, to, status: fate }, share) => ({ id, kind, from, to, share, fate });
