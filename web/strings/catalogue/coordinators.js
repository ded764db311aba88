/**
 * Catalogue entries of the algorithms with a coordinator. Only German and Czech: the server provides the English texts.
 */

import { both } from "../say.js";

export const coordinators = {
  centralised: {
    title: both("Zentralisiert", "Centralizovaný"),
    summary: both("Ein Koordinator gewährt den kritischen Abschnitt einem nach dem anderen; die übrigen stehen in einer " +
      "Warteschlange.",
      "Koordinátor povoluje kritickou sekci vždy jen jednomu a ostatní má ve frontě."),
    messages: both("3, oder 0 für den Koordinator", "3, nebo 0 pro koordinátora"),
    variants: {
      "arrival-order": {
        summary: both("die Wartenden kommen in der Reihenfolge dran, in der ihre Anfragen den Koordinator erreicht haben",
          "čekající přicházejí na řadu v pořadí, v jakém jejich žádosti došly ke koordinátorovi"),
      },
      "timestamp-order": {
        summary: both("wer wartet, kommt nach der logischen Zeit seiner Anfrage dran; kommt sie an, nachdem eine jüngere " +
          "gewährt war, ist sie trotzdem zu spät",
          "čekající přicházejí na řadu podle logického času žádostí; která dojde až po povolení mladší, jde přesto pozdě"),
      },
      lease: {
        summary: both("wie arrival-order; wer nicht rechtzeitig gegangen ist, gilt als abgestürzt, und jeder Eintritt hat " +
          "ein Fencing-Token",
          "jako arrival-order; kdo včas neodešel, je pokládán za havarovaného, a každý vstup má fencing token"),
      },
      "priority-order": {
        summary: both("von denen, die warten, kommt der mit der kleinsten Nummer dran, wie lange die anderen auch schon warten",
          "z čekajících přichází na řadu ten s nejmenším číslem, ať ostatní čekají jakkoli dlouho"),
        broken: both("ein Prozess mit großer Nummer verhungert, solange die mit kleineren immer wieder fragen",
          "proces s velkým číslem hladoví, dokud ti s menšími žádají znovu a znovu"),
      },
      "no-exclusion": {
        summary: both("niemand wird gefragt: Wer in den kritischen Abschnitt will, tritt ein",
          "nikdo se neptá: kdo chce do kritické sekce, vstoupí"),
        broken: both("es gibt keinen gegenseitigen Ausschluss", "vzájemné vyloučení není žádné"),
      },
    },
    parameters: {
      coordinator: { summary: both("wer den kritischen Abschnitt gewährt", "kdo kritickou sekci povoluje") },
      lease: {
        summary: both("mit einer Frist, nach welcher Zeit der kritische Abschnitt zurückgenommen wird, in ms: länger, als " +
          "zwei Nachrichten und ein Aufenthalt dauern",
          "se lhůtou: po jaké době se kritická sekce odebere, v ms: delší, než trvají dvě zprávy a pobyt v kritické sekci"),
      },
    },
  },
  "centralised-failover": {
    title: both("Zentralisiert, mit Nachfolger", "Centralizovaný s nástupcem"),
    summary: both("Ein Koordinator gewährt den kritischen Abschnitt; schweigt er, wird ein anderer gewählt und fragt alle. " +
      "Nach einem Totalausfall müssen alle mit dem, was sie gespeichert hatten, zurück sein.",
      "Koordinátor povoluje kritickou sekci; když mlčí, zvolí se jiný a zeptá se všech. Po úplném výpadku se musí všichni " +
      "vrátit s tím, co si uložili."),
    messages: both("3, oder 0 für den Koordinator, und 1 mehr, wenn gewartet werden muss; bei einem Wechsel 2(N-1) und eine Wahl",
      "3, nebo 0 pro koordinátora, a 1 navíc, je-li třeba čekat; při změně 2(N-1) a volba"),
    variants: {
      bully: { summary: both("Koordinatoren werden mit dem Bully-Algorithmus gewählt", "koordinátor se volí algoritmem bully") },
      "acknowledged-ring": {
        summary: both("Koordinatoren werden in einem Ring gewählt, dessen Nachrichten bestätigt werden",
          "koordinátor se volí v kruhu, jehož zprávy se potvrzují"),
      },
    },
    parameters: {
      coordinator: { summary: both("wer bis zur ersten Wahl den kritischen Abschnitt gewährt",
        "kdo povoluje kritickou sekci do první volby") },
      answer: {
        summary: both("wie lange auf eine Antwort gewartet wird, auch bei der Wahl, in ms: länger, als zwei Nachrichten dauern",
          "jak dlouho se čeká na odpověď, i při volbě, v ms: déle, než trvají dvě zprávy"),
      },
      patience: {
        summary: both("nach welcher Zeit ein Klient, der wartet, noch einmal fragt, in ms",
          "po jaké době se čekající klient zeptá znovu, v ms"),
      },
    },
  },
};
