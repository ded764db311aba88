/** Czech: what algorithms make of faults. */

export const matrix = {
  button: "Poruchy …",
  tip: "Co algoritmy udělají s každou poruchou",
  title: "Co se rozbije, co přežije",
  about:
    "Čtyři procesy, jeden zámek. Po osmi vstupech přijde porucha a zase odejde, pokud může; pak mají všichni, kdo žijí, " +
    "ještě jednou vstoupit. Každé pole je nejhorší z několika simulovaných běhů.",
  over: (/** @type {string} */ channel) => (channel === "raw" ? "holé linky" : `kanál ${channel}`),
  playing: "Běhy se přehrávají …",
  choose: "Vyberte pole: co z toho vzešlo, a příklad k přehrání.",
  differs: "jinak, než říkají jeho předpoklady",
  words: { "safe-and-live": "běží", "safe-but-stuck": "stojí", unsafe: "dva" },
  fates: { "safe-and-live": "bezpečný a živý", "safe-but-stuck": "bezpečný, ale stojí", unsafe: "dva uvnitř" },
  told: (
    /** @type {import("../../types.js").Fate} */ fate,
    /** @type {number} */ runs,
    /** @type {number} */ two,
    /** @type {number} */ stuck,
  ) =>
    fate === "safe-and-live"
      ? `V žádném běhu (z ${runs}) nebyli uvnitř dva a všichni, kdo žijí, vstoupili znovu.`
      : `Počet běhů: ${runs}; dva byli uvnitř: ${two}; někdo už nevstoupil: ${stuck}.`,
  expected: (/** @type {string} */ fate, /** @type {string[]} */ lost) =>
    lost.length === 0
      ? "Porucha mu nebere nic, co předpokládá: má zůstat bezpečný a živý."
      : `Předpokládá, že ${lost.join(", a že ")}. Bez toho se čeká: ${fate}.`,
  play: "Přehrát příklad",
  file: "jako soubor",
  lost: {
    "no-loss": "se žádná zpráva neztratí",
    "no-duplication": "žádná zpráva nepřijde dvakrát",
    fifo: "zprávy přicházejí ve svém pořadí",
    "no-crash": "nikdo neumře navždy",
    "no-return": "kdo umřel, nevrátí se",
    "stable-storage": "kdo se vrátí, má, co si uložil",
    "failure-detector": "nikdo živý není pokládán za mrtvého",
    "time-out": "zprávy jsou rychlejší než lhůta",
  },
  /** What stands over the column, and what happens. */
  faults: {
    nothing: ["nic", "nic se neděje"],
    loss: ["ztráty", "po nějakou dobu se zprávy ztrácejí"],
    duplication: ["kopie", "po nějakou dobu přicházejí zprávy dvakrát"],
    reordering: ["pořadí", "po nějakou dobu se zprávy předbíhají"],
    "crash-of-waiter": ["čekající †", "jeden, kdo čeká, umře"],
    "crash-of-holder": ["držitel †", "kdo je v sekci, umře"],
    "crash-of-special": ["sluha †", "umře jeden, na kterém ostatní závisejí"],
    pause: ["pauza", "kdo je v sekci, stojí déle než každá lhůta"],
    "restart-with-state": ["restart", "jeden umře a je zpět s tím, co si uložil"],
    "restart-without-state": ["restart, prázdný", "jeden umře a je zpět s ničím"],
    "one-way-partition": ["němý", "po nějakou dobu jednoho nikdo neslyší"],
    partition: ["oddělení", "dva jsou po nějakou dobu odříznuti od ostatních"],
    "wrong-suspicion": ["podezření", "kdo je v sekci, je po nějakou dobu pokládán za mrtvého"],
    corruption: ["zkreslení", "proměnné dvou jsou přepsány"],
  },
};
