/** A lesson: its stops, the event of each stop in the lesson's run, and the current stop. Pure. */

/**
 * @typedef {"en" | "de" | "cs"} Language
 * @typedef {Record<Language, string>} Words
 *
 * @typedef {object} Stop
 * @property {string} at The mark in the scenario that determines the event of the stop.
 * @property {"question" | "answer"} [role]
 * @property {string[]} [claims] Names of the claims that can be seen at the stop.
 * @property {Words} says
 *
 * @typedef {object} Lesson
 * @property {string} name
 * @property {string} algorithm
 * @property {string} source The text on which the lesson is based.
 * @property {Words} title
 * @property {Stop[]} stops
 * @property {{ name: string }} scenario
 *
 * @typedef {{ seq: number, kind: string, detail?: string }} Noted
 *
 * @typedef {object} Lecture The current lesson.
 * @property {Lesson} lesson
 * @property {string} run
 * @property {readonly number[]} places The event of each stop.
 * @property {number} stop Index of the current stop, from 0.
 */

/** Prefix by which a note in the event log is recognised as a mark. */
const MARK = "mark: ";

/**
 * Returns the event of each stop. If the run does not belong to the lesson, returns null.
 *
 * @param {readonly Stop[]} stops
 * @param {readonly Noted[]} events The notes and violations of the run.
 * @returns {number[] | null}
 */
export function placesOf(stops, events) {
  /** @type {number[]} */
  const places = [];
  let from = 0;
  for (const { at } of stops) {
    const mark = events.findIndex(({ kind, detail }, place) => place >= from && kind === "noted" && detail === MARK + at);
    if (mark < 0) return null;
    places.push(momentOf(mark, events));
    from = mark + 1;
  }
  return places;
}

/**
 * Returns the event at which the run is shown for a mark. If violations directly follow the mark, the result is
 * the last of these violations, so that the page shows all of them.
 *
 * @param {number} mark Index of the mark in `events`.
 * @param {readonly Noted[]} events
 */
function momentOf(mark, events) {
  let seq = events[mark]?.seq ?? 0;
  for (let place = mark + 1; events[place]?.seq === (events[place - 1]?.seq ?? 0) + 1; place += 1) {
    if (events[place]?.kind === "violated") seq = events[place]?.seq ?? seq;
  }
  return seq;
}

/**
 * Returns the stop whose text applies at the cursor. The result is the last stop that the cursor has reached.
 *
 * @param {Lecture} lecture
 * @param {number} seq The event at the cursor.
 */
export function textAt({ places, stop }, seq) {
  return seq < (places[stop] ?? 0) ? Math.max(0, stop - 1) : stop;
}
