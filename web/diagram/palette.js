/** The colours and the font of the page, for use on a canvas. */

/** The CSS property of each colour. */
const COLOURS = /** @type {const} */ ({
  text: "--text",
  dim: "--dim",
  line: "--line",
  panel: "--panel",
  accent: "--accent",
  wanting: "--wanting",
  section: "--section",
  bad: "--bad",
  idle: "--idle",
  focus: "--focus",
  message0: "--message-0",
  message1: "--message-1",
  message2: "--message-2",
  message3: "--message-3",
});

/** Opacity of elements after the cursor (`TO_COME`), and of elements without emphasis (`NOT_MEANT`). */
export const TO_COME = 0.32;
export const NOT_MEANT = 0.14;

/** @typedef {Record<keyof typeof COLOURS, string> & { font: string, size: number, rem: number }} Palette */

const probe = document.createElement("span");
probe.hidden = true;

const DARK = matchMedia("(prefers-color-scheme: dark)");

/**
 * The palette for each element, and the key of the appearance for which the palette was read.
 *
 * @type {WeakMap<Element, { looks: string, palette: Palette }>}
 */
const known = new WeakMap();

/**
 * Returns a key of the page's appearance. If the colours or the font change, the key changes as well. Computing the key
 * is cheap.
 */
function looks() {
  const { theme = "", big } = document.documentElement.dataset;
  return [theme, big !== undefined, DARK.matches, innerWidth, innerHeight, devicePixelRatio].join();
}

/**
 * Returns the colours and the font of the page. Reading a style forces a layout, so the palette is read again only if
 * the appearance has changed.
 *
 * @param {Element} element The canvas.
 * @returns {Palette}
 */
export function paletteOf(element) {
  const before = known.get(element);
  const now = looks();
  if (before?.looks === now) return before.palette;
  const palette = read(element);
  known.set(element, { looks: now, palette });
  return palette;
}

/** @param {Element} element @returns {Palette} */
function read(element) {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  element.append(probe);
  const { fontFamily, fontSize } = getComputedStyle(probe);
  const colours = Object.entries(COLOURS).map(([name, property]) => {
    probe.style.color = `var(${property})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return { .../** @type {Palette} */ (Object.fromEntries(colours)), font: fontFamily, size: Number.parseFloat(fontSize), rem };
}

/**
 * Dash patterns of message kinds. Each kind has a colour and a dash pattern, because information must not depend on
 * colour alone.
 */
const DASHES = [[], [7, 3], [2, 3], [10, 3, 2, 3]];

/**
 * Returns the style of a message kind.
 *
 * @param {readonly string[]} kinds All kinds of the algorithm.
 * @param {string} kind
 */
export function styleOf(kinds, kind) {
  const place = Math.max(0, kinds.indexOf(kind));
  return { colour: place % 4, dash: DASHES[(place + Math.floor(place / 4)) % 4] ?? [] };
}
