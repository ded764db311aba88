/** German: pictures and files to be kept. */

export const save = {
  title: "Speichern …",
  picture: { svg: "Bild: SVG", png: "Bild: PNG" },
  pictureOf: (/** @type {string} */ run, /** @type {number} */ seq) => `${run}, nach Ereignis ${seq}`,
  run: "Der ganze Lauf",
  traces: { story: "Erzählung: jeder Schritt in einem Satz", svg: "Diagramm: SVG", shiviz: "Protokoll für ShiViz" },
  events: { ndjson: "Ereignisse: NDJSON", csv: "Ereignisse: CSV" },
};
