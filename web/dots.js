/** Messages on their way as dots: when each is where. Pure: time comes in as an argument, in ms. */

/** @typedef {import("./types.js").Happening} Happening */

/** More than these are left out of the picture. */
const MOST = 150;
/** A message that arrives at once still takes this long to be seen. */
const SHORTEST_MS = 450;
/** What is not heard of again is taken away after this time beyond its deadline. */
const FORGET_MS = 10_000;
const MIDDLE = 0.5;

/**
 * @typedef {object} Dot
 * @property {string} id
 * @property {number} from
 * @property {number} to
 * @property {string} kind
 * @property {number} start_ms
 * @property {number} duration_ms
 * @property {number} first Where it starts, 0 … 1.
 * @property {number} last Where it ends, 0 … 1.
 * @property {boolean} lost
 * @property {boolean} done It has been taken or lost; it goes when it has got there.
 */

export class Dots {
  /** @type {Map<string, Dot>} */
  #dots = new Map();

  clear() {
    this.#dots.clear();
  }

  /**
   * @param {Happening[]} events
   * @param {number} now_ms
   */
  take(events, now_ms) {
    for (const event of events) this.#apply(event, now_ms);
  }

  /**
   * @param {Happening} event
   * @param {number} now_ms
   */
  #apply(event, now_ms) {
    const { kind, message = "" } = event;
    const dot = this.#dots.get(message);
    if (kind === "sent") this.#add(message, event.message_kind ?? "", event, now_ms);
    else if (kind === "duplicated") this.#add(event.copy ?? "", dot?.kind ?? "", event, now_ms);
    else if (kind === "held") this.#dots.delete(message);
    else if (kind === "forwarded") this.#add(message, "", event, now_ms, MIDDLE);
    else if (kind === "delivered" && dot !== undefined) dot.done = true;
    else if (kind === "dropped") this.#lose(message, dot, event, now_ms);
  }

  /**
   * @param {string} id
   * @param {string} kind
   * @param {Happening} event
   * @param {number} now_ms
   * @param {number} [first]
   */
  #add(id, kind, { at_us, due_us = at_us }, now_ms, first = 0) {
    if (this.#dots.size >= MOST) return undefined;
    const [from = 0, to = 0] = id.split(".").map(Number);
    const duration_ms = Math.max(SHORTEST_MS, (due_us - at_us) / 1000);
    /** @type {Dot} */
    const dot = { id, from, to, kind, start_ms: now_ms, duration_ms, first, last: 1, lost: false, done: false };
    this.#dots.set(id, dot);
    return dot;
  }

  /**
   * @param {string} id
   * @param {Dot | undefined} known
   * @param {Happening} event
   * @param {number} now_ms
   */
  #lose(id, known, event, now_ms) {
    const dot = known ?? this.#add(id, "", event, now_ms, MIDDLE);
    if (dot === undefined) return;
    const progress = place(dot, now_ms);
    const last = Math.max(progress, MIDDLE);
    Object.assign(dot, { first: progress, last, start_ms: now_ms, duration_ms: SHORTEST_MS, lost: true, done: true });
  }

  /**
   * The dots to be seen now; those that have arrived are forgotten.
   *
   * @param {number} now_ms
   * @returns {Dot[]}
   */
  at(now_ms) {
    for (const dot of this.#dots.values()) {
      const over_ms = now_ms - dot.start_ms - dot.duration_ms;
      if ((dot.done && over_ms > 0) || over_ms > FORGET_MS) this.#dots.delete(dot.id);
    }
    return [...this.#dots.values()];
  }
}

/**
 * How far a dot is, 0 … 1.
 *
 * @param {Dot} dot
 * @param {number} now_ms
 */
export function place({ start_ms, duration_ms, first, last }, now_ms) {
  const share = Math.min(1, Math.max(0, (now_ms - start_ms) / duration_ms));
  return first + (last - first) * share;
}
