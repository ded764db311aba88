/** Reasons given by the election algorithms. Only German and Czech: the server provides the English texts. */

import { both } from "../say.js";

const everyElection = {
  accepted: both("Hält diesen für den Koordinator.", "Má tohoto za koordinátora."),
  "dead-coordinator": both("Ruft eine Wahl aus: Der Ausfalldetektor verdächtigt den Prozess, den diese Verkündung nennt.",
    "Vyhlašuje volbu: detektor selhání podezírá proces, který toto vyhlášení jmenuje."),
  suspects: both("Ruft eine Wahl aus: Der Ausfalldetektor verdächtigt den Koordinator.",
    "Vyhlašuje volbu: detektor selhání podezírá koordinátora."),
  told: both("Ruft eine Wahl aus: Es wurde ihm befohlen.", "Vyhlašuje volbu: dostal to příkazem."),
};

const everyRing = {
  ...everyElection,
  returned: both("Ruft eine Wahl aus: Er ist nach einem Absturz zurück und kennt den Koordinator nicht.",
    "Vyhlašuje volbu: je zpět po havárii a koordinátora nezná."),
  "round-over": both("Alle wissen es: Die Verkündung des Koordinators ist zurück.",
    "Vědí to všichni: vyhlášení koordinátora se vrátilo."),
};

const ringOfIds = {
  ...everyRing,
  "came-back": both("Ist Koordinator: Die eigene Nummer ist zurück.", "Je koordinátor: vlastní číslo se vrátilo."),
  greater: both("Gab eine Nummer weiter: Sie ist größer.", "Předal číslo dál: je větší."),
  replaced: both("Sandte die eigene Nummer weiter statt einer kleineren.", "Místo menšího čísla poslal dál vlastní."),
};

