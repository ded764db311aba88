/** English: time that is held, and a lecture that goes on message by message. */

export const held = {
  title: "TIME IS HELD",
  tip: "Every message waits until you let it go; timers and clients go on by themselves",
  count: (/** @type {number} */ count) => (count === 1 ? "1 message waits" : `${count} messages wait`),
  next: (/** @type {string} */ message) => `Next: ${message}`,
  going: (/** @type {string} */ message) => `On its way: ${message}`,
  nothing: "No message waits.",
  everybody: "everybody",
  can: {
    acquire: (/** @type {string} */ who) => `Can ask (a): ${who}.`,
    release: (/** @type {string} */ who) => `Can leave (r): ${who}.`,
    elect: (/** @type {string} */ who) => `Can call an election (e): ${who}.`,
    propose: (/** @type {string} */ who) => `Can propose (v): ${who}.`,
    corrupt: (/** @type {string} */ who) => `Can be overwritten: ${who}.`,
    fire: (/** @type {string} */ who) => `A timer can run out (w): ${who}.`,
  },
  actions: { deliver: "Deliver it", drop: "Lose it", duplicate: "Copy it" },
  tips: {
    deliver: "Hand the next message to its receiver: PageDown, → or d",
    drop: "Lose the next message: x",
    duplicate: "Make a second copy of the next message",
  },
  all: "Let all go",
  allTip: "Deliver all messages that wait; what is sent from now on waits again",
  run: "Let time run",
  runTip: "Let all go, and hold nothing from now on: h",
};
