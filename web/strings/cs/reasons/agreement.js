/** Czech: the reasons of Paxos, and of the lock service that is built on it. */

/** @type {import("../../../words/catalogue.js").Reasons} */
export const agreement = {
  paxos: {
    accepts: "Přijato: žádné novější hlasování slíbeno nebylo.",
    adopts: "Místo vlastní hodnoty žádá o tu, která byla přijata s nejvyšším číslem.",
    "another-value":
      "Ignorováno: v tomto hlasování byla přijata jiná hodnota a žádný navrhovatel nežádá o dvě.",
    chosen: "Vybráno: tolik ji přijalo.",
    "no-higher-ballot": "Vzdává to: vyšší kolo není.",
    "not-its-ballot": "Ignorováno: hlasování nepatří odesílateli.",
    "not-its-role":
      "Ignorováno: je to pro akceptory nebo pro ty, kdo se učí, a tento uzel jím není, nebo to není od akceptora.",
    "not-needed": "Ignorováno: slib pro hlasování, které žádný nepotřebuje, nebo už ne.",
    older: "Ignorováno: bylo slíbeno novější hlasování.",
    "own-value": "Žádá o vlastní hodnotu: nikdo v kvoru žádnou nepřijal.",
    promises: "Slíbeno: žádné novější hlasování slíbeno nebylo.",
    repeated: "Řečeno znovu: žádost je kopie.",
    "timed-out": "Zkouší vyšší hlasování: o výsledku nebylo slyšet.",
  },
  "replicated-lock": {
    accepts: "Přijato: žádné novější číslo slíbeno nebylo.",
    "another-operation": "Ignorováno: s tímto číslem byla přijata jiná operace.",
    "asks-whether-leading": "Ptá se ostatních, zda ještě vede: jen tak lze lhůtu prodloužit.",
    chosen: "Vybráno: přijala to většina.",
    granted: "Vstoupil: bylo mu to povoleno.",
    "holder-silent": "O držiteli nebylo celou lhůtu slyšet.",
    leads: "Vede: slíbila mu to většina.",
    "lease-over": "Odešel: jeho lhůta vypršela.",
    "no-answer": "Ptá se dalšího uzlu: tento neodpověděl.",
    "no-higher-ballot": "Vzdává to: vyšší kolo není.",
    "no-such-lock": "Ignorováno: takový zámek není.",
    "not-its-ballot": "Ignorováno: číslo nepatří odesílateli.",
    "not-wanted": "Vráceno: co se povoluje, už nechce.",
    older: "Odmítnuto: bylo slíbeno novější číslo.",
    outdated: "Ignorováno: žádost je vyřízena.",
    promises: "Slíbeno: žádné novější číslo slíbeno nebylo.",
    repeated: "Řečeno znovu: žádost je kopie.",
    "stale-grant": "Nevstoupil: žádalo se o to před více než jednou lhůtou, nebo dávno předtím.",
    "steps-down": "Už nevede: je známo novější číslo, nebo většina neodpovídá.",
    "still-leads": "Stále vede: většina žádné novější číslo neslíbila.",
    "takes-over": "Chce vést: kdo vedl, je pokládán za mrtvého.",
    "too-far-ahead": "Ignorováno: před touto instancí je otevřených příliš mnoho.",
    "too-late": "Neprodlouženo: zámek bude hned odebrán.",
    unexpected: "Ignorováno: na to tento uzel nečeká.",
  },
};
