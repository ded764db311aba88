/**
 * The keys of the large diagram, by command. The page and the diagram may share a key only for the same command. The
 * keys of the page are in `commands.js`.
 */

import { commands } from "./commands.js";

/** @typedef {import("./commands.js").Name} PageName */

/** Commands of the page that the diagram has too, with the same keys. */
const SHARED = /** @type {const} */ (["back", "on", "first", "live", "play", "pageBack", "pageOn", "blank", "diagram"]);

/** Commands that only the diagram has. An arrow key with the shift key has the prefix `shift `. */
const OWN = /** @type {const} */ ({
  moveBack: ["shift ArrowLeft"],
  moveOn: ["shift ArrowRight"],
  zoomIn: ["+", "="],
  zoomOut: ["-"],
  whole: ["W"],
  axis: ["A"],
  enter: ["Enter"],
  mark: ["m"],
  filter: ["g"],
  clearFilter: ["G"],
  lanes: ["N"],
  table: ["T"],
  violation: ["V"],
  second: ["S"],
  entryBack: [","],
  entryOn: [";"],
  align: ["i"],
});

/** @typedef {keyof typeof OWN} OwnName */
/** @typedef {typeof SHARED[number] | OwnName} Name */
/** @typedef {{ name: Name, keys: readonly string[] }} DiagramCommand */

const keysOf = (/** @type {PageName} */ name) => commands.find((one) => one.name === name)?.keys ?? [];

/** The commands that only the diagram has. @type {readonly { name: OwnName, keys: readonly string[] }[]} */
export const ownDiagramCommands = /** @type {[OwnName, readonly string[]][]} */ (Object.entries(OWN)).map(([name, keys]) => ({ name, keys }));

/** All commands of the diagram. @type {readonly DiagramCommand[]} */
export const diagramCommands = [...SHARED.map((name) => ({ name, keys: keysOf(name) })), ...ownDiagramCommands];