export const elections = {
  "acknowledged-ring": {
    ...ringOfIds,
    acknowledged: both("Der Nachfolger hat es.", "Následník to má."),
    alone: both("Ist Koordinator: Sonst lebt niemand.", "Je koordinátor: nikdo jiný nežije."),
    "candidate-dead": both("Ruft die Wahl noch einmal aus: Diese Nummer lief um den ganzen Ring, und niemand hielt sie auf, " +
      "also ist der Kandidat abgestürzt.",
      "Vyhlašuje volbu znovu: toto číslo oběhlo kruh a nikdo ho nezastavil, kandidát tedy havaroval."),
    "missed-term": both("Ruft die Wahl noch einmal aus: Nach einem Absturz hat er eine zu einer vergangenen Amtszeit ausgerufen.",
      "Vyhlašuje volbu znovu: po havárii vyhlásil volbu na období, které už skončilo."),
    "no-coordinator": both("Ruft die Wahl noch einmal aus: Kein Koordinator wurde rechtzeitig verkündet.",
      "Vyhlašuje volbu znovu: žádný koordinátor nebyl včas vyhlášen."),
    older: both("Ignoriert: Es ist aus einer älteren Amtszeit, von einer Wahl, die vorbei ist, oder eine Kopie.",
      "Ignorováno: je to ze staršího období, z volby, která skončila, nebo kopie."),
    outbid: both("Verschluckte die eigene Nummer: Eine größere ist unterwegs.", "Pohltil vlastní číslo: na cestě je větší."),
    "round-broken": both("Ruft die Wahl noch einmal aus: Die eigene Verkündung als Koordinator kam nicht rechtzeitig zurück.",
      "Vyhlašuje volbu znovu: jeho vyhlášení jako koordinátora se včas nevrátilo."),
    skipped: both("Überspringt einen Prozess, der ein ELECT nicht rechtzeitig bestätigt hat, und sendet es an den nächsten.",
      "Přeskakuje proces, který ELECT včas nepotvrdil, a posílá ho dalšímu."),
    swallowed: both("Verschluckte eine kleinere Nummer: Die eigene oder eine größere ist unterwegs.",
      "Pohltil menší číslo: na cestě je vlastní nebo větší."),
    unexpected: both("Ignoriert: Es betrifft keinen Prozess des Rings, oder es ist eine unerwartete Antwort.",
      "Ignorováno: netýká se žádného procesu z kruhu, nebo je to neočekávaná odpověď."),
  },
  bully: {
    ...everyElection,
    "asks-first": both("Beginnt noch keine Wahl: Er ist nach einem Absturz zurück und fragt zuerst nach der Amtszeit.",
      "Volbu ještě nezahajuje: je zpět po havárii a nejdřív se ptá na období."),
    "begun-already": both("Beginnt keine Wahl: Diese hat er schon begonnen.", "Volbu nezahajuje: tuto už zahájil."),
    "called-below": both("Beginnt selbst eine Wahl: Ein Prozess mit kleinerer Nummer hat eine ausgerufen.",
      "Zahajuje vlastní volbu: vyhlásil ji proces s nižším číslem."),
    "gave-way": both("Scheidet aus: Ein Prozess mit höherer Nummer lebt.", "Je ze hry: proces s vyšším číslem žije."),
    highest: both("Ist Koordinator: Niemand hat eine höhere Nummer.", "Je koordinátor: vyšší číslo nemá nikdo."),
    learnt: both("Merkt sich eine Amtszeit.", "Zapisuje si období."),
    "lower-coordinator": both("Ruft eine Wahl aus: Ein Prozess mit kleinerer Nummer hat sich als Koordinator verkündet.",
      "Vyhlašuje volbu: proces s nižším číslem se vyhlásil koordinátorem."),
    "no-coordinator": both("Ruft die Wahl noch einmal aus: Ein höherer hat geantwortet, aber niemand wurde rechtzeitig " +
      "Koordinator.",
      "Vyhlašuje volbu znovu: vyšší proces odpověděl, ale koordinátorem se včas nikdo nestal."),
    "nobody-answered": both("Ist Koordinator: Kein Prozess mit höherer Nummer hat rechtzeitig geantwortet.",
      "Je koordinátor: žádný proces s vyšším číslem včas neodpověděl."),
    older: both("Ignoriert: aus einer älteren Amtszeit.", "Ignorováno: ze staršího období."),
    "over-already": both("Beginnt keine Wahl: Diese ist vorbei.", "Volbu nezahajuje: tato už skončila."),
    returned: both("Fragt nach der Amtszeit: Er ist nach einem Absturz zurück.", "Ptá se na období: je zpět po havárii."),
    "takes-over": both("Ruft eine Wahl aus: Er ist nach einem Absturz zurück und weiß von keinem höheren Koordinator.",
      "Vyhlašuje volbu: je zpět po havárii a o žádném vyšším koordinátorovi neví."),
    unexpected: both("Ignoriert: Auf eine solche Nachricht wartet dieser Prozess nicht, oder nicht mehr.",
      "Ignorováno: na takovou zprávu tento proces nečeká, nebo už ne."),
    "wrong-side": both("Ignoriert: Nur kleinere Nummern fragen, und nur höhere antworten.",
      "Ignorováno: ptají se jen nižší čísla a odpovídají jen vyšší."),
  },
  "chang-roberts": {
    ...ringOfIds,
    alone: both("Ist Koordinator: Sonst gibt es niemanden.", "Je koordinátor: nikdo jiný není."),
    older: both("Ignoriert: aus einer älteren Amtszeit oder von einer Wahl, die vorbei ist.",
      "Ignorováno: ze staršího období, nebo z volby, která skončila."),
    swallowed: both("Verschluckte eine kleinere Nummer: Die eigene ist unterwegs.", "Pohltil menší číslo: na cestě je vlastní."),
    unexpected: both("Ignoriert: Es kommt nicht vom Vorgänger im Ring oder betrifft keinen Prozess des Rings.",
      "Ignorováno: není od předchůdce v kruhu, nebo se netýká žádného procesu z kruhu."),
  },
  "hirschberg-sinclair": {
    ...everyRing,
    alone: both("Ist Koordinator: Sonst gibt es niemanden.", "Je koordinátor: nikdo jiný není."),
    "came-back": both("Ist Koordinator: Seine PROBE war um den ganzen Ring.", "Je koordinátor: jeho PROBE oběhla celý kruh."),
    "far-enough": both("Beantwortete eine PROBE: Ihre Nummer ist größer, und sie ist weit genug gekommen.",
      "Odpověděl na PROBE: její číslo je větší a došla dost daleko."),
    greater: both("Gab eine PROBE weiter: Ihre Nummer ist größer.", "Předal PROBE dál: její číslo je větší."),
    "next-phase": both("Sucht weiter weg: So nahe gibt es auf keiner Seite eine größere Nummer.",
      "Hledá dál: takto blízko není větší číslo na žádné straně."),
    older: both("Ignoriert: aus einer älteren Amtszeit oder Phase oder von einer Wahl, die vorbei ist.",
      "Ignorováno: ze staršího období nebo fáze, nebo z volby, která skončila."),
    swallowed: both("Verschluckte eine PROBE: Ihre Nummer ist kleiner.", "Pohltil PROBE: její číslo je menší."),
    unexpected: both("Ignoriert: Es kommt nicht, woher es sollte, oder so kann es niemand gesendet haben.",
      "Ignorováno: nepřichází, odkud má, nebo to takto nikdo poslat nemohl."),
  },
};
