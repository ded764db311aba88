/**
 * All timing constants of the page: how often it draws, fetches and announces, and how long it waits. The unit is
 * ms, unless the name of the constant contains another unit.
 */

// Drawing.

/** Duration of a frame on most screens (`FRAME_MS`) and on slow screens (`FRAME_MAX_MS`). */
export const FRAME_MS = 17;
export const FRAME_MAX_MS = 34;
/** Minimum and maximum pause between two drawings of the state. */
export const REST_MIN_MS = 60;
export const REST_MAX_MS = 250;
/** Pause after a drawing of the state, as a multiple of the time by which the drawing delays the next frame. */
export const REST_PER_DELAY = 10;
/** If a frame has taken this long, the remaining deferred work moves to the next frame. */
export const FRAME_HEAVY_MS = 8;
/** Maximum number of frames for which deferred work is postponed. */
export const DEFERRED_FRAMES_MAX = 3;
/**
 * Interval at which a hidden page processes events. The browser gives a hidden page no frames, so without this
 * interval the number of pending events would grow without limit.
 */
export const HIDDEN_MS = 500;
/**
 * Pause after an element with the property `last` was drawn, as a multiple of the time that the drawing took. The
 * pause is long in a live run, where a user cannot follow each change. It is short when the user steps through a
 * run. On a slow machine, `REST_LAST_MAX_MS` keeps the timeline close to the state beside it.
 */
export const REST_PER_DRAWING = { live: 29, still: 3 };
export const REST_LAST_MAX_MS = 500;
/** Pause between two drawings of an element that is out of view. */
export const UNSEEN_MS = 1_000;

// Display of events.

/** Delay between an event and its display. After this delay, the page knows most consequences of the event. */
export const BEHIND_MS = 150;
/**
 * Maximum delay between a live event and its display. If the delay would exceed this maximum, the page shows all
 * pending events at once, without the movement of their messages.
 */
export const BEHIND_MAX_MS = 2_000;
/** If events arrive later than this after they have occurred, the page shows how far behind it is. */
export const LATE_MS = 2_000;
/** Time for which the page assumes that events are still late after the last of them has arrived. */
export const LATE_FOR_MS = 3_000;
/** Minimum time for which a message in transit is visible. */
export const WAY_MIN_MS = 450;
/**
 * Time in which visible messages reach their receivers if the page skips the rest of their movement. The pending events
 * appear at the end of this time.
 */
export const HURRY_MS = 200;
/**
 * If the page has to skip the movement of messages twice within this time, a rush begins. During a rush, messages in
 * transit are shown at rest and redrawn only together with the state, because they would move too fast to follow.
 */
export const RUSH_MS = 150;
/**
 * Minimum duration of a rush. A short rush would look worse than a long one, because messages would alternately move
 * and be at rest.
 */
export const RUSH_MIN_MS = 500;

// Fetching.

/** Interval for fetching data that any event may change: faults, violations, and the position in a schedule. */
export const FAST_MS = 200;
/** Interval for fetching metrics, and for fetching events of the second run in the diagram. */
export const SLOW_MS = 1_000;
/** Interval for fetching the list of runs, and for attempts to reach a server that does not respond. */
export const SELDOM_MS = 5_000;
/** Time without an event after which an example that nobody watches counts as over. */
export const QUIET_MS = 60_000;
/** Time after which an example that nobody watches may be stopped to make room for a new run. */
export const UNWATCHED_MS = 600_000;
/**
 * Pause before the first attempt to reopen a broken stream. After each failed attempt the pause doubles, up to
 * `SELDOM_MS`.
 */
export const RECONNECT_MS = 250;
/** Maximum time for which the server delays its response to a request that waits for the end of an exploration. */
export const EXPLORATION_MS = 500;
/** Minimum pause between two changes of the address. Browsers refuse more than about 200 changes in 30 s. */
export const ADDRESS_MS = 200;
/** Interval at which the diagram is updated while the user moves a slider. */
export const SLIDER_MS = 120;

// Times for the input and the perception of users.

/** Maximum pause between two typed digits of the same number. */
export const DIGITS_MS = 700;
/** Pause after the last typed letter before a search starts. */
export const SEARCH_MS = 150;
/** Delay before an announcement to screen readers. Another announcement during the delay replaces the first one. */
export const ANNOUNCEMENT_MS = 1_000;
/** Time for which the object URL of a saved file stays valid. */
export const SAVED_MS = 10_000;
/** Time by which a hand that aims at a moving message may be late. */
export const HAND_MS = 500;
/** Time for which an error is visible. */
export const ERROR_MS = 12_000;
