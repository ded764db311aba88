/**
 * The resources on the stage. Each resource is drawn as a padlock. Arrows lead from resources to their owners, and
 * from waiting processes to resources.
 */

import { attribute, keyed, s, text } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { arrow } from "../../stage/arrows.js";
import { drawArrow, makeArrow } from "./stage-relations.js";

/** @import { Places } from "../../stage/box.js" */
/** @import { Claim } from "../../stage/allocation.js" */

/** Font size of a resource's number, relative to half the side of its square. */
const NUMBER = 1.25;
/**
 * The area of a padlock that arrows do not enter. `RAISED` is the distance between the centre of this area and the
 * centre of the square below it. `CORNER` is the size of the area. Both are relative to half the side of the
 * square.
 */
const RAISED = 0.3;
const CORNER = 1.3;
/** Font size of the cycle sign. */
const LETTERS = 38;
/** Minimum number of processes in a cycle for which there is enough space to draw the cycle sign inside the cycle. */
const LEAST_ROUND = 3;

/**
 * @param {SVGElement} group
 * @param {Places} places Positions of the resources, by resource.
 * @param {readonly Claim[]} claims
 */
export function drawResources(group, places, claims) {
  const locked = new Set(claims.filter(({ circle }) => circle).map(({ lock }) => lock));
  keyed(group, [...places], ([lock]) => lock, ([lock]) => makeResource(lock), (element, [lock, { x, y, radius }]) => {
    const [shackle, square, label] = element.children;
    attribute(element, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    attribute(element, "data-circle", locked.has(lock));
    attribute(element, "data-taken", claims.some((claim) => claim.lock === lock && claim.kind === "has"));
    attribute(element, "data-chosen", lock === store.lock);
    if (shackle !== undefined) attribute(shackle, "d", shackleOf(radius));
    if (square !== undefined) attribute(square, "d", `M${-radius} ${-radius}H${radius}V${radius}H${-radius}Z`);
    if (label !== undefined) attribute(label, "font-size", (NUMBER * radius).toFixed(1));
  });
}

/** Returns the path of a shackle. @param {number} r Half the side of the square below the shackle. */
const shackleOf = (r) => `M${-r / 2} ${-r}V${-1.1 * r}a${r / 2} ${r / 2} 0 0 1 ${r} 0V${-r}`;

/** @param {number} lock */
function makeResource(lock) {
  const label = s("text", { dy: "0.36em" });
  text(label, lock);
  const group = s("g", { "data-resource": lock, onclick: () => store.choose(lock) });
  const title = s("title");
  text(title, strings.lock.title(lock));
  group.append(s("path", { class: "shackle" }), s("path", { class: "square" }), label, title);
  return group;
}

/** @param {SVGElement} group @param {readonly Claim[]} claims @param {{ processes: Places, resources: Places }} places */
export function drawClaims(group, claims, { processes, resources }) {
  // Arrows of a cycle are drawn last, so that no other arrow covers them.
  const shown = claims.filter(({ lock, process }) => resources.has(lock) && processes.has(process));
  const inOrder = [...shown].sort((a, b) => Number(a.circle) - Number(b.circle));
  const keyOf = (/** @type {Claim} */ { kind, lock, process }) => `${kind}-${lock}-${process}`;
  keyed(group, inOrder, keyOf, makeClaim, (element, { kind, lock, process, circle }) => {
    const [node, square] = [processes.get(process), resources.get(lock)];
    if (node === undefined || square === undefined) return;
    const box = { ...square, y: square.y - RAISED * square.radius, radius: square.radius * CORNER, bare: true };
    attribute(element, "data-circle", circle);
    drawArrow(element, kind === "has" ? arrow(box, node, 0) : arrow(node, box, 0));
  });
}

/** @param {Claim} claim */
const makeClaim = ({ kind, lock, process }) => makeArrow({ "data-relation": kind, "data-lock": lock, "data-process": process });

/**
 * Draws the cycle sign inside the cycle. If the cycle is too narrow, draws the sign in an empty corner.
 *
 * @param {SVGElement} group
 * @param {readonly Claim[]} claims
 * @param {{ processes: Places, resources: Places }} places
 */
export function drawCircle(group, claims, { processes, resources }) {
  const links = claims.filter(({ circle }) => circle);
  const within = links.flatMap(({ process, lock }) => [processes.get(process) ?? [], resources.get(lock) ?? []].flat());
  const middle = (/** @type {"x" | "y"} */ axis) => within.reduce((sum, place) => sum + place[axis], 0) / within.length;
  const isNarrow = links.length < 2 * LEAST_ROUND;
  keyed(group, links.length === 0 ? [] : [0], String, makeCircle, (sign) => {
    const [x, y] = isNarrow ? [Number(sign.dataset["width"]) / 2 + 10, 44] : [middle("x"), middle("y")];
    attribute(sign, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  });
}

function makeCircle() {
  const said = `⟳ ${strings.stage.circle}`;
  const width = said.length * LETTERS * 0.65 + 30;
  const label = s("text", { "font-size": LETTERS, dy: "0.35em" });
  text(label, said);
  const group = s("g", { class: "circle", "data-width": width });
  group.append(s("rect", { x: -width / 2, width, y: -32, height: 64, rx: 12 }), label);
  return group;
}
