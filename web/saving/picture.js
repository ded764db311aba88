/** Pictures of parts of the page, as files that can be used without the page. */

import { s } from "../drawing/dom.js";
import { inlineStyles } from "./inline-styles.js";

/**
 * Number of pixels in the picture for each pixel of the screen. If the number is greater than 1, the picture is
 * sharp on a slide.
 */
const SCALE = 2;
/** Height of a caption, in CSS pixels. */
const CAPTION = 26;
/** Attributes that have a meaning only inside the page. A saved picture omits them. */
const OF_THE_PAGE = ["tabindex", "role", "aria-label", "class"];

/** Returns a drawing as SVG text. @param {SVGSVGElement} drawing @param {string} title @returns {string} */
export function svgOf(drawing, title) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const parts = /** @type {SVGElement[]} */ ([copy, ...copy.querySelectorAll("*")]);
  const looks = [drawing, ...drawing.querySelectorAll("*")].map((element) => getComputedStyle(element));
  const place = new Map(parts.map((part, index) => [/** @type {Element} */ (part), index]));
  const of = (/** @type {number | undefined} */ index) => {
    const look = index === undefined ? undefined : looks[index];
    return look === undefined ? null : (/** @type {string} */ property) => look.getPropertyValue(property);
  };
  parts.forEach((part, index) => {
    const own = of(index);
    const around = part.parentElement;
    if (own === null) return;
    OF_THE_PAGE.forEach((name) => part.removeAttribute(name));
    const said = inlineStyles(own, of(around === null ? undefined : place.get(around)));
    said.forEach(([name, value]) => part.setAttribute(name, value));
  });
  parts.filter((_, index) => looks[index]?.display === "none").forEach((part) => part.remove());
  const { width, height } = drawing.viewBox.baseVal;
  Object.entries({ width, height }).forEach(([name, value]) => copy.setAttribute(name, String(value)));
  copy.prepend(s("title", {}, title), s("rect", { width, height, fill: backOf(drawing) }));
  return new XMLSerializer().serializeToString(copy);
}

/** Converts an SVG image to PNG. @param {string} svg SVG text with width and height. @returns {Promise<Blob>} */
export async function pngOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return blobOf(canvas);
}

/**
 * Returns a PNG of several canvases, one below the other. Each canvas has its caption above it, unless the caption is
 * empty.
 *
 * @param {readonly { painted: HTMLCanvasElement, caption: string }[]} pictures
 * @returns {Promise<Blob>}
 */
export function paintedAsPng(pictures) {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const above = (/** @type {string} */ caption) => (caption === "" ? 0 : CAPTION * devicePixelRatio);
  const width = Math.max(...pictures.map(({ painted }) => painted.width));
  const height = pictures.reduce((sum, { painted, caption }) => sum + above(caption) + painted.height, 0);
  Object.assign(canvas, { width, height });
  if (context === null) return blobOf(canvas);
  let top = 0;
  for (const { painted, caption } of pictures) {
    const { color, fontFamily } = getComputedStyle(painted);
    context.fillStyle = backOf(painted);
    context.fillRect(0, top, width, above(caption) + painted.height);
    context.fillStyle = color;
    context.font = `600 ${CAPTION * 0.6 * devicePixelRatio}px ${fontFamily}`;
    context.textBaseline = "middle";
    context.fillText(caption, CAPTION * 0.3 * devicePixelRatio, top + above(caption) / 2);
    context.drawImage(painted, 0, top + above(caption));
    top += above(caption) + painted.height;
  }
  return blobOf(canvas);
}

/** Returns the background colour that is visible behind an element. @param {Element} element @returns {string} */
function backOf(element) {
  const { backgroundColor } = getComputedStyle(element);
  const isThrough = backgroundColor === "rgba(0, 0, 0, 0)" || backgroundColor === "transparent";
  return isThrough && element.parentElement !== null ? backOf(element.parentElement) : backgroundColor;
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
const blobOf = (canvas) =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("PNG")) : resolve(blob)), "image/png");
  });
