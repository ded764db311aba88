/** The messages on the stage, held or in transit. They have words if there is room. */

import { keyed, s } from "../../drawing/dom.js";
import { store } from "../../run/store.js";
import { HEIGHT, lanes, spread } from "../../stage/spread.js";
import { onWay } from "../../stage/arrows.js";
import { drawMessage, drawWays, makeMessage, scaleOf, widthOf } from "./stage-message.js";

/** @import { Area, Box, Place, Places, Point } from "../../stage/box.js" */
/** @typedef {import("./stage-message.js").Shown & { share: number }} OnItsWay A message with its position, 0 … 1. */
/** @typedef {OnItsWay & Point & { labelled: boolean, way: readonly [Place, Place] }} Seen */

const MOST_HELD = 60;
/** Maximum number of messages with words: with few nodes, and with many. */
const MOST_LABELS = { few: 14, many: 8 };
const FEW = 7;
/** Positions of held messages, and of messages in transit that are drawn at rest near their receivers. */
const HELD = 0.5;
const WAITING = 0.65;
/** Maximum number of held messages that the Tab key reaches. The list of messages has all of them. */
const MOST_REACHED = 8;

export class StageMessages {
  held = s("g", { class: "held" });
  #ways = s("g", { class: "ways" });
  #onTheWay = s("g", { class: "moving" });
  /** Layer with the messages in transit and, below them, the paths of all messages at rest, held ones included. */
  moving = s("g", {}, this.#ways, this.#onTheWay);
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #box;
  /** Places of the nodes. @type {Places} */
  #places = new Map();
  /** Held messages with their places. @type {Seen[]} */
  #heldOnes = [];

  /** @param {Box} box The available room. */
  constructor(box) {
    this.#box = box;
  }

  /** @param {Places} places Places of the nodes. @param {Box} box The available room. */
  draw(places, box) {
    this.#places = places;
    this.#box = box;
    this.#drawHeld();
    this.drawMoving();
  }

  #drawHeld() {
    this.#heldOnes = this.#resting(store.held.slice(0, MOST_HELD).map((message) => restingOf(message, HELD)), []);
    this.#put(this.held, this.#heldOnes, MOST_REACHED);
  }

  /** Draws the messages in transit. They move while the rest of the stage does not. */
  drawMoving() {
    const moving = this.#moving;
    const rest = store.cursor.mode === "still" || this.#still.matches || store.rushes;
    const others = this.#heldOnes.map((message) => areaOf(message, this.#scale));
    const seen = rest ? this.#resting(moving, others) : this.#inLanes(moving);
    this.#put(this.#onTheWay, seen, 0);
    drawWays(this.#ways, [...this.#heldOnes, ...(rest ? seen : [])].filter(({ labelled }) => labelled));
  }

  /** @param {readonly OnItsWay[]} moving @returns {Seen[]} */
  #inLanes(moving) {
    const below = this.#labelled ? lanes(moving) : [];
    return this.#onWays(moving).map((message, place) => ({ ...message, y: message.y + (below[place] ?? 0) }));
  }

  /**
   * Whether messages in transit are drawn at rest until they arrive, because motion is unwanted or too fast to follow.
   */
  get #rests() {
    return store.at === null && (this.#still.matches || store.rushes);
  }

  /** The messages in transit. @returns {OnItsWay[]} */
  get #moving() {
    return this.#rests ? store.onTheWay.map((message) => restingOf(message, WAITING)) : store.cursor.moving.map(shownOf);
  }

  /** Number of messages on the stage. */
  get #count() {
    return Math.min(store.held.length, MOST_HELD) + (this.#rests ? store.onTheWay : store.cursor.moving).length;
  }

  /** Whether there is room for words on the messages. */
  get #labelled() {
    return this.#count <= (this.#places.size > FEW ? MOST_LABELS.many : MOST_LABELS.few);
  }

  /** Scale of marks without words. */
  get #scale() {
    return scaleOf(this.#count);
  }

  /**
   * Places messages on their paths.
   *
   * @param {readonly OnItsWay[]} messages
   * @returns {Seen[]} The messages without those whose nodes are not drawn.
   */
  #onWays(messages) {
    const labelled = this.#labelled;
    return this.#withWays(messages).map((message) => ({ ...message, ...onWay(...message.way, message.share), labelled }));
  }

  /** @param {readonly OnItsWay[]} messages */
  #withWays(messages) {
    return messages.flatMap((message) => {
      const [from, to] = [this.#places.get(message.from), this.#places.get(message.to)];
      return from === undefined || to === undefined ? [] : [{ ...message, way: /** @type {const} */ ([from, to]) }];
    });
  }

  /**
   * @param {readonly OnItsWay[]} messages Messages at rest.
   * @param {readonly Area[]} others Areas to keep free, in addition to the nodes.
   * @returns {Seen[]}
   */
  #resting(messages, others) {
    if (!this.#labelled) return this.#onWays(messages);
    const envelopes = this.#withWays(messages).map((message) => ({ ...message, width: widthOf(message, true, this.#scale) }));
    const nodes = [...this.#places.values()].flatMap(({ covers = [] }) => covers);
    return spread(envelopes, [...nodes, ...others], this.#box);
  }

  /**
   * @param {SVGElement} group
   * @param {readonly Seen[]} messages
   * @param {number} reached Number of messages that the Tab key reaches.
   */
  #put(group, messages, reached) {
    const [scale, box] = [this.#scale, this.#box];
    // The key has the ID of the run because message IDs repeat in other runs.
    keyed(group, messages, ({ id, kind }) => `${store.run?.id} ${id} ${kind}`, makeMessage, (element, message, index) =>
      drawMessage(element, message, message, { labelled: message.labelled, scale, reachable: index < reached, box }),
    );
  }
}

/** Returns the area that a message covers. @param {Seen} message @param {number} scale @returns {Area} */
function areaOf(message, scale) {
  return { x: message.x, y: message.y, width: widthOf(message, message.labelled, scale), height: HEIGHT };
}

/** @param {import("../../run/cursor.js").Moving} message @returns {OnItsWay} */
const shownOf = ({ lost, ...message }) => ({ ...message, fate: lost ? "lost" : "on-the-way" });

/**
 * Returns a message to be drawn at rest.
 *
 * @param {import("../../server/types.js").Message} message
 * @param {number} share
 * @returns {OnItsWay}
 */
const restingOf = ({ message: id, message_kind: kind, from, to, status: fate }, share) => ({ id, kind, from, to, share, fate });
