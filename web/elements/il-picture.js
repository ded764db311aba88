/** The stage: the nodes in the structure of their algorithm, what they point to, and the messages between them. */

import { attribute, h, keyed, s } from "../dom.js";
import { drawn } from "../drawn.js";
import { coordinators } from "../leaders.js";
import { strings } from "../preferences.js";
import { pngOf, svgOf } from "../saving/picture.js";
import { claimsIn, drawnResources, toldIn } from "../stage/allocation.js";
import { boxFor, linesUnder } from "../stage/box.js";
import { mattering, MOST_ALIKE } from "../stage/crowd.js";
import { partsOf, partText } from "../stage/election.js";
import { lookOf } from "../stage/kinds.js";
import { notesOf } from "../stage/notes.js";
import { placesFor } from "../stage/places.js";
import { hasToken, viewsOf } from "../stage/reading.js";
import { linesOf, relationsOf } from "../stage/relations.js";
import { proposalText, roleLines, roleMark, rolesOf } from "../stage/roles.js";
import { lanes, spread } from "../stage/spread.js";
import { table } from "../stage/table.js";
import { onWay } from "../stage/way.js";
import { store } from "../store.js";
import { waitsIn } from "../waits.js";
import "./il-hand.js";
import { SaveMenu } from "./il-save.js";
import { Piece } from "./piece.js";
import { drawMessage, makeMessage, widthOf } from "./stage-message.js";
import { drawNode, drawNotes, makeNode } from "./stage-node.js";
import { drawLines, drawRelations, drawWaits } from "./stage-relations.js";
import { drawCircle, drawClaims, drawResources } from "./stage-resources.js";

/** @typedef {import("./stage-message.js").Shown & { share: number }} OnItsWay With how far it is, 0 … 1. */
/** @typedef {OnItsWay & import("../stage/box.js").Point} Seen */
/** @typedef {import("../stage/places.js").Scene & { resources: number }} Drawn */

const MOST_HELD = 60;
/** More kinds than these may need two rows, for which there is room from the start. */
const MOST_IN_A_ROW = 6;
/** More messages than these have no words on them; there is less room for words where there are more nodes than a few. */
const MOST_LABELS = { few: 14, many: 8 };
const FEW = 7;
/** How far messages are that are held; and those on their way, for people who want nothing to move: near their receivers. */
const HELD = 0.5;
const WAITING = 0.65;
/** So many held messages are reached with the Tab key; the list of messages has all. */
const MOST_REACHED = 8;

export class Picture extends Piece {
  /** @type {readonly import("../store.js").Topic[]} */
  static topics = ["state", "messages", "run", "selection"];

  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #svg = s("svg", { role: "group", tabindex: -1 });
  #lines = s("g", { class: "chords" });
  #relations = s("g", { class: "relations" });
  #waits = s("g", { class: "waits" });
  #claims = s("g", { class: "claims" });
  #resources = s("g", { class: "resources" });
  #circle = s("g", {});
  #notes = s("g", { class: "notes" });
  #nodes = s("g", { class: "nodes" });
  #held = s("g", { class: "held" });
  #moving = s("g", { class: "moving" });
  #legend = h("p", { class: "legend" });
  #box = boxFor(1, 1);
  /** @type {import("../stage/box.js").Places} */
  #places = new Map();

