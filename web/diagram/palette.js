/** The colours and the type of the page, as a canvas needs them. */

/** Colours of the page by what they are for, and the property that has each. */
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

/** How much is left of what is faded: what is to come, and what is not meant. */
export const TO_COME = 0.32;
export const NOT_MEANT = 0.14;

/** @typedef {Record<keyof typeof COLOURS, string> & { font: string, size: number, rem: number }} Palette */

const probe = document.createElement("span");
probe.hidden = true;

const DARK = matchMedia("(prefers-color-scheme: dark)");

/** What was read, and of which looks of the page, by the element. @type {WeakMap<Element, { looks: string, palette: Palette }>} */
const known = new WeakMap();

/** What colours and type depend on; to ask for it costs nothing. */
function looks() {
  const { theme = "", big } = document.documentElement.dataset;
  return [theme, big !== undefined, DARK.matches, innerWidth, innerHeight, devicePixelRatio].join();
}

/**
 * Read again only when the page looks otherwise: each reading of a style has the page laid out.
 *
 * @param {Element} element Where it is drawn.
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

/** Messages of each kind have a colour and a dash: nothing is said by a colour alone. */
const DASHES = [[], [7, 3], [2, 3], [10, 3, 2, 3]];

/** How messages of a kind are drawn. @param {readonly string[]} kinds All there are. @param {string} kind */
export function styleOf(kinds, kind) {
  const place = Math.max(0, kinds.indexOf(kind));
  return { colour: place % 4, dash: DASHES[(place + Math.floor(place / 4)) % 4] ?? [] };
}
