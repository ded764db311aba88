/** Catalogue entries of the election algorithms. Only German and Czech: the server provides the English texts. */

import { both } from "../say.js";

const initiators = {
  summary: both("wer am Anfang eine Wahl ausruft", "kdo na začátku vyhlásí volbu"),
};

const ring = {
  summary: both("wie die Nummern im Ring stehen, jede vor ihrem Nachfolger",
    "jak jdou čísla v kruhu, každé před svým následníkem"),
};

export const elections = {
  "acknowledged-ring": {
    title: both("Ring mit Quittungen", "Kruh s potvrzováním"),
    summary: both("Die größte Nummer läuft um einen Ring, vorbei an Prozessen, die sie nicht bestätigen; wem sie gehört, der " +
      "verkündet sich allen.",
      "Největší číslo oběhne kruh a procesy, které ho nepotvrdí, vynechá; komu číslo patří, oznámí se všem."),
    messages: both("je Wahl, die einer ausruft, d+N ELECT, d Schritte bis zur höchsten Nummer, ebenso viele OK und N COORD; " +
      "rufen N aus, wie bei Chang–Roberts, ohne Verschlucken N²+N(N-1)/2",
      "na volbu vyhlášenou jedním d+N ELECT, d kroků k nejvyššímu číslu, stejně tolik OK a N COORD; vyhlásí-li ji N, jako " +
      "Chang–Roberts, bez pohlcování N²+N(N-1)/2"),
    variants: {
      original: {
        summary: both("wer schon teilnimmt, verschluckt kleinere Nummern, wie bei Chang und Roberts",
          "kdo se už účastní, pohltí menší čísla, jako u Changa a Robertse"),
      },
      "no-swallowing": {
        summary: both("jeder sendet statt einer kleineren Nummer die eigene weiter, wie oft auch immer: die Vorlesung",
          "každý pošle místo menšího čísla dál vlastní, ať kolikrát chce: přednáška"),
      },
    },
    parameters: {
      initiators,
      ring,
      answer: {
        summary: both("wie lange auf ein OK gewartet wird, in ms: länger, als zwei Nachrichten dauern",
          "jak dlouho se čeká na OK, v ms: déle, než trvají dvě zprávy"),
      },
      coordinator: {
        summary: both("wie lange auf ein COORD gewartet wird, in ms: länger, als drei Runden dauern",
          "jak dlouho se čeká na COORD, v ms: déle, než trvají tři kola"),
        range: both("auto (3N-mal `answer`), 0.001 … 3600000", "auto (3N krát `answer`), 0.001 … 3600000"),
      },
    },
  },
  bully: {
    summary: both("Wer den Koordinator vermisst, fragt alle mit höherer Nummer; wer nicht rechtzeitig Antwort bekommt, ist " +
      "Koordinator.",
      "Kdo postrádá koordinátora, zeptá se všech s vyšším číslem; komu včas nikdo neodpoví, ten je koordinátor."),
    messages: both("je Wahl m(m+1) + N-1, oder m^2 + N-1, wenn der höchste abgestürzt ist; m Nummern sind höher als die " +
      "dessen, der sie ausruft",
      "na volbu m(m+1) + N-1, nebo m^2 + N-1, když nejvyšší havaroval; m čísel je vyšších než číslo toho, kdo ji vyhlásil"),
    variants: {
      original: {
        summary: both("was in einer älteren Amtszeit verkündet wird, wird ignoriert",
          "co se vyhlásí ve starším období, se ignoruje"),
      },
      "older-term": {
        summary: both("wer sich verkündet, dem wird geglaubt, in welcher Amtszeit auch immer",
          "kdo vyhlásí sám sebe, tomu se věří, ať je období jakékoli"),
        broken: both("keine Einigkeit: Eine Verkündung, die überholt wurde, bringt einen früheren Koordinator zurück",
          "žádná shoda: předběhnuté vyhlášení vrátí dřívějšího koordinátora"),
      },
      "dead-announcer": {
        summary: both("eine Verkündung zählt auch, wenn der Ausfalldetektor ihren Absender verdächtigt",
          "vyhlášení platí, i když detektor selhání podezírá jeho odesílatele"),
        broken: both("kein lebender Koordinator: Eine späte Verkündung macht einen abgestürzten Prozess zum Koordinator, und " +
          "niemand ruft wieder eine Wahl aus",
          "žádný živý koordinátor: pozdní vyhlášení udělá koordinátorem havarovaný proces a nikdo nevyhlásí novou volbu"),
      },
    },
    parameters: {
      initiators,
      answer: {
        summary: both("wie lange auf ein OK gewartet wird, in ms: länger, als zwei Nachrichten dauern",
          "jak dlouho se čeká na OK, v ms: déle, než trvají dvě zprávy"),
      },
      coordinator: {
        summary: both("wie lange nach einem OK auf ein COORD gewartet wird, in ms: länger als zweimal `answer` und zwei " +
          "Nachrichten",
          "jak dlouho se po OK čeká na COORD, v ms: déle než dvakrát `answer` a dvě zprávy"),
      },
    },
  },
  "chang-roberts": {
    summary: both("Nummern laufen um einen Ring; größere werden weitergegeben, kleinere verschluckt; wessen Nummer " +
      "zurückkommt, der hat gewonnen.",
      "Čísla putují kruhem; větší se předávají dál, menší se pohltí; čí číslo se vrátí, ten vyhrál."),
    messages: both("je Wahl N COORD und, wenn alle sie ausrufen, 2N-1 … N(N+1)/2 ELECT, N·H_N im Mittel; wenn einer sie " +
      "ausruft, N+d ELECT, d Schritte vor der höchsten Nummer",
      "na volbu N COORD a, vyhlásí-li ji všichni, 2N-1 … N(N+1)/2 ELECT, v průměru N·H_N; vyhlásí-li ji jeden, N+d ELECT, d " +
      "kroků před nejvyšším číslem"),
    variants: {
      original: {
        summary: both("wer noch nicht teilnimmt, sendet statt einer kleineren Nummer die eigene weiter: der Aufsatz",
          "kdo se ještě neúčastní, pošle místo menšího čísla dál vlastní: článek"),
      },
      "swallow-always": {
        summary: both("auch wer noch nicht teilnimmt, verschluckt kleinere Nummern",
          "menší čísla pohltí i ten, kdo se ještě neúčastní"),
        broken: both("die Wahl versandet: Eine Nummer wird verschluckt, und keine ist stattdessen unterwegs",
          "volba vyšumí: číslo je pohlceno a na cestě místo něj není žádné"),
      },
    },
    parameters: {
      initiators,
      ring,
    },
  },
  "hirschberg-sinclair": {
    summary: both("Kandidaten suchen auf beiden Seiten eines Rings nach größeren Nummern, jedes Mal doppelt so weit, wenn es " +
      "keine gibt.",
      "Kandidáti hledají větší čísla na obou stranách kruhu, pokaždé dvakrát dál, když tam žádné není."),
    messages: both("je Wahl höchstens 8N(1 + log2 N) PROBE und REPLY und N COORD",
      "na volbu nejvýše 8N(1 + log2 N) PROBE a REPLY a N COORD"),
    variants: {
      original: {
        summary: both("ein Prozess, der die PROBE einer kleineren Nummer verwirft, beantwortet sie nicht",
          "proces, který zahodí PROBE menšího čísla, na ni neodpoví"),
      },
    },
    parameters: {
      initiators,
      ring,
    },
  },
};
