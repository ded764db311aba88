/** Steps of processes in short form: `LEFT the section · REPLY → P0, P3`. */

import { name } from "../strings/lists.js";
import { sentenceOf } from "./sentences.js";

/** @import { Happening } from "../server/types.js" */

/** Kinds of events that are left out of a step that contains other events. */
const LITTLE = new Set(["armed", "cancelled", "stored", "fired", "commanded", "initialized"]);
/** Maximum number of receivers of a message that are named. */
const MOST_NAMED = 4;

/** Describes what a process did in a step. @param {readonly Happening[]} events */
export function stepText(events) {
  const telling = events.filter(({ kind }) => !LITTLE.has(kind));
  const others = (telling.length === 0 ? events : telling).filter(({ kind }) => kind !== "sent").map(sentenceOf);
  return [...others, ...sendsIn(telling)].join(" · ");
}

/** Describes the messages of a step, together for each kind. @param {readonly Happening[]} events */
function sendsIn(events) {
  const sent = events.filter(({ kind }) => kind === "sent");
  const kinds = [...new Set(sent.map(({ message_kind: kind }) => kind))];
  return kinds.map((kind) => {
    const to = sent.filter(({ message_kind: other }) => other === kind).map(({ to }) => name(to ?? 0));
    const more = to.length > MOST_NAMED ? ` + ${to.length - MOST_NAMED}` : "";
    return `${kind} → ${to.slice(0, MOST_NAMED).join(", ")}${more}`;
  });
}
