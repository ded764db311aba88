/** Czech: the algorithms in which a coordinator grants the section, as they stand in the catalogue. */

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const coordinators = {
  centralised: {
    title: "Centralizovaný",
    summary: "Koordinátor povoluje sekci vždy jen jednomu a ostatní má ve frontě.",
    messages: "3, nebo 0 pro koordinátora",
    variants: {
      "arrival-order": { summary: "čekající přicházejí na řadu, jak jejich žádosti došly ke koordinátorovi" },
      "timestamp-order": {
        summary:
          "čekající přicházejí na řadu podle logického času žádostí; která dojde až po povolení mladší, jde přesto pozdě",
      },
      lease: {
        summary: "jako arrival-order; kdo včas neodešel, je pokládán za mrtvého, a každý vstup má fencing token",
      },
      "priority-order": {
        summary: "z čekajících přichází na řadu ten s nejmenším číslem, ať ostatní čekají jakkoli dlouho",
        broken: "proces s velkým číslem hladoví, dokud ti s menšími žádají znovu a znovu",
      },
      "no-exclusion": {
        summary: "nikdo se neptá: kdo chce do sekce, vstoupí",
        broken: "vzájemné vyloučení není žádné",
      },
    },
    parameters: {
      coordinator: { summary: "kdo sekci povoluje" },
      lease: {
        summary: "se lhůtou: po jaké době se sekce odebere, v ms: delší, než trvají dvě zprávy a pobyt v sekci",
      },
    },
  },
  "centralised-failover": {
    title: "Centralizovaný s nástupcem",
    summary:
      "Koordinátor povoluje sekci; když mlčí, zvolí se jiný a zeptá se všech. Po úplném výpadku se musí všichni vrátit s tím, " +
      "co si uložili.",
    messages: "3, nebo 0 pro koordinátora, a 1 navíc, je-li třeba čekat; při změně 2(N-1) a volba",
    variants: {
      bully: { summary: "koordinátor se volí algoritmem bully" },
      "acknowledged-ring": { summary: "koordinátor se volí v kruhu, jehož zprávy se potvrzují" },
    },
    parameters: {
      coordinator: { summary: "kdo povoluje sekci do první volby" },
      answer: { summary: "jak dlouho se čeká na odpověď, i při volbě, v ms: déle, než trvají dvě zprávy" },
      patience: { summary: "po jaké době se čekající klient zeptá znovu, v ms" },
    },
  },
};
