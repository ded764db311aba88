/** The nodes on a ring, and the messages between them as moving dots. */

import { attribute, h, keyed, s, text } from "../dom.js";
import { drawn } from "../drawn.js";
import { coordinators } from "../leaders.js";
import { strings } from "../preferences.js";
import { onRing, onWay, pairs, radiusFor } from "../ring.js";
import { store } from "../store.js";
import { name } from "../strings/lists.js";
import { waitsIn } from "../waits.js";
import { drawArrows } from "./arrows.js";
import { crownShape } from "./crown.js";
import { Piece } from "./piece.js";

/** @typedef {import("../types.js").NodeState} NodeState */

const MOST_HELD = 60;
const MOST_CHORDS = 12;
const MOST_LABELS = 16;

export class Picture extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["state", "messages", "run"];

  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #chords = s("g", { class: "chords" });
  #waits = s("g", { class: "waits" });
  #nodes = s("g", { class: "nodes" });
  #held = s("g", { class: "held" });
  #moving = s("g", { class: "moving" });
  #legend = h("p", { class: "legend", "aria-hidden": "true" });
  #count = 0;

  build() {
    const svg = s("svg", { viewBox: "-102 -112 204 216", role: "img", "aria-label": strings.picture.title });
    svg.append(this.#chords, this.#waits, this.#moving, this.#held, this.#nodes);
    this.append(svg, this.#legend);
    this.until(store.listen(["moving"], () => this.#drawMoving()));
  }

  draw() {
    const all = store.state?.nodes ?? [];
    const { length } = all;
    if (length !== this.#count) this.#drawChords(length);
    this.#count = length;
    const crowned = coordinators(all);
    keyed(this.#nodes, drawn(all, store.selected), ({ node }) => node, makeNode, (group, node) =>
      drawNode(group, node, length, crowned.has(node.node)),
    );
    drawArrows(this.#waits, store.subject === "locks" ? waitsIn(store.state?.locks ?? []).waits : [], length);
    keyed(this.#held, store.held.slice(0, MOST_HELD), ({ message }) => message, makeHeld, (rect, message, index) =>
      this.#put(rect, message, 0.5 + ((index % 5) - 2) * 0.04),
    );
    this.#drawLegend();
    this.#drawMoving();
  }

  /** @param {number} count */
  #drawChords(count) {
    const ends = count > MOST_CHORDS ? [] : pairs(count);
    keyed(this.#chords, ends, ({ from, to }) => `${from}-${to}`, () => s("line"), (line, { from, to }) => {
      const [a, b] = [onRing(from, count), onRing(to, count)];
      Object.entries({ x1: a.x, y1: a.y, x2: b.x, y2: b.y }).forEach(([key, value]) => attribute(line, key, value));
    });
  }

  #drawLegend() {
    keyed(this.#legend, store.messageKinds, (kind) => kind, (kind) => h("span", {}, kind), (item, kind) =>
      attribute(item, "data-colour", colourOf(kind)),
    );
  }

  #drawMoving() {
    if (this.#still.matches && store.at === null) return this.#drawStill();
    const { moving } = store.cursor;
    const labelled = moving.length <= MOST_LABELS && this.#count <= MOST_CHORDS;
    keyed(this.#moving, moving, ({ id }) => id, makeDot, (group, dot) => {
      attribute(group, "data-lost", dot.lost);
      text(/** @type {Element} */ (group.lastChild), labelled && dot.share > 0.1 && dot.share < 0.9 ? dot.kind : "");
      this.#put(group, dot, dot.share);
    });
  }

  /** For those who want nothing to move: messages on the way rest near their receivers. */
  #drawStill() {
    const dots = store.onTheWay.map(({ message, message_kind, ...ends }) => ({ id: message, kind: message_kind, ...ends }));
    keyed(this.#moving, dots, ({ id }) => id, makeDot, (group, dot) => this.#put(group, dot, 0.65));
  }

  /**
   * @param {SVGElement} element
   * @param {{ from: number, to: number }} link
   * @param {number} share 0 … 1 of the way.
   */
  #put(element, { from, to }, share) {
    const { x, y } = onWay(onRing(from, this.#count), onRing(to, this.#count), share);
    attribute(element, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }
}

const messageKinds = () =>
  store.algorithms.find(({ name: one }) => one === store.run?.specification.algorithm)?.message_kinds ?? [];

/** @param {string} kind */
const colourOf = (kind) => Math.max(0, messageKinds().indexOf(kind)) % 4;

/** @param {NodeState} node */
const makeNode = ({ node }) => {
  const group = s("g", { "data-at": node });
  group.append(s("path"), crownShape(), s("text", { "text-anchor": "middle", dy: "0.35em" }));
  return group;
};

/**
 * @param {SVGElement} group
 * @param {NodeState} state
 * @param {number} count
 * @param {boolean} crowned Whether somebody takes it for the coordinator.
 */
function drawNode(group, { node, phase, process }, count, crowned) {
  const radius = radiusFor(count);
  const { x, y } = onRing(node, count);
  attribute(group, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  attribute(group, "data-phase", phase);
  attribute(group, "data-process", process);
  attribute(/** @type {Element} */ (group.firstChild), "d", OUTLINES[phase](radius));
  const crown = /** @type {Element} */ (group.children[1]);
  attribute(group, "data-crowned", crowned);
  attribute(crown, "transform", `translate(0 ${(-1.4 * radius).toFixed(1)}) scale(${(radius / 14).toFixed(2)})`);
  const label = /** @type {Element} */ (group.lastChild);
  text(label, radius < 3.5 ? "" : count > 20 ? node : name(node));
  attribute(label, "font-size", (radius * (count > 20 ? 0.95 : 0.8)).toFixed(1));
}

/** The outline of a node in each phase: circle, triangle, square. @type {Record<string, (r: number) => string>} */
const OUTLINES = {
  idle: (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  wanting: (r) => `M0 ${-1.45 * r}L${1.4 * r} ${0.9 * r}H${-1.4 * r}Z`,
  "in-section": (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`,
};

/** @param {import("../types.js").Message} message */
const makeHeld = ({ message_kind }) =>
  s("rect", { x: -3.2, y: -3.2, width: 6.4, height: 6.4, "data-colour": colourOf(message_kind) });

/** @param {{ kind: string }} dot */
function makeDot({ kind }) {
  const group = s("g", { "data-colour": colourOf(kind) });
  group.append(
    s("circle", { r: 2.8 }),
    s("path", { d: "M-4 -4L4 4M-4 4L4 -4" }),
    s("text", { "text-anchor": "middle", y: -5, "font-size": 7 }),
  );
  return group;
}

customElements.define("il-picture", Picture);
