/** A lesson: where its stops are in its run, and the current one. Pure. */

/**
 * @typedef {"en" | "de" | "cs"} Language
 * @typedef {Record<Language, string>} Words
 *
 * @typedef {object} Stop
 * @property {string} at The mark of the scenario.
 * @property {"question" | "answer"} [role]
 * @property {Words} says
 *
 * @typedef {object} Lesson
 * @property {string} name
 * @property {string} algorithm
 * @property {string} source The text on which it is based.
 * @property {Words} title
 * @property {Stop[]} stops
 * @property {{ name: string }} scenario
 *
 * @typedef {{ seq: number, kind: string, detail?: string }} Noted
 *
 * @typedef {object} Lecture A lesson under way.
 * @property {Lesson} lesson
 * @property {string} run
 * @property {readonly number[]} places The event of each stop.
 * @property {number} stop The current stop, from 0.
 */

/** The prefix of a mark in the record. */
const MARK = "mark: ";

/**
 * Returns the event of each stop; null if the run does not belong to the lesson.
 *
 * @param {readonly Stop[]} stops @param {readonly Noted[]} events Notes and violations. @returns {number[] | null}
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

/** The last event that belongs to a mark: violations found at once do. @param {number} mark @param {readonly Noted[]} events */
function momentOf(mark, events) {
  let seq = events[mark]?.seq ?? 0;
  for (let place = mark + 1; events[place]?.seq === (events[place - 1]?.seq ?? 0) + 1; place += 1) {
    if (events[place]?.kind === "violated") seq = events[place]?.seq ?? seq;
  }
  return seq;
}

/**
 * The stop whose words hold at the cursor: the last one that it has reached.
 *
 * @param {Lecture} lecture @param {number} seq The cursor.
 */
export function textAt({ places, stop }, seq) {
  return seq < (places[stop] ?? 0) ? Math.max(0, stop - 1) : stop;
}
