/** English: lessons. */

export const lessons = {
  button: "Lessons …",
  tip: "A guided walk through each system of the sources (L)",
  title: "Lessons",
  about: "Each shows a system of the sources, what it does well, what the sources warn of, and asks one question.",
  ofStops: (/** @type {string} */ algorithm, /** @type {number} */ stops) => `${algorithm}, ${stops} stops`,
  position: (/** @type {number} */ stop, /** @type {number} */ of) => `${stop} of ${of}`,
  mark: (/** @type {string} */ text) => `mark: ${text}`,
  roles: { question: "Question:", answer: "Answer:" },
  next: "Next ▶",
  back: "To the stop before (PageUp)",
  leave: "Leave the lesson",
  elsewhere: "The run did not come to all stops of the lesson.",
};
