/**
 * All pacing constants: how often the page draws, fetches and announces, and how long it waits. In ms unless the
 * name says otherwise.
 */

// Drawing.

/** Duration of a frame on most screens, and on slow screens. */
export const FRAME_MS = 17;
export const FRAME_MAX_MS = 34;
/** Minimum and maximum pause between two drawings of the state. */
export const REST_MIN_MS = 60;
export const REST_MAX_MS = 250;
/** Pause after a drawing of the state, as a multiple of the delay that the drawing causes to the next frame. */
export const REST_PER_DELAY = 10;
/** Duration after which a frame leaves deferred work to the next frame. */
export const FRAME_HEAVY_MS = 8;
/** Maximum number of frames that deferred work waits. */
export const DEFERRED_FRAMES_MAX = 3;
/**
 * Interval at which a hidden page processes events. A hidden page gets no frames, so without this interval its events
 * would pile up without limit.
 */
export const HIDDEN_MS = 500;
/**
 * Pause after a drawing of an element whose class sets `last`, as a multiple of the duration of the drawing. A person
 * cannot follow each change of a live run, but can follow each step when stepping through a run.
 */
export const REST_PER_DRAWING = { live: 29, still: 3 };
/** Pause between two drawings of an element that is out of view. */
export const UNSEEN_MS = 1_000;

// When events are shown.

/** Delay between an event and its display. When it is over, most consequences of the event are known. */
export const BEHIND_MS = 150;
/**
 * Maximum display delay of a live event. Beyond it, the page shows all events at once instead of waiting for messages.
 */
export const BEHIND_MAX_MS = 2_000;
/** Minimum time for which a message in transit is visible. */
export const WAY_MIN_MS = 450;
/** If the page has to hurry twice within this time, it rushes: messages in transit would be too fast to follow. */
export const RUSH_MS = 150;
/** Minimum duration of a rush. Alternating between motion and rest would look worse than either. */
export const RUSH_MIN_MS = 500;

// Fetching.

/** Interval for facts that any event may change: faults, violations, and the position in a schedule. */
export const FAST_MS = 200;
/** Interval for metrics and for the second run of the diagram. */
export const SLOW_MS = 1_000;
/** Interval for the list of runs, and between attempts to reach a server that does not respond. */
export const SELDOM_MS = 5_000;
/** First pause before a broken stream is opened again. The pause doubles up to `SELDOM_MS`. */
export const RECONNECT_MS = 250;
/** Time for which a request waits for the end of an exploration. */
export const EXPLORATION_MS = 500;
/** Pause between two changes of the address. Browsers refuse more than about 200 changes in 30 s. */
export const ADDRESS_MS = 200;
/** Interval at which the diagram follows a moving slider. */
export const SLIDER_MS = 120;

// People.

/** Time within which typed digits form one number. */
export const DIGITS_MS = 700;
/** Pause after the last typed letter before a search starts. */
export const SEARCH_MS = 150;
/** Pause between two announcements to screen readers. */
export const ANNOUNCEMENT_MS = 1_000;
/** Time for which the object URL of a saved file stays valid. */
export const SAVED_MS = 10_000;
/** How long an error is visible. */
export const ERROR_MS = 12_000;
