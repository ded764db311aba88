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
 * @property {string} source The text that it follows.
 * @property {Words} title
 * @property {Stop[]} stops
 * @property {{ name: string }} scenario
 *
 * @typedef {{ seq: number, kind: string, detail?: string }} Noted
 *
 * @typedef {object} Lecture A lesson under way.
 * @property {Lesson} lesson
 * @property {string} run
 * @property {readonly number[]} places The event at which each of its stops is.
 * @property {number} stop The one that is shown, or gone to, from 0.
 */

/** What the record says where a mark is. */
const MARK = "mark: ";

/**
 * @param {readonly Stop[]} stops
 * @param {readonly Noted[]} events Those that are noted, and the rules found broken.
 * @returns {number[] | null} The event at which each stop is; none if the run is not that of the lesson.
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

/** The end of the moment of a mark: what is found out then belongs to it. @param {number} mark @param {readonly Noted[]} events */
function momentOf(mark, events) {
  let seq = events[mark]?.seq ?? 0;
  for (let place = mark + 1; events[place]?.seq === (events[place - 1]?.seq ?? 0) + 1; place += 1) {
    if (events[place]?.kind === "violated") seq = events[place]?.seq ?? seq;
  }
  return seq;
}

/**
 * The stop whose words are true where the cursor is: while it plays on to the next one, still that before it.
 *
 * @param {Lecture} lecture
 * @param {number} seq Where the cursor is.
 */
export function textAt({ places, stop }, seq) {
  return seq < (places[stop] ?? 0) ? Math.max(0, stop - 1) : stop;
}
