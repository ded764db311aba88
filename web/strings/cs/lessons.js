/** Česky: lekce. */

export const lessons = {
  button: "Lekce …",
  tip: "Provázená cesta každým systémem z pramenů (L)",
  title: "Lekce",
  about: "Každá ukazuje jeden systém z pramenů, co dělá dobře, před čím prameny varují, a klade jednu otázku.",
  ofStops: (/** @type {string} */ algorithm, /** @type {number} */ stops) => `${algorithm}, zastávek: ${stops}`,
  position: (/** @type {number} */ stop, /** @type {number} */ of) => `${stop} z ${of}`,
  mark: (/** @type {string} */ text) => `značka: ${text}`,
  roles: { question: "Otázka:", answer: "Odpověď:" },
  next: "Dál ▶",
  back: "K předchozí zastávce (PageUp)",
  leave: "Opustit lekci",
  elsewhere: "Běh nedošel ke všem zastávkám lekce.",
};
