/** Czech: what is done against deadlocks, as it stands in the catalogue. */

const agesNotCompared = "stáří se porovnává, když někdo žádá, a ne když prostředek dostane jiného držitele";
const renewed = "transakce, která začíná znovu, dostane novou časovou značku";

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const deadlocks = {
  banker: {
    title: "Bankéřův algoritmus",
    summary: "Bankéř žádosti vyhoví, jen mohou-li pak ještě všechny procesy jeden po druhém skončit.",
    messages: "3, nebo 0 pro bankéře",
    variants: {
      original: { summary: "žádost je o jednotku, nebo o několik z několika prostředků, a dostane všechny, nebo žádnou" },
    },
    parameters: {
      banker: { summary: "kdo spravuje prostředky" },
      existing: {
        summary: "kolik jednotek má každý prostředek",
        range: "pro každý prostředek číslo od 0 do 1000000, oddělená čárkami",
      },
      claims: {
        summary:
          "kolik jednotek každého prostředku smí mít každý proces nejvýše: řádek pro každý proces od 0, kdo řádek nemá, " +
          "nesmí nic; auto je příklad z přednášky, pro jeho pět procesů a prostředky 6,3,4,2, a jinak jednotka každého " +
          "prostředku pro každého",
        range: "auto, řádky jako 4,1,1,1;0,2,1,2;…",
      },
    },
  },
  "central-detection": {
    title: "Centrální detekce uváznutí",
    summary: "Koordinátor spojí grafy čekání všech míst a rozplete kruhy v nich.",
    messages: "3 a ty, které hlásí, kdo čeká",
    variants: { original: { summary: "vzdá se nejmladší transakce z kruhu" } },
    parameters: {
      coordinator: { summary: "kdo hledá kruhy" },
      period: { summary: "po jaké době se hlásí změna, v ms" },
    },
  },
  "edge-chasing": {
    summary: "Kdo je blokován, pošle sondu podél těch, kdo na sebe čekají; čí sonda se vrátí, ten se vzdá.",
    messages: "3, a 2 nebo více pokaždé, když je blokován",
    variants: {
      original: { summary: "čí sonda se vrátí, ten se vzdá: může jich být víc" },
      highest: { summary: "vrátí se jen sonda procesu s nejvyšším číslem v kruhu, takže se vzdá jeden" },
      "forwards-unblocked": {
        summary: "kdo už blokován není, posílá sondy dál tomu, na koho čekal",
        broken: "fantomová uváznutí: sonda jde podél čekání, která skončila",
      },
    },
    parameters: {
      requests: {
        summary:
          "zda proces žádá o jeden prostředek po druhém, nebo o všechny, které potřebuje, najednou; pak může být ohlášen i " +
          "kruh, který jiný proces právě rozpletl",
      },
    },
  },
  prevention: {
    title: "Prevence uváznutí",
    summary: "Jedna ze čtyř podmínek, které uváznutí potřebuje, se odstraní.",
    messages: "3, nebo 0 pro správce prostředku",
    variants: {
      ordered: { summary: "žádné čekání v kruhu: o prostředky se žádá ve vzestupném pořadí" },
      together: { summary: "žádné držení a čekání: o všechny prostředky se žádá najednou a přidělí se najednou" },
      "give-way": {
        summary: "žádný nárok na to, co kdo má: kdo chce, co není volné, všechno vrátí a zkusí to znovu",
      },
      shared: { summary: "žádná výlučnost: prostředek může mít současně libovolně mnoho procesů" },
      none: {
        summary: "platí všechny čtyři podmínky",
        broken: "uváznutí: filosofové, kteří všichni vezmou nejdřív levou vidličku, čekají navždy",
      },
    },
    parameters: {},
  },
  "wait-die": {
    summary: "Starší transakce čeká na mladší; mladší zemře a začne znovu, tak stará, jak byla.",
    messages: "3, a pokaždé, když zemře, 3 navíc (REQUEST, ABORT, RELEASE) a 3 za každý prostředek, který vrátí",
    variants: {
      original: { summary: "jako v článku" },
      "ages-not-compared-again": {
        summary: agesNotCompared,
        broken: "uváznutí: mladší čeká na starší, která přišla na řadu před ní",
      },
      "timestamp-renewed": {
        summary: renewed,
        broken: "hladovění: kdo začíná znovu, je zase nejmladší a zase zemře",
      },
    },
    parameters: {},
  },
  "wound-wait": {
    summary: "Mladší transakce čeká na starší; starší donutí mladší vzdát se toho, co má.",
    messages: "3, a pokaždé, když je zraněna, 1 navíc (ABORT), 3 za každý prostředek, který vrátí, a 2 za ten, na který čeká",
    variants: {
      original: { summary: "jako v článku" },
      "ages-not-compared-again": {
        summary: agesNotCompared,
        broken: "uváznutí: starší čeká na mladší, která přišla na řadu před ní",
      },
      "timestamp-renewed": {
        summary: renewed,
        broken: "hladovění: kdo začíná znovu, je zase nejmladší a zase je zraněn",
      },
    },
    parameters: {},
  },
};
