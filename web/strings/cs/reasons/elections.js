/** Czech: the reasons of the elections. */

const everyElection = {
  accepted: "Má tohoto za koordinátora.",
  "dead-coordinator": "Vyhlašuje volbu: detektor selhání považuje proces, který toto vyhlášení jmenuje, za mrtvý.",
  suspects: "Vyhlašuje volbu: detektor selhání má koordinátora za mrtvého.",
  told: "Vyhlašuje volbu: dostal to příkazem.",
};

const everyRing = {
  ...everyElection,
  returned: "Vyhlašuje volbu: je zpět po havárii a koordinátora nezná.",
  "round-over": "Vědí to všichni: co koordinátor řekl, se vrátilo.",
};

const ringOfIds = {
  ...everyRing,
  "came-back": "Je koordinátor: vlastní číslo se vrátilo.",
  greater: "Předal číslo dál: je větší.",
  replaced: "Místo menšího čísla poslal dál vlastní.",
};

/** @type {import("../../../words/catalogue.js").Reasons} */
export const elections = {
  "acknowledged-ring": {
    ...ringOfIds,
    acknowledged: "Následník to má.",
    alone: "Je koordinátor: nikdo jiný nežije.",
    "candidate-dead":
      "Vyhlašuje volbu znovu: toto číslo oběhlo kruh a nikdo ho nezastavil, kandidát je tedy mrtvý.",
    "missed-term": "Vyhlašuje volbu znovu: po havárii vyhlásil volbu na období, které už skončilo.",
    "no-coordinator": "Vyhlašuje volbu znovu: o koordinátorovi včas neslyšel.",
    older: "Ignorováno: ze staršího období, z volby, která skončila, nebo kopie.",
    outbid: "Pohltil vlastní číslo: na cestě je větší.",
    "round-broken": "Vyhlašuje volbu znovu: co řekl jako koordinátor, se včas nevrátilo.",
    skipped: "Posílá ELECT dalšímu v pořadí: příjemce ho včas nepotvrdil.",
    swallowed: "Pohltil menší číslo: na cestě je vlastní nebo větší.",
    unexpected: "Ignorováno: od nikoho z kruhu, nebo odpověď, na kterou se nečeká.",
  },
  bully: {
    ...everyElection,
    "asks-first": "Volbu ještě nezahajuje: je zpět po havárii a nejdřív se ptá na období.",
    "begun-already": "Volbu nezahajuje: tuto už zahájil.",
    "called-below": "Zahajuje vlastní volbu: vyhlásil ji proces s nižším číslem.",
    "gave-way": "Je ze hry: proces s vyšším číslem žije.",
    highest: "Je koordinátor: vyšší číslo nemá nikdo.",
    learnt: "Zapisuje si období.",
    "lower-coordinator": "Vyhlašuje volbu: proces s nižším číslem říká, že je koordinátor.",
    "no-coordinator": "Vyhlašuje volbu znovu: vyšší proces odpověděl, ale koordinátorem se včas nikdo nestal.",
    "nobody-answered": "Je koordinátor: žádný proces s vyšším číslem včas neodpověděl.",
    older: "Ignorováno: ze staršího období.",
    "over-already": "Volbu nezahajuje: tato už skončila.",
    returned: "Ptá se na období: je zpět po havárii.",
    "takes-over": "Vyhlašuje volbu: je zpět po havárii a o žádném vyšším koordinátorovi neví.",
    unexpected: "Ignorováno: na nic takového se nečeká, nebo už ne.",
    "wrong-side": "Ignorováno: ptají se jen nižší čísla a odpovídají jen vyšší.",
  },
  "chang-roberts": {
    ...ringOfIds,
    alone: "Je koordinátor: nikdo jiný není.",
    older: "Ignorováno: ze staršího období, nebo z volby, která skončila.",
    swallowed: "Pohltil menší číslo: na cestě je vlastní.",
    unexpected: "Ignorováno: ne od předchůdce v kruhu, nebo od nikoho z něj.",
  },
  "hirschberg-sinclair": {
    ...everyRing,
    alone: "Je koordinátor: nikdo jiný není.",
    "came-back": "Je koordinátor: jeho PROBE oběhla celý kruh.",
    "far-enough": "Odpověděl na PROBE: její číslo je větší a došla dost daleko.",
    greater: "Předal PROBE dál: její číslo je větší.",
    "next-phase": "Hledá dál: takto blízko není větší číslo na žádné straně.",
    older: "Ignorováno: ze staršího období nebo fáze, nebo z volby, která skončila.",
    swallowed: "Pohltil PROBE: její číslo je menší.",
    unexpected: "Ignorováno: nepřichází, odkud má, nebo to takto nikdo poslat nemohl.",
  },
};
