/** Pacing: how often the page draws, fetches and speaks, and how long it waits. In ms unless a name says otherwise. */

// Drawing.

/** A frame on most screens, and on slow ones. */
export const FRAME_MS = 17;
export const FRAME_MAX_MS = 34;
/** Shortest and longest pause between two drawings of the state. */
export const REST_MIN_MS = 60;
export const REST_MAX_MS = 250;
/** The state rests this many times as long as its drawing delays the next frame. */
export const REST_PER_DELAY = 10;
/** After this much of a frame, deferred work may wait for the next one … */
export const FRAME_HEAVY_MS = 8;
/** … but for at most this many frames. */
export const DEFERRED_FRAMES_MAX = 3;
/** How often a hidden page looks at what has changed: it gets no frames, and must not collect events without limit. */
export const HIDDEN_MS = 500;
/**
 * How many times as long as its drawing an element of `last` rests. Nobody can follow each change of a live run; a person who steps
 * through a run can.
 */
export const REST_PER_DRAWING = { live: 29, still: 3 };
/** Pause between two drawings of an element that is out of view. */
export const UNSEEN_MS = 1_000;

// When events are seen.

/** How late events are shown: by then most of their consequences are known. */
export const BEHIND_MS = 150;
/** A page further behind than this does not wait until messages were seen. */
export const BEHIND_MAX_MS = 2_000;
/** How long a message is seen on its way at least. */
export const WAY_MIN_MS = 450;
/** Two hurries within this time make a rush: nobody can follow messages on their way … */
export const RUSH_MS = 150;
/** … and it lasts this long: alternating between motion and rest looks worse than either. */
export const RUSH_MIN_MS = 500;

// Fetching.

/** What an event may have changed at once: faults, violations, the position in a schedule. */
export const FAST_MS = 200;
/** Metrics, and the second run of the diagram. */
export const SLOW_MS = 1_000;
/** The list of runs, and attempts to reach a server that does not answer. */
export const SELDOM_MS = 5_000;
/** First pause before a broken stream is opened again. It doubles up to `SELDOM_MS`. */
export const RECONNECT_MS = 250;
/** How long a request waits for the end of an exploration. */
export const EXPLORATION_MS = 500;
/** Browsers refuse more than about 200 changes of the address in 30 s. */
export const ADDRESS_MS = 200;
/** How often the diagram follows a slider that moves. */
export const SLIDER_MS = 120;

// People.

/** Digits typed within this time make one number. */
export const DIGITS_MS = 700;
/** Pause after the last letter of a search. */
export const SEARCH_MS = 150;
/** Pause between two announcements to screen readers. */
export const ANNOUNCEMENT_MS = 1_000;
/** How long a saved file can be read from its address. */
export const SAVED_MS = 10_000;
/** How long an error is shown. */
export const ERROR_MS = 12_000;
