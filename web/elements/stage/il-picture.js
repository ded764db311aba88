/**
 * The stage: nodes arranged in the structure of their algorithm, relations between the nodes, and messages between
 * the nodes.
 */

import { attribute, h, isCovered, keyed, s, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { handleMessage } from "../../run/actions.js";
import { coordinators } from "../../run/leaders.js";
import { store } from "../../run/store.js";
import { isBank } from "../../run/subject.js";
import { visibleNodes } from "../../run/visible-nodes.js";
import { pngOf, svgOf } from "../../saving/picture.js";
import { claimsIn } from "../../stage/allocation.js";
import { boxFor, linesUnder } from "../../stage/box.js";
import { MOST_ALIKE } from "../../stage/crowd.js";
import { partsOf, partText } from "../../stage/election.js";
import { notesOf } from "../../stage/notes.js";
import { placesFor } from "../../stage/places.js";
import { hasToken, viewsOf } from "../../stage/views.js";
import { linesOf } from "../../stage/relations.js";
import { proposalText, roleLines, roleMark, rolesOf } from "../../stage/roles.js";
import { table } from "../../stage/table.js";
import { deadlockIn, waitsIn } from "../../stage/wait-for-graph.js";
import { SaveMenu } from "../dialogs/il-save.js";
import { topics, View } from "../view.js";
import "./il-hand.js";
import { accountOf, drawAccount, noteAccesses } from "./stage-account.js";
import { drawLegend } from "./stage-legend.js";
import { StageMessages } from "./stage-messages.js";
import { drawNode, drawNotes, makeNode } from "./stage-node.js";
import { drawLines, drawRelations, drawWaits } from "./stage-relations.js";
import { drawCircle, drawClaims, drawResources } from "./stage-resources.js";
import { kindsIn, relationsIn, sceneOf } from "./stage-scene.js";

/** @import { Role } from "../../stage/roles.js" */
/** @import { Scene } from "./stage-scene.js" */

export class Picture extends View {
  static topics = topics("state", "messages", "run", "selection");

  #svg = s("svg", { role: "group", tabindex: -1 });
  #lines = s("g", { class: "chords" });
  #relations = s("g", { class: "relations" });
  #waits = s("g", { class: "waits" });
  #claims = s("g", { class: "claims" });
  #resources = s("g", { class: "resources" });
  #circle = s("g", {});
  #account = s("g", { class: "account" });
  #notes = s("g", { class: "notes" });
  #nodes = s("g", { class: "nodes" });
  #beyond = h("p", { class: "beyond", role: "note" });
  #legend = h("p", { class: "legend" });
  #box = boxFor(1, 1);
  #messages = new StageMessages(this.#box);
  /** @type {import("../../stage/box.js").Places} */
  #places = new Map();

  build() {
    attribute(this.#svg, "aria-label", strings.picture.title);
    const under = [this.#lines, this.#relations, this.#waits, this.#claims, this.#resources, this.#notes, this.#circle, this.#account];
    const { ways, held, moving } = this.#messages;
    this.#svg.replaceChildren(...under, ways, this.#nodes, held, moving);
    const below = h("div", { class: "below" }, this.#beyond, this.#legend, this.#saving());
    this.append(this.#svg, below, document.createElement("il-hand"));
    this.#svg.addEventListener("click", (event) => this.#freeze(event));
    this.until(store.listen(["moving"], () => this.#drawMoving()));
    const sizes = new ResizeObserver(([entry]) => this.#fit(entry?.contentRect));
    sizes.observe(this.#svg);
    this.until(() => sizes.disconnect());
  }

  /**
   * Holds the moving message that a click hits, so that the user can look at it and decide about it.
   *
   * @param {MouseEvent} event
   */
  #freeze({ clientX, clientY, target }) {
    const isElsewhere = target instanceof Element && target.closest("[data-at], .held") !== null;
    const matrix = this.#svg.getScreenCTM();
    if (isElsewhere || matrix === null || !store.commandable) return;
    const hit = this.#messages.hit(new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()));
    if (hit === null) return;
    store.pick(hit);
    void handleMessage(hit, "hold");
  }

  #saving() {
    const drawn = () => {
      this.#drawAll();
      return svgOf(this.#svg, strings.save.pictureOf(store.run?.name ?? "", store.cursor.seq));
    };
    return new SaveMenu("stage", [
      { ending: "svg", make: () => new Blob([drawn()], { type: "image/svg+xml" }) },
      { ending: "png", make: () => pngOf(drawn()) },
    ]);
  }

  /** Moves the focus to the stage. From the stage, the Tab key leads to the held messages. */
  enter() {
    this.#svg.focus();
  }

  /** @param {{ width: number, height: number }} [room] Available size in pixels. */
  #fit({ width, height } = { width: 1, height: 1 }) {
    this.#box = boxFor(width, height);
    attribute(this.#svg, "viewBox", `0 0 ${this.#box.width.toFixed(0)} ${this.#box.height.toFixed(0)}`);
    this.draw();
  }

  #drawMoving() {
    if (!isCovered()) this.#messages.drawMoving();
  }

  draw() {
    if (!isCovered()) this.#drawAll();
  }

  #drawAll() {
    const { nodes = [] } = store.state ?? {};
    const all = visibleNodes(nodes, store.selected);
    this.#beyond.hidden = all.length === nodes.length;
    text(this.#beyond, strings.nodes.beyond(all.length, nodes.length));
    const scene = sceneOf(all);
    const roles = rolesOf({ ...scene, agreement: store.state?.agreement ?? [] });
    const parts = electionIn(scene);
    const notes = notesWith(roles, notesOf(scene), linesUnder(all.length));
    const account = accountOf();
    noteAccesses(notes, account, linesUnder(all.length));
    drawAccount(this.#account, account);
    parts.forEach(({ note }, node) => notes.set(node, note === "" ? [] : [note].slice(0, linesUnder(all.length))));
    this.#places = placesFor(scene, this.#box);
    notes.forEach(({ length }, node) => Object.assign(this.#places.get(node) ?? {}, { lines: length }));
    const relations = all.length > MOST_ALIKE ? [] : relationsIn(scene);
    drawLines(this.#lines, linesOf(scene, store.selected), this.#places);
    drawRelations(this.#relations, relations, this.#places);
    drawWaits(this.#waits, scene.resources === 0 ? waitsOf(store.state) : [], this.#places);
    this.#drawAllocation(scene);
    this.#drawNodes(all, scene, { notes, roles, parts });
    drawLegend(this.#legend, [...new Set([...kindsIn(scene), ...relations.map(({ kind }) => kind)])], kindsIn(scene).length);
    attribute(this, "data-bank", isBank(store.algorithm));
    this.#messages.draw(this.#places, this.#box);
  }

  /**
   * Draws the resources, an arrow from each resource to its owner, and arrows from waiting processes to the
   * resources.
   *
   * @param {Scene} scene
   */
  #drawAllocation({ nodes, resources }) {
    const claims = resources === 0 ? [] : claimsIn(store.state?.locks ?? [], store.state?.under_way);
    const squares = resources === 0 ? new Map() : table(nodes.map(({ node }) => node), resources, this.#box).resources;
    const places = { processes: this.#places, resources: squares };
    drawClaims(this.#claims, claims, places);
    drawResources(this.#resources, squares, claims);
    drawCircle(this.#circle, claims, places);
  }

  /**
   * @param {readonly import("../../server/types.js").NodeState[]} all
   * @param {import("../../stage/places.js").Scene} scene
   * @param {object} said Texts for each node.
   * @param {ReadonlyMap<number, string[]>} said.notes
   * @param {ReadonlyMap<number, Role>} said.roles
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
      // A crashed coordinator gets no crown, even if other nodes still trust that coordinator.
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
}

/** Describes the role of each node in the current election. @param {Scene} scene */
function electionIn(scene) {
  const parts = partsOf({ ...scene, algorithm: store.algorithm?.name ?? "" });
  return new Map([...parts].map(([node, part]) => [node, partText(part, strings.stage.election)]));
}

/**
 * Adds the lines about an agreement to the notes below the nodes. The lines about the agreement come before all other
 * lines.
 *
 * @param {ReadonlyMap<number, Role>} roles
 * @param {Map<number, string[]>} notes
 * @param {number} most Maximum number of lines for each node.
 */
function notesWith(roles, notes, most) {
  roles.forEach((role, node) => {
    const said = most > 1 ? roleLines(role, strings.stage.agreement) : [roleMark(role)];
    const lines = [...said, ...(notes.get(node) ?? [])].filter((line) => line !== "");
    notes.set(node, lines.slice(0, most));
  });
  return notes;
}

/** Returns the waits to draw: those for locks, or the cycle of a deadlock by votes. @param {typeof store.state} state */
function waitsOf(state) {
  if (state === null) return [];
  return store.subject === "locks" ? waitsIn(state.locks, state.under_way).waits : deadlockIn(state.verdict);
}

customElements.define("il-picture", Picture);
