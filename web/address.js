/** What the address of the page says: which run and where in it, and which lesson is held. Pure. */

/**
 * @typedef {object} Place
 * @property {string | null} run Its id; null: none is named.
 * @property {number | null} at The event after which it is shown; null: as it is now.
 * @property {{ name: string, stop: number } | null} lesson The one that is held, and its stop, from 0.
 */

/** More digits no event has. */
const NUMBER = /^\d{1,15}$/u;

/**
 * @param {string} hash What comes after the `#`, and it.
 * @returns {Place}
 */
export function placeIn(hash) {
  const named = new URLSearchParams(hash.slice(1));
  const number = (/** @type {string} */ field) => {
    const text = named.get(field) ?? "";
    return NUMBER.test(text) ? Number(text) : null;
  };
  const name = named.get("lesson");
  const lesson = name === null ? null : { name, stop: Math.max(0, (number("stop") ?? 1) - 1) };
  return { run: named.get("run"), at: number("at"), lesson };
}

/**
 * @param {Partial<Place> & { run: string }} place The stop of a lesson says where in its run.
 * @returns {string} From the `#` on.
 */
export function hashOf({ run, at = null, lesson = null }) {
  const named = new URLSearchParams({ run });
  if (lesson !== null) {
    named.set("lesson", lesson.name);
    named.set("stop", String(lesson.stop + 1));
  } else if (at !== null) named.set("at", String(at));
  return `#${named}`;
}
