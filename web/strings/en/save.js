/** English: pictures and files to be kept. */

export const save = {
  title: "Save …",
  picture: { svg: "Picture: SVG", png: "Picture: PNG" },
  pictureOf: (/** @type {string} */ run, /** @type {number} */ seq) => `${run}, after event ${seq}`,
  run: "The whole run",
  traces: { story: "Story: each step in a sentence", svg: "Diagram: SVG", shiviz: "Log for ShiViz" },
  events: { ndjson: "Events: NDJSON", csv: "Events: CSV" },
};
