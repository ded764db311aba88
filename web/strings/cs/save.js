/** Czech: pictures and files to be kept. */

export const save = {
  title: "Uložit …",
  picture: { svg: "Obrázek: SVG", png: "Obrázek: PNG" },
  pictureOf: (/** @type {string} */ run, /** @type {number} */ seq) => `${run}, po události ${seq}`,
  run: "Celý běh",
  traces: { story: "Vyprávění: každý krok jednou větou", svg: "Diagram: SVG", shiviz: "Záznam pro ShiViz" },
  events: { ndjson: "Události: NDJSON", csv: "Události: CSV" },
};
