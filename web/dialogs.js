/** The dialogs of the page that nobody types into at once: each is fetched and made when it is opened first. */

import { fetched } from "./fetched.js";

/** @param {readonly import("./commands.js").Command[]} commands */
const makersOf = (commands) => ({
  newRun: async () => new (await import("./elements/il-new-run.js")).NewRun(),
  lessons: async () => new (await import("./elements/il-lesson-choice.js")).LessonChoice(),
  schedules: async () => new (await import("./elements/il-schedules.js")).Schedules(),
  matrix: async () => new (await import("./elements/il-matrix.js")).Matrix(),
  diagram: async () => new (await import("./elements/il-diagram.js")).Diagram(),
  help: async () => new (await import("./elements/il-help.js")).Help(commands),
});

/** @typedef {ReturnType<typeof makersOf>} Makers */
/** @typedef {keyof Makers} DialogName */
/** @typedef {import("./address.js").Beside} Beside */

export class Dialogs {
  #makers;
  /** @type {{ [Name in DialogName]?: Awaited<ReturnType<Makers[Name]>> }} */
  #made = {};
  /** Those that are to be opened as soon as they are there. @type {Set<DialogName>} */
  #wanted = new Set();
  /** What the diagram is to show below, as long as there is no diagram. @type {Beside | null} */
  #beside = null;

  /** @param {readonly import("./commands.js").Command[]} commands */
  constructor(commands) {
    this.#makers = makersOf(commands);
  }

  /** The diagram, if it was opened before. */
  get diagram() {
    return this.#made.diagram;
  }

  /** Which run the diagram has below the other, or is to have. */
  get beside() {
    return this.#made.diagram === undefined ? this.#beside : this.#made.diagram.beside;
  }

  /** @param {Beside | null} beside */
  set beside(beside) {
    this.#beside = beside;
    if (this.#made.diagram !== undefined) this.#made.diagram.beside = beside;
  }

  /** Forgets all, so that they are made anew in another language. */
  clear() {
    this.#beside = this.beside;
    for (const dialog of Object.values(this.#made)) dialog.remove();
    this.#made = {};
  }

  /**
   * Opens one: at once, if it was open before.
   *
   * @param {DialogName} name
   * @returns {Promise<void>} Rejected with a `Refusal` if it could not be fetched.
   */
  async open(name) {
    if (this.#made[name] === undefined) {
      this.#wanted.add(name);
      /** @type {Promise<HTMLElement>} */
      const coming = this.#makers[name]();
      const made = await fetched(coming);
      if (!this.#wanted.delete(name)) return;
      document.body.append(made);
      Object.assign(this.#made, { [name]: made });
      if (name === "diagram") this.beside = this.#beside;
    }
    this.#made[name]?.open();
  }

  /** Closes the diagram, also if it is still to come. */
  closeDiagram() {
    this.#wanted.delete("diagram");
    this.#made.diagram?.close();
  }
}
