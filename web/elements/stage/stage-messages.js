/** The messages on the stage, held or in transit. If there is enough space, the messages show text. */

import { keyed, s } from "../../drawing/dom.js";
import { HAND_MS } from "../../drawing/pacing.js";
import { store } from "../../run/store.js";
import { HEIGHT, lanes, spread } from "../../stage/spread.js";
import { betweenEdges, onWay } from "../../stage/arrows.js";
import { drawMessage, drawWays, makeMessage, scaleOf, widthOf } from "./stage-message.js";

/** @import { Area, Box, Place, Places, Point } from "../../stage/box.js" */
/**
 * @typedef {import("./stage-message.js").Shown & { share: number }} OnItsWay A message and its position on its path,
 *   0 … 1.
 */
/** @typedef {OnItsWay & Point & { labelled: boolean, way: readonly [Place, Place] }} Seen */

const MOST_HELD = 60;
/** Maximum number of messages with text. `few` applies if there are few nodes, `many` if there are many nodes. */
const MOST_LABELS = { few: 14, many: 8 };
const FEW = 7;
/**
 * Positions at which messages at rest are drawn, as shares of the path: held messages (`HELD`), and messages in
 * transit (`WAITING`).
 */
const HELD = 0.5;
const WAITING = 0.65;
/**
 * Maximum number of held messages that the Tab key reaches. All held messages are reachable in the list of messages.
 */
const MOST_REACHED = 8;
/** Distance from an envelope at which a hand still hits it. */
const MARGIN = 10;

export class StageMessages {
  /** The latest drawings of messages in transit, the newest last. @type {{ at_ms: number, seen: readonly Seen[] }[]} */
  #trail = [];
  /** The layer with the held messages. */
  held = s("g", { class: "held" });
  /** The layer with the paths of all messages at rest, including held messages. */
  ways = s("g", { class: "ways" });
  /** The layer with the messages in transit. */
  moving = s("g", { class: "moving" });
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #box;
  /** Positions of the nodes. @type {Places} */
  #places = new Map();
  /** Held messages and their positions. @type {Seen[]} */
  #heldOnes = [];

  /** @param {Box} box The available area. */
  constructor(box) {
    this.#box = box;
  }

  /** @param {Places} places Positions of the nodes. @param {Box} box The available area. */
  draw(places, box) {
    this.#places = places;
    this.#box = box;
    this.#drawHeld();
    this.drawMoving();
  }

  #drawHeld() {
    const held = store.held.slice(0, MOST_HELD).map((message) => restingOf(message, HELD));
    this.#heldOnes = this.#resting([...held, ...lostIn(store.state?.verdict.phenomenon)], []);
    this.#put(this.held, this.#heldOnes, MOST_REACHED);
  }

  /**
   * Draws only the messages in transit. This is a separate function, because messages move more often than the
   * rest of the stage changes.
   */
  drawMoving() {
    const moving = this.#moving;
    const rest = store.cursor.mode === "still" || this.#still.matches || store.rushes;
    const others = this.#heldOnes.map((message) => areaOf(message, this.#scale));
    const seen = rest ? this.#resting(moving, others) : this.#inLanes(moving);
    this.#put(this.moving, seen, 0);
    this.#remember(rest ? [] : seen);
    drawWays(this.ways, [...this.#heldOnes, ...(rest ? seen : [])].filter(({ labelled }) => labelled));
  }

  /** @param {readonly Seen[]} seen */
  #remember(seen) {
    const at_ms = performance.now();
    while ((this.#trail[0]?.at_ms ?? at_ms) < at_ms - HAND_MS) this.#trail.shift();
    if (seen.length > 0) this.#trail.push({ at_ms, seen });
  }

  /**
   * Returns the message in transit that a hand meant to hit. A hand is late, so it hits where the message was drawn up to
   * `HAND_MS` ago. Of several messages, the one that was drawn there last counts.
   *
   * @param {Point} point
   * @returns {string | null}
   */
  hit(point) {
    const isHit = (/** @type {Seen} */ message) => {
      const { x, y, width, height } = areaOf(message, this.#scale);
      return Math.abs(point.x - x) <= width / 2 + MARGIN && Math.abs(point.y - y) <= height / 2 + MARGIN;
    };
    for (const { seen } of this.#trail.toReversed()) {
      const found = seen.find((message) => isHit(message) && store.state?.under_way?.[message.id] !== undefined);
      if (found !== undefined) return found.id;
    }
    return null;
  }

  /** @param {readonly OnItsWay[]} moving @returns {Seen[]} */
  #inLanes(moving) {
    const below = this.#labelled ? lanes(moving) : [];
    const between = moving.map((message) => this.#betweenEdges(message));
    return this.#onWays(between).map((message, place) => ({ ...message, y: message.y + (below[place] ?? 0) }));
  }

  /**
   * Returns a moving message at a position between the edges of its sender and its receiver. Otherwise its envelope
   * would cover the nodes.
   *
   * @param {OnItsWay} message
   * @returns {OnItsWay}
   */
  #betweenEdges(message) {
    const [from, to] = [this.#places.get(message.from), this.#places.get(message.to)];
    return from === undefined || to === undefined ? message : { ...message, share: betweenEdges(from, to, message.share) };
  }

  /**
   * Whether messages in transit are drawn at rest until they arrive. This is the case if the user prefers no
   * motion, or if the run is too fast to follow.
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

  /** Whether there is enough space for text on the messages. */
  get #labelled() {
    return this.#count <= (this.#places.size > FEW ? MOST_LABELS.many : MOST_LABELS.few);
  }

  /** Scale of marks without text. */
  get #scale() {
    return scaleOf(this.#count);
  }

  /**
   * Computes the positions of messages on their paths.
   *
   * @param {readonly OnItsWay[]} messages
   * @returns {Seen[]} The messages with their positions. Messages from or to nodes that are not drawn are omitted.
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
   * @param {readonly Area[]} others Areas that messages must not cover, in addition to the nodes.
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
    // The key contains the ID of the run, because message IDs repeat in other runs.
    keyed(group, messages, ({ id, kind }) => `${store.run?.id} ${id} ${kind}`, makeMessage, (element, message, index) =>
      drawMessage(element, message, message, { labelled: message.labelled, scale, reachable: index < reached, box }),
    );
  }
}

/** Returns the area that a message covers. @param {Seen} message @param {number} scale @returns {Area} */
function areaOf(message, scale) {
  return { x: message.x, y: message.y, width: widthOf(message, message.labelled, scale), height: HEIGHT };
}

/**
 * Returns the message with which the token was lost, at the place of its loss.
 *
 * @param {import("../../server/types.js").Verdict["phenomenon"]} phenomenon
 * @returns {OnItsWay[]}
 */
function lostIn(phenomenon) {
  const { message: id = "", message_kind: kind = "" } = phenomenon?.message ?? {};
  const [from = 0, to = 0] = id.split(".").map(Number);
  return id === "" ? [] : [{ id, kind, from, to, share: HELD, fate: "lost" }];
}

/** @param {import("../../run/cursor.js").Moving} message @returns {OnItsWay} */
const shownOf = ({ lost, ...message }) => ({ ...message, fate: lost ? "lost" : "on-the-way" });

/**
 * Returns a message at rest, at a share of its path.
 *
 * @param {import("../../server/types.js").Message} message
 * @param {number} share
 * @returns {OnItsWay}
 */
const restingOf = ({ message: id, message_kind: kind, from, to, status: fate }, share) => ({ id, kind, from, to, share, fate });
