/** The legend of messages and arrows on the stage. */

import { attribute, h, keyed, s } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { lookOf } from "../../stage/message-looks.js";

/**
 * Number of kinds that fit into a row. If the algorithm has more kinds, space for a second row is reserved from the
 * beginning, so that the stage does not change its size.
 */
const MOST_IN_A_ROW = 3;

/**
 * @param {Element} legend
 * @param {readonly string[]} relations Kinds of arrows.
 * @param {number} constant Number of arrow kinds that the legend always contains.
 */
export function drawLegend(legend, relations, constant) {
  const { message_kinds: kinds = [] } = store.algorithm ?? {};
  const underWay = Object.values(store.state?.under_way ?? {}).map(({ message_kind: kind }) => kind);
  const seen = new Set([...store.messageKinds, ...underWay]);
  const items = [
    ...kinds.filter((kind) => seen.has(kind)).map((kind) => ({ kind, look: lookOf(kind, kinds) })),
    ...relations.map((kind) => ({ kind, look: null })),
  ];
  attribute(legend, "data-many", kinds.length + constant > MOST_IN_A_ROW);
  keyed(legend, items, ({ kind, look }) => `${kind} ${look?.colour} ${look?.shape}`, makeLegend);
}

/**
 * @param {object} item
 * @param {string} item.kind Kind of messages. If `look` is null, kind of arrows.
 * @param {import("../../stage/message-looks.js").Look | null} item.look
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
