/** English: what algorithms make of faults. */

export const matrix = {
  button: "Failures …",
  tip: "What the algorithms make of each fault",
  title: "What breaks, what survives",
  about:
    "Four processes, one lock. After eight entries the fault comes, and goes again if it can; then all who live are to enter " +
    "once more. Each cell is the worst of several simulated runs.",
  over: (/** @type {string} */ channel) => (channel === "raw" ? "bare links" : `${channel} channel`),
  playing: "The runs are being played …",
  choose: "Choose a cell: what came of it, and an example to be played.",
  differs: "not as its assumptions say",
  words: { "safe-and-live": "live", "safe-but-stuck": "stuck", unsafe: "two" },
  fates: { "safe-and-live": "safe and live", "safe-but-stuck": "safe but stuck", unsafe: "two inside" },
  told: (
    /** @type {import("../../types.js").Fate} */ fate,
    /** @type {number} */ runs,
    /** @type {number} */ two,
    /** @type {number} */ stuck,
  ) =>
    fate === "safe-and-live"
      ? `In all of ${runs} runs never two were inside, and all who live entered again.`
      : `Of ${runs} runs, two were inside in ${two}; in ${stuck} somebody did not enter any more.`,
  expected: (/** @type {string} */ fate, /** @type {string[]} */ lost) =>
    lost.length === 0
      ? "The fault takes away nothing that it assumes: it is to be safe and live."
      : `It assumes that ${lost.join(", and that ")}. Without that, ${fate} is what is expected.`,
  play: "Play the example",
  file: "as a file",
  lost: {
    "no-loss": "no message is lost",
    "no-duplication": "no message arrives twice",
    fifo: "messages arrive in their order",
    "no-crash": "nobody dies for good",
    "no-return": "who has died stays away",
    "stable-storage": "who is back has what it had stored",
    "failure-detector": "nobody living is taken for dead",
    "time-out": "messages are faster than a time-out",
  },
  /** What stands over the column, and what happens. */
  faults: {
    nothing: ["nothing", "nothing happens"],
    loss: ["loss", "messages are lost for a while"],
    duplication: ["copies", "messages arrive twice for a while"],
    reordering: ["order", "messages overtake each other for a while"],
    "crash-of-waiter": ["waiter †", "one who waits dies"],
    "crash-of-holder": ["holder †", "who is in the section dies"],
    "crash-of-special": ["server †", "one dies on whom the others depend"],
    pause: ["pause", "who is in the section stands still for longer than any time-out"],
    "restart-with-state": ["restart", "one dies and is back with what it had stored"],
    "restart-without-state": ["restart, blank", "one dies and is back with nothing"],
    "one-way-partition": ["mute", "nobody hears one for a while"],
    partition: ["cut", "two are cut off from the others for a while"],
    "wrong-suspicion": ["suspicion", "who is in the section is taken for dead for a while"],
    corruption: ["corruption", "the variables of two are overwritten"],
  },
};
