/** The dialogs of the page. Each is fetched and made when it is first opened. */

import { report } from "../server/errors.js";
import { fetched } from "./fetched.js";
import { TypedAhead } from "./typed-ahead.js";

const MAKERS = {
  newRun: async () => new (await import("../elements/dialogs/il-new-run.js")).NewRun(),
  lessons: async () => new (await import("../elements/dialogs/il-lesson-choice.js")).LessonChoice(),
  schedules: async () => new (await import("../elements/dialogs/il-schedules.js")).Schedules(),
  matrix: async () => new (await import("../elements/dialogs/il-matrix.js")).Matrix(),
  diagram: async () => new (await import("../elements/diagram/il-diagram.js")).Diagram(),
  help: async () => new (await import("../elements/dialogs/il-help.js")).Help(),
};

/** @typedef {keyof typeof MAKERS} DialogName */
/** @typedef {import("./address.js").Beside} Beside */

export const typedAhead = new TypedAhead();

/** @type {{ [Name in DialogName]?: Awaited<ReturnType<(typeof MAKERS)[Name]>> }} */
let made = {};
/** The dialogs to be opened as soon as they are fetched. @type {Set<DialogName>} */
const wanted = new Set();
/** What the diagram is to show below, until there is a diagram. @type {Beside | null} */
let coming = null;

/** Opens a dialog, and types into it what was typed while it was fetched. @param {DialogName} name */
export function openDialog(name) {
  void typedAhead.until(open(name)).catch(report);
}

/** @param {DialogName} name @returns {Promise<void>} Rejected with a `Refusal` if it could not be fetched. */
async function open(name) {
  if (made[name] === undefined) {
    wanted.add(name);
    /** @type {Promise<HTMLElement>} */
    const making = MAKERS[name]();
    const dialog = await fetched(making);
    if (!wanted.delete(name)) return;
    document.body.append(dialog);
    Object.assign(made, { [name]: dialog });
    if (name === "diagram") showBeside(coming);
  }
  made[name]?.open();
}

/** Removes all dialogs: they are made again in another language. */
export function clearDialogs() {
  coming = beside();
  for (const dialog of Object.values(made)) dialog.remove();
  made = {};
}

export const isDiagramOpen = () => made.diagram?.isOpen === true;

/** Closes the diagram, even if it is still being fetched. */
export function closeDiagram() {
  wanted.delete("diagram");
  made.diagram?.close();
}

/** Returns the run that the diagram shows below the other, or is to show. */
export const beside = () => (made.diagram === undefined ? coming : made.diagram.beside);

/** @param {Beside | null} run */
export function showBeside(run) {
  coming = run;
  if (made.diagram !== undefined) made.diagram.beside = run;
}
