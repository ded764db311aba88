/** English: what the server tells it tells in English, so that no words are needed here. */

/** @type {import("../../told.js").Told} */
export const told = { reasons: {}, catalogue: {}, examples: {}, marks: {} };
