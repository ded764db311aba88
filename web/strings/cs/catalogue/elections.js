/** Czech: the elections, as they stand in the catalogue. */

const initiators = { summary: "kdo na začátku vyhlásí volbu" };
const ring = { summary: "jak jdou čísla v kruhu, každé před svým následníkem" };

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const elections = {
  "acknowledged-ring": {
    title: "Kruh s potvrzováním",
    summary:
      "Největší číslo oběhne kruh; co se nepotvrdí, jde dalšímu v pořadí; komu číslo patří, oznámí to všem.",
    messages:
      "na volbu vyhlášenou jedním d+N ELECT, d kroků k nejvyššímu číslu, stejně tolik OK a N COORD; vyhlásí-li ji N, jako " +
      "Chang–Roberts, bez pohlcování N²+N(N-1)/2",
    variants: {
      original: { summary: "kdo se už účastní, pohltí menší čísla, jako u Changa a Robertse" },
      "no-swallowing": {
        summary: "každý pošle místo menšího čísla dál vlastní, ať kolikrát chce: přednáška",
      },
    },
    parameters: {
      initiators,
      ring,
      answer: { summary: "jak dlouho se čeká na OK, v ms: déle, než trvají dvě zprávy" },
      coordinator: {
        summary: "jak dlouho se čeká na COORD, v ms: déle, než trvají tři kola",
        range: "auto (3N krát `answer`), 0.001 … 3600000",
      },
    },
  },
  bully: {
    summary:
      "Kdo postrádá koordinátora, zeptá se všech s vyšším číslem; komu včas nikdo neodpoví, ten je koordinátor.",
    messages: "na volbu m(m+1) + N-1, a m^2 + N-1, je-li nejvyšší mrtvý; m čísel je vyšších než číslo toho, kdo ji vyhlásil",
    variants: {
      original: { summary: "co se vyhlásí ve starším období, se ignoruje" },
      "older-term": {
        summary: "kdo vyhlásí sám sebe, tomu se věří, ať je období jakékoli",
        broken: "žádná shoda: předběhnuté vyhlášení vrátí dřívějšího koordinátora",
      },
      "dead-announcer": {
        summary: "vyhlášení platí, i když detektor selhání považuje jeho odesílatele za mrtvého",
        broken: "žádný živý koordinátor: pozdní vyhlášení udělá koordinátorem mrtvý proces a nikdo nevolí znovu",
      },
    },
    parameters: {
      initiators,
      answer: { summary: "jak dlouho se čeká na OK, v ms: déle, než trvají dvě zprávy" },
      coordinator: {
        summary: "jak dlouho se po OK čeká na COORD, v ms: déle než dvakrát `answer` a dvě zprávy",
      },
    },
  },
  "chang-roberts": {
    summary: "Čísla putují kruhem; větší se předávají dál, menší se pohltí; čí číslo se vrátí, ten vyhrál.",
    messages:
      "na volbu N COORD a, vyhlásí-li ji všichni, 2N-1 … N(N+1)/2 ELECT, v průměru N·H_N; vyhlásí-li ji jeden, N+d ELECT, d kroků " +
      "před nejvyšším číslem",
    variants: {
      original: { summary: "kdo se ještě neúčastní, pošle místo menšího čísla dál vlastní: článek" },
      "swallow-always": {
        summary: "menší čísla pohltí i ten, kdo se ještě neúčastní",
        broken: "volba vyšumí: číslo je pohlceno a na cestě místo něj není žádné",
      },
    },
    parameters: { initiators, ring },
  },
  "hirschberg-sinclair": {
    summary: "Kandidáti hledají větší čísla na obou stranách kruhu, pokaždé dvakrát dál, když tam žádné není.",
    messages: "na volbu nejvýše 8N(1 + log2 N) PROBE a REPLY a N COORD",
    variants: {
      original: { summary: "kdo pohltí PROBE menšího čísla, neodpoví na ni" },
    },
    parameters: { initiators, ring },
  },
};
