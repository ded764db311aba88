/**
 * What the steps are laid out by: `time` in µs since the run began; `lamport`, the time by Lamport's rules, by which taking
 * a message and each sending tick; `depth`, how many steps the longest chain of causes has that ends in a step.
 *
 * @typedef {"time" | "lamport" | "depth"} Axis
 */

/** @type {readonly Axis[]} */
export const AXES = ["time", "lamport", "depth"];
