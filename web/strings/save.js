/** Strings for saving pictures and files. */

import { phrase, say } from "./say.js";

export const save = {
  title: say("Save …", "Speichern …", "Uložit …"),
  picture: say({ svg: "Picture: SVG", png: "Picture: PNG" },
    { svg: "Bild: SVG", png: "Bild: PNG" },
    { svg: "Obrázek: SVG", png: "Obrázek: PNG" }),
  pictureOf: phrase("{run}, after event {seq}", "{run}, nach Ereignis {seq}", "{run}, po události {seq}"),
  run: say("The whole run", "Der ganze Lauf", "Celý běh"),
  traces: say({ story: "Story: each step in a sentence", svg: "Diagram: SVG", shiviz: "Log for ShiViz" },
    { story: "Erzählung: jeder Schritt in einem Satz", svg: "Diagramm: SVG", shiviz: "Protokoll für ShiViz" },
    { story: "Vyprávění: každý krok jednou větou", svg: "Diagram: SVG", shiviz: "Záznam pro ShiViz" }),
  events: say({ ndjson: "Events: NDJSON", csv: "Events: CSV" },
    { ndjson: "Ereignisse: NDJSON", csv: "Ereignisse: CSV" },
    { ndjson: "Události: NDJSON", csv: "Události: CSV" }),
};