  build() {
    attribute(this.#svg, "aria-label", strings.picture.title);
    const under = [this.#lines, this.#relations, this.#waits, this.#claims, this.#resources, this.#notes, this.#circle];
    this.#svg.replaceChildren(...under, this.#moving, this.#held, this.#nodes);
    const onclick = () => this.dispatchEvent(new CustomEvent("tables", { bubbles: true }));
    const tables = h("button", { class: "tables", onclick }, `${strings.stage.tables} ▾`);
    const below = h("div", { class: "below" }, document.createElement("il-hand"), this.#saving(), tables);
    this.append(this.#svg, below, this.#legend);
    this.until(store.listen(["moving"], () => this.#drawMoving()));
    const sizes = new ResizeObserver(([entry]) => this.#fit(entry?.contentRect));
    sizes.observe(this.#svg);
    this.until(() => sizes.disconnect());
  }

  #saving() {
    const drawn = () => svgOf(this.#svg, strings.save.pictureOf(store.run?.name ?? "", store.cursor.seq));
    return new SaveMenu("stage", [
      { ending: "svg", make: () => new Blob([drawn()], { type: "image/svg+xml" }) },
      { ending: "png", make: () => pngOf(drawn()) },
    ]);
  }

  /** The Tab key goes on from here, with what is held. */
  enter() {
    this.#svg.focus();
  }

  /** @param {{ width: number, height: number }} [room] In pixels. */
  #fit({ width, height } = { width: 1, height: 1 }) {
    this.#box = boxFor(width, height);
    attribute(this.#svg, "viewBox", `0 0 ${this.#box.width.toFixed(0)} ${this.#box.height.toFixed(0)}`);
    this.draw();
  }

  draw() {
    const all = drawn(store.state?.nodes ?? [], store.selected);
    const scene = this.#sceneOf(all);
    const roles = rolesOf({ ...scene, agreement: store.state?.agreement ?? [] });
    const parts = electionIn(scene);
    const notes = notesWith(roles, notesOf(scene), linesUnder(all.length));
    parts.forEach(({ note }, node) => notes.set(node, note === "" ? [] : [note].slice(0, linesUnder(all.length))));
    this.#places = placesFor(scene, this.#box);
    notes.forEach(({ length }, node) => Object.assign(this.#places.get(node) ?? {}, { lines: length }));
    const relations = all.length > MOST_ALIKE ? [] : relationsIn(scene);
    drawLines(this.#lines, linesOf(scene, store.selected), this.#places);
    drawRelations(this.#relations, relations, this.#places);
    const waits = store.subject === "locks" && scene.resources === 0 ? waitsIn(store.state?.locks ?? []).waits : [];
    drawWaits(this.#waits, waits, this.#places);
    this.#drawAllocation(scene);
    this.#drawNodes(all, scene, { notes, roles, parts });
    this.#drawLegend([...new Set([...kindsIn(scene), ...relations.map(({ kind }) => kind)])], kindsIn(scene).length);
    this.#drawHeld();
    this.#drawMoving();
  }

  /** What the resources are, who has them, and who waits for them. @param {Drawn} scene */
  #drawAllocation({ nodes, resources }) {
    const claims = resources === 0 ? [] : claimsIn(store.state?.locks ?? []);
    const squares = resources === 0 ? new Map() : table(nodes.map(({ node }) => node), resources, this.#box).resources;
    const places = { processes: this.#places, resources: squares };
    drawClaims(this.#claims, claims, places);
    drawResources(this.#resources, squares, claims);
    drawCircle(this.#circle, claims, places);
  }

  /** @param {readonly import("../types.js").NodeState[]} nodes @returns {Drawn} */
  #sceneOf(nodes) {
    const { lock, algorithm, run, held, onTheWay } = store;
    const tokens = new Set(viewsOf({ nodes, lock }).filter(({ variables }) => hasToken(variables)).map(({ node }) => node));
    const ends = (/** @type {typeof held} */ messages) => messages.flatMap(({ from, to }) => [from, to]);
    const waiting = (store.state?.locks ?? []).flatMap((one) => one.waiting.map(({ node }) => node));
    const also = { chosen: store.selected, tokens, held: ends(held), waiting, involved: ends(onTheWay) };
    return {
      nodes,
      lock,
      structure: algorithm?.structure ?? { kind: "complete" },
      parameters: run?.specification.parameters ?? {},
      large: nodes.length > MOST_ALIKE ? mattering(nodes, also) : [],
      resources: drawnResources(algorithm, store.locks.length, nodes.length),
    };
  }

  /**
   * @param {readonly import("../types.js").NodeState[]} all
   * @param {import("../stage/places.js").Scene} scene
   * @param {object} said Of each node.
   * @param {ReadonlyMap<number, string[]>} said.notes
   * @param {ReadonlyMap<number, import("../stage/roles.js").Role>} said.roles
   * @param {ReturnType<typeof electionIn>} said.parts
   */
  #drawNodes(all, scene, { notes, roles, parts }) {
    const crowned = coordinators(all);
    const tokens = new Set(viewsOf(scene).filter(({ variables }) => hasToken(variables)).map(({ node }) => node));
    keyed(this.#nodes, all, ({ node }) => node, makeNode, (group, node) => {
      const place = this.#places.get(node.node);
      if (place === undefined) return;
      const role = roles.get(node.node);
      const proposal = role === undefined ? "" : proposalText(role, strings.stage.agreement);
      // A dead coordinator has no crown, whatever the others still think.
      const isCrowned = crowned.has(node.node) && node.process !== "crashed";
      const part = parts.get(node.node) ?? null;
      const is = { crowned: isCrowned, token: tokens.has(node.node), proposal, part, noted: role !== undefined };
      drawNode(group, node, place, is, this.#box);
    });
    keyed(this.#notes, [...notes], ([node]) => node, () => s("g"), (group, [node, lines]) => {
      const place = this.#places.get(node);
      if (place !== undefined) drawNotes(group, lines, place, this.#box);
    });
  }

  /**
   * @param {readonly string[]} relations Their kinds.
   * @param {number} constant How many of them are there at any time.
   */
  #drawLegend(relations, constant) {
    const { message_kinds: kinds = [] } = store.algorithm ?? {};
    const underWay = Object.values(store.state?.under_way ?? {}).map(({ message_kind: kind }) => kind);
    const seen = new Set([...store.messageKinds, ...underWay]);
    const items = [
      ...kinds.filter((kind) => seen.has(kind)).map((kind) => ({ kind, look: lookOf(kind, kinds) })),
      ...relations.map((kind) => ({ kind, look: null })),
    ];
    attribute(this.#legend, "data-many", kinds.length + constant > MOST_IN_A_ROW);
    keyed(this.#legend, items, ({ kind, look }) => `${kind} ${look?.colour} ${look?.shape}`, makeLegend);
  }

  #drawHeld() {
    const held = store.held.slice(0, MOST_HELD);
    this.#put(this.#held, this.#resting(held.map((message) => restingOf(message, HELD))), MOST_REACHED);
  }

  #drawMoving() {
    const rests = this.#still.matches && store.at === null;
    const resting = () => store.onTheWay.map((message) => restingOf(message, WAITING));
    const moving = rests ? resting() : store.cursor.moving.map(shownOf);
    if (store.cursor.mode === "still" || this.#still.matches) return this.#put(this.#moving, this.#resting(moving), 0);
    const below = this.#labelled ? lanes(moving) : [];
    const seen = this.#onWays(moving).map((message, place) => ({ ...message, y: message.y + (below[place] ?? 0) }));
    return this.#put(this.#moving, seen, 0);
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

/** What each node does in an election, in words. @param {Drawn} scene */
function electionIn(scene) {
  const parts = partsOf({ ...scene, algorithm: store.algorithm?.name ?? "" });
  return new Map([...parts].map(([node, part]) => [node, partText(part, strings.stage.election)]));
}

/** The arrows between nodes. @param {Drawn} scene */
function relationsIn(scene) {
  const locks = store.state?.locks ?? [];
  if (scene.resources > 0) return toldIn(scene, locks);
  const first = locks.find(({ lock }) => lock === store.lock)?.waiting[0]?.node ?? -1;
  return relationsOf(scene, store.subject === "locks" ? -1 : first);
}

/** The kinds of arrows that are explained at any time: so the legend keeps its place. @param {Drawn} scene */
function kindsIn({ resources, structure }) {
  if (resources === 0) return [];
  return structure.kind === "coordinator" ? ["has", "wants", "reported", "phantom"] : ["has", "wants"];
}

/**
 * What is written under the nodes, first what is agreed upon.
 *
 * @param {ReadonlyMap<number, import("../stage/roles.js").Role>} roles
 * @param {Map<number, string[]>} notes
 * @param {number} most How many lines there is room for.
 */
function notesWith(roles, notes, most) {
  roles.forEach((role, node) => {
    const said = most > 1 ? roleLines(role, strings.stage.agreement) : [roleMark(role)];
    const lines = [...said, ...(notes.get(node) ?? [])].filter((line) => line !== "");
    notes.set(node, lines.slice(0, most));
  });
  return notes;
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

/**
 * @param {object} item
 * @param {string} item.kind Of messages, or without a look of arrows.
 * @param {import("../stage/kinds.js").Look | null} item.look
 */
function makeLegend({ kind, look }) {
  const mark = s("svg", { class: "mark", viewBox: look === null ? "0 -13 52 26" : "-13 -13 26 26", "aria-hidden": "true" });
  if (look === null) {
    mark.append(s("path", { class: "shaft", d: "M2 0H34" }), s("path", { class: "head", d: "M50 0L32 9V-9Z" }));
    return h("span", { "data-relation": kind }, mark, strings.stage.relations[kind] ?? kind);
  }
  mark.append(s("path", { d: look.outline }));
  return h("span", { "data-colour": look.colour }, mark, kind);
}

customElements.define("il-picture", Picture);
