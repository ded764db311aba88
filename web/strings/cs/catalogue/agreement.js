/** Czech: Paxos and the lock service that is built on it, as they stand in the catalogue. */

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const agreement = {
  paxos: {
    summary: "Navrhovatel žádá většinu o sliby a pak o přijetí; co většina přijme se stejným číslem, je zvoleno.",
    messages: "žádné vstupy; 4 na akceptora k volbě hodnoty, s jedním navrhovatelem a jedním, kdo se ji dozvídá",
    variants: {
      "single-decree": { summary: "jako v článku: zvolena je jediná hodnota, jednou provždy" },
      "adopts-nothing": {
        summary: "navrhovatel žádá o vlastní hodnotu, ať sliby uvádějí jako dříve přijaté cokoli",
        broken: "je zvolena hodnota, ačkoli už byla zvolena jiná",
      },
      "accepted-without-number": {
        summary: "akceptoři oznamují přijatou hodnotu bez čísla návrhu",
        broken: "přijetí různých návrhů se sečtou a různí se dozvědí různé hodnoty",
      },
      "promise-forgotten": {
        summary: "sliby a přijetí nejsou v paměti, která přežije havárii",
        broken: "akceptor, který se vrátí, poruší slib a je zvolena druhá hodnota",
      },
    },
    parameters: {
      acceptors: { summary: "kdo slibuje a přijímá" },
      learners: { summary: "komu se oznamuje, co bylo přijato" },
      proposers: {
        summary: "kdo na začátku navrhuje, uzel 3 hodnotu `v3`; není-li dáno, kdo z 0 a 1 tu je",
      },
      quorum: {
        summary: "kolik akceptorů stačí; méně než většina zvolí dvě hodnoty",
        range: "majority, 1 … počet `acceptors`",
      },
      retry: {
        summary:
          "jak dlouho navrhovatel čeká, než zkusí vyšší číslo, v ms; kdo se výsledek nedozvídá, čeká jen na sliby",
      },
      "back-off": { summary: "jak čeká: jednou až třikrát tak dlouho, náhodně, nebo vždy stejně dlouho" },
    },
  },
  "replicated-lock": {
    title: "Replikovaná služba zámků",
    summary: "Vůdce nechává každou operaci se zámky zvolit většinou; zámky jsou na lhůtu a mají fencing tokeny.",
    messages: "4(N-1) + 3, nebo 4(N-1) pro vůdce; více, čeká-li nebo zůstává-li dlouho",
    variants: {
      leased: { summary: "zámek se drží po dobu lhůty a prodlužuje se" },
      "adopts-nothing": {
        summary: "nový vůdce začne s tím, co sám provedl, ať sliby uvádějí jako přijaté cokoli",
        broken: "co povolil předchozí vůdce, povolí se znovu",
      },
    },
    parameters: {
      leader: { summary: "kdo vede jako první" },
      lease: { summary: "jak dlouho se zámek drží bez prodloužení, v ms" },
      retry: {
        summary:
          "jak dlouho uzel čeká, než se znovu zeptá, prodlouží nebo pošle zprávu znovu, v ms; není-li dáno, čtvrtina lhůty",
        range: "0.001 … 1/4 z `lease`",
      },
    },
  },
};
