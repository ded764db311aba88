/** The appearance of each message kind. Different kinds differ in colour, shape or both. Pure. */

/** Number of colours. The colours are defined by the CSS properties `--message-0`, `--message-1` and so on. */
const COLOURS = 7;

/** Paths of the shapes. Each shape is centred on the origin and about 20 units wide. */
const SHAPES = [
  "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0 -20 0Z",
  "M-9 -9H9V9H-9Z",
  "M0 -11L11 9H-11Z",
  "M0 -12L12 0L0 12L-12 0Z",
  "M0 11L-11 -9H11Z",
  "M-4 -11H4V-4H11V4H4V11H-4V4H-11V-4H-4Z",
  "M-6 -10H6L12 0L6 10H-6L-12 0Z",
  "M0 -12L3.2 -4H11.5L4.8 1.2L7.2 9.8L0 4.8L-7.2 9.8L-4.8 1.2L-11.5 -4H-3.2Z",
];

/**
 * @typedef {{ colour: number, shape: number, outline: string }} Look A colour and a shape; `outline` is the path of the
 *   shape.
 */

/**
 * Returns the appearance of a message kind. From one kind to the next, both the colour and the shape change. There is
 * one more shape than there are colours, so a combination repeats only after many kinds.
 *
 * @param {string} kind
 * @param {readonly string[]} kinds All kinds of the algorithm.
 * @returns {Look}
 */
export function lookOf(kind, kinds) {
  const place = kinds.indexOf(kind);
  const number = place < 0 ? kinds.length : place;
  const shape = number % SHAPES.length;
  return { colour: number % COLOURS, shape, outline: SHAPES[shape] ?? "" };
}
