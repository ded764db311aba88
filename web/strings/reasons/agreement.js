/**
 * Reasons given by the algorithms that agree on values. Only German and Czech: the server provides the English texts.
 */

import { both } from "../say.js";

export const agreement = {
  paxos: {
    accepts: both("Akzeptiert: Kein neueres Ballot war versprochen.", "Přijato: žádné novější hlasování slíbeno nebylo."),
    adopts: both("Schlägt den Wert vor, der mit der höchsten Nummer akzeptiert wurde, statt des eigenen.",
      "Místo vlastní hodnoty navrhuje tu, která byla přijata s nejvyšším číslem."),
    "another-value": both("Ignoriert: Mit diesem Ballot wurde ein anderer Wert akzeptiert, und ein Proposer schlägt mit " +
      "jedem Ballot nur einen vor.",
      "Ignorováno: v tomto hlasování byla přijata jiná hodnota a navrhovatel v jednom hlasování navrhuje jen jednu."),
    chosen: both("Gewählt: Ein Quorum hat ihn akzeptiert.", "Vybráno: přijalo ji kvorum."),
    "no-higher-ballot": both("Gibt auf: Eine höhere Runde gibt es nicht.", "Vzdává to: vyšší kolo není."),
    "not-its-ballot": both("Ignoriert: Das Ballot ist nicht das des Absenders.", "Ignorováno: hlasování nepatří odesílateli."),
    "not-its-role": both("Ignoriert: Dieser Knoten hat nicht die Rolle, für die die Nachricht ist, oder der Absender ist " +
      "kein Akzeptor.",
      "Ignorováno: tento uzel nemá roli, pro kterou zpráva je, nebo odesílatel není akceptor."),
    "not-needed": both("Ignoriert: ein Versprechen für ein Ballot, das keines oder kein weiteres braucht.",
      "Ignorováno: slib pro hlasování, které žádný nebo žádný další nepotřebuje."),
    older: both("Ignoriert: Ein neueres Ballot war versprochen.", "Ignorováno: bylo slíbeno novější hlasování."),
    "own-value": both("Schlägt den eigenen Wert vor: Kein Akzeptor im Quorum hat einen akzeptiert.",
      "Navrhuje vlastní hodnotu: žádný akceptor v kvoru žádnou nepřijal."),
    promises: both("Versprochen: Kein neueres Ballot war versprochen.", "Slíbeno: žádné novější hlasování slíbeno nebylo."),
    repeated: both("Noch einmal geantwortet: Die Anfrage ist eine Kopie.", "Odpověděl znovu: žádost je kopie."),
    "timed-out": both("Versucht ein höheres Ballot: Ein Ergebnis wurde nicht rechtzeitig gemeldet.",
      "Zkouší vyšší hlasování: výsledek nebyl včas ohlášen."),
  },
  "replicated-lock": {
    accepts: both("Akzeptiert: Keine neuere Nummer war versprochen.", "Přijato: žádné novější číslo slíbeno nebylo."),
    "another-operation": both("Ignoriert: Mit dieser Nummer wurde eine andere Operation akzeptiert.",
      "Ignorováno: s tímto číslem byla přijata jiná operace."),
    "asks-whether-leading": both("Fragt die anderen, ob er noch führt: Nur dann darf eine Frist verlängert werden.",
      "Ptá se ostatních, zda ještě vede: jen tak lze lhůtu prodloužit."),
    chosen: both("Gewählt: Eine Mehrheit hat es akzeptiert.", "Vybráno: přijala to většina."),
    granted: both("Eingetreten: gewährt.", "Vstoupil: bylo mu to povoleno."),
    "holder-silent": both("Vom Inhaber war eine Frist lang nichts zu hören.", "O držiteli nebylo celou lhůtu slyšet."),
    leads: both("Führt: Eine Mehrheit hat es versprochen.", "Vede: slíbila mu to většina."),
    "lease-over": both("Gegangen: Seine Frist ist abgelaufen.", "Odešel: jeho lhůta vypršela."),
    "no-answer": both("Fragt den nächsten Knoten: Dieser hat nicht geantwortet.", "Ptá se dalšího uzlu: tento neodpověděl."),
    "no-higher-ballot": both("Gibt auf: Eine höhere Runde gibt es nicht.", "Vzdává to: vyšší kolo není."),
    "no-such-lock": both("Ignoriert: Eine solche Sperre gibt es nicht.", "Ignorováno: takový zámek není."),
    "not-its-ballot": both("Ignoriert: Die Nummer ist nicht die des Absenders.", "Ignorováno: číslo nepatří odesílateli."),
    "not-wanted": both("Zurückgegeben: Was gewährt wird, wird nicht mehr gewollt.", "Vráceno: co se povoluje, už nechce."),
    older: both("Abgelehnt: Eine neuere Nummer war versprochen.", "Odmítnuto: bylo slíbeno novější číslo."),
    outdated: both("Ignoriert: Die Anfrage ist erledigt.", "Ignorováno: žádost je vyřízena."),
    promises: both("Versprochen: Keine neuere Nummer war versprochen.", "Slíbeno: žádné novější číslo slíbeno nebylo."),
    repeated: both("Noch einmal geantwortet: Die Anfrage ist eine Kopie.", "Odpověděl znovu: žádost je kopie."),
    "stale-grant": both("Nicht eingetreten: Die Anfrage, die damit gewährt wird, ist mehr als eine Frist alt.",
      "Nevstoupil: žádost, která se tím povoluje, je starší než jedna lhůta."),
    "steps-down": both("Führt nicht mehr: Eine neuere Nummer ist bekannt, oder keine Mehrheit antwortet.",
      "Už nevede: je známo novější číslo, nebo většina neodpovídá."),
    "still-leads": both("Führt noch: Eine Mehrheit hat keine neuere Nummer versprochen.",
      "Stále vede: většina žádné novější číslo neslíbila."),
    "takes-over": both("Will führen: Der bisherige Anführer gilt als abgestürzt.",
      "Chce vést: dosavadní vůdce je pokládán za havarovaného."),
    "too-far-ahead": both("Ignoriert: Vor dieser Instanz sind zu viele offen.",
      "Ignorováno: před touto instancí je otevřených příliš mnoho."),
    "too-late": both("Nicht verlängert: Die Sperre wird gleich zurückgenommen.", "Neprodlouženo: zámek bude hned odebrán."),
    unexpected: both("Ignoriert: Darauf wartet dieser Knoten nicht.", "Ignorováno: na to tento uzel nečeká."),
  },
};
