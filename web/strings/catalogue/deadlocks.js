/**
 * Catalogue entries of deadlock avoidance, prevention and detection. Only German and Czech: the server provides the
 * English texts.
 */

import { both } from "../say.js";

const agesNotCompared = both("das Alter wird verglichen, wenn jemand fragt, und nicht, wenn eine Ressource einen anderen " +
  "Inhaber bekommt",
  "stáří se porovnává, když někdo žádá, a ne když prostředek dostane jiného držitele");

const renewed = both("eine Transaktion, die von vorn beginnt, bekommt einen neuen Zeitstempel",
  "transakce, která začíná znovu, dostane novou časovou značku");

export const deadlocks = {
  banker: {
    title: both("Bankier-Algorithmus", "Bankéřův algoritmus"),
    summary: both("Ein Bankier gewährt eine Anfrage nur, wenn danach noch alle Prozesse nacheinander fertig werden können.",
      "Bankéř žádosti vyhoví, jen mohou-li pak ještě všechny procesy jeden po druhém skončit."),
    messages: both("3, oder 0 für den Bankier", "3, nebo 0 pro bankéře"),
    variants: {
      original: {
        summary: both("eine Anfrage gilt einer Einheit, oder mehreren von mehreren Ressourcen, und bekommt alle oder keine",
          "žádost je o jednotku, nebo o několik z několika prostředků, a dostane všechny, nebo žádnou"),
      },
    },
    parameters: {
      banker: { summary: both("wer die Ressourcen verwaltet", "kdo spravuje prostředky") },
      existing: {
        summary: both("wie viele Einheiten es von jeder Ressource gibt", "kolik jednotek má každý prostředek"),
        range: both("eine Zahl von 0 bis 1000000 für jede Ressource, mit Kommas dazwischen",
          "pro každý prostředek číslo od 0 do 1000000, oddělená čárkami"),
      },
      claims: {
        summary: both("wie viele Einheiten jeder Ressource jeder Prozess höchstens haben darf: eine Zeile für jeden Prozess ab " +
          "0, wer keine hat, darf nichts; auto ist das Beispiel der Vorlesung, bei dessen fünf Prozessen und den Ressourcen " +
          "6,3,4,2, und sonst eine Einheit jeder Ressource für jeden",
          "kolik jednotek každého prostředku smí mít každý proces nejvýše: řádek pro každý proces od 0, kdo řádek nemá, nesmí " +
          "nic; auto je příklad z přednášky, pro jeho pět procesů a prostředky 6,3,4,2, a jinak jednotka každého prostředku " +
          "pro každého"),
        range: both("auto, Zeilen wie 4,1,1,1;0,2,1,2;…", "auto, řádky jako 4,1,1,1;0,2,1,2;…"),
      },
    },
  },
  "central-detection": {
    title: both("Zentrale Deadlock-Erkennung", "Centrální detekce uváznutí"),
    summary: both("Ein Koordinator fügt die Wartegraphen aller Orte zusammen und löst die Zyklen darin auf.",
      "Koordinátor spojí grafy čekání všech míst a přeruší cykly v nich."),
    messages: both("3, und die, die melden, wer wartet", "3 a ty, které hlásí, kdo čeká"),
    variants: {
      original: { summary: both("die jüngste Transaktion eines Zyklus gibt auf", "vzdá se nejmladší transakce z cyklu") },
    },
    parameters: {
      coordinator: { summary: both("der Prozess, der nach Zyklen sucht", "proces, který hledá cykly") },
      period: { summary: both("nach welcher Zeit eine Änderung gemeldet wird, in ms", "po jaké době se hlásí změna, v ms") },
    },
  },
  "edge-chasing": {
    summary: both("Wer blockiert ist, sendet eine Probe an denen entlang, die aufeinander warten; wessen Probe zurückkommt, " +
      "der gibt auf.",
      "Kdo je blokován, pošle sondu podél těch, kdo na sebe čekají; čí sonda se vrátí, ten se vzdá."),
    messages: both("3, und 2 oder mehr jedes Mal, wenn er blockiert ist", "3, a 2 nebo více pokaždé, když je blokován"),
    variants: {
      original: {
        summary: both("wessen Probe zurückkommt, der gibt auf: Das können mehrere sein",
          "čí sonda se vrátí, ten se vzdá: může jich být víc"),
      },
      highest: {
        summary: both("nur die Probe des Prozesses mit der höchsten Nummer eines Zyklus kommt zurück, also gibt nur einer auf",
          "vrátí se jen sonda procesu s nejvyšším číslem v cyklu, takže se vzdá jen jeden"),
      },
      "forwards-unblocked": {
        summary: both("wer nicht mehr blockiert ist, sendet Proben weiter, an den, auf den er wartete",
          "kdo už blokován není, posílá sondy dál tomu, na koho čekal"),
        broken: both("Phantom-Verklemmungen: Eine Probe läuft an Warten entlang, die vorbei sind",
          "fantomová uváznutí: sonda jde podél čekání, která skončila"),
      },
    },
    parameters: {
      requests: {
        summary: both("ob ein Prozess eine Ressource nach der anderen anfordert, oder alle, die er braucht, gleichzeitig; " +
          "dann kann auch ein Zyklus gemeldet werden, den ein anderer Prozess gerade aufgelöst hat",
          "zda proces žádá o jeden prostředek po druhém, nebo o všechny, které potřebuje, najednou; pak může být ohlášen i " +
          "cyklus, který jiný proces právě přerušil"),
      },
    },
  },
  prevention: {
    title: both("Deadlock-Verhinderung", "Prevence uváznutí"),
    summary: both("Eine der vier notwendigen Bedingungen einer Verklemmung wird beseitigt.",
      "Jedna ze čtyř nutných podmínek uváznutí se odstraní."),
    messages: both("3, oder 0 für den, der die Ressource verwaltet", "3, nebo 0 pro správce prostředku"),
    variants: {
      ordered: {
        summary: both("kein zyklisches Warten: Ressourcen werden in aufsteigender Reihenfolge angefordert",
          "žádné cyklické čekání: o prostředky se žádá ve vzestupném pořadí"),
      },
      together: {
        summary: both("kein Halten und Warten: Alle Ressourcen werden auf einmal angefordert und auf einmal gewährt",
          "žádné držení a čekání: o všechny prostředky se žádá najednou a přidělí se najednou"),
      },
      "give-way": {
        summary: both("Entziehbarkeit: Wer eine Ressource anfordert, die nicht frei ist, gibt alles zurück und versucht es " +
          "wieder",
          "odnímatelnost: kdo žádá o prostředek, který není volný, všechno vrátí a zkusí to znovu"),
      },
      shared: {
        summary: both("kein Ausschluss: Beliebig viele Prozesse können eine Ressource gleichzeitig haben",
          "žádná výlučnost: prostředek může mít současně libovolně mnoho procesů"),
      },
      none: {
        summary: both("alle vier Bedingungen gelten", "platí všechny čtyři podmínky"),
        broken: both("Verklemmung: Philosophen, die alle zuerst die linke Gabel nehmen, warten für immer",
          "uváznutí: filosofové, kteří všichni vezmou nejdřív levou vidličku, čekají navždy"),
      },
    },
    parameters: {},
  },
  "wait-die": {
    summary: both("Eine ältere Transaktion wartet auf eine jüngere; eine jüngere stirbt und beginnt mit ihrem alten " +
      "Zeitstempel von vorn.",
      "Starší transakce čeká na mladší; mladší zemře a začne znovu se svou původní časovou značkou."),
    messages: both("3, und jedes Mal, wenn sie stirbt, 3 mehr (REQUEST, ABORT, RELEASE) und 3 für jede Ressource, die sie " +
      "zurückgibt",
      "3, a pokaždé, když zemře, 3 navíc (REQUEST, ABORT, RELEASE) a 3 za každý prostředek, který vrátí"),
    variants: {
      original: { summary: both("wie im Aufsatz", "jako v článku") },
      "ages-not-compared-again": {
        summary: agesNotCompared,
        broken: both("Verklemmung: Eine jüngere Transaktion wartet auf eine ältere, die vor ihr drankam",
          "uváznutí: mladší transakce čeká na starší, která přišla na řadu před ní"),
      },
      "timestamp-renewed": {
        summary: renewed,
        broken: both("Verhungern: Eine Transaktion, die von vorn beginnt, ist wieder die jüngste und stirbt wieder",
          "hladovění: transakce, která začíná znovu, je zase nejmladší a zase zemře"),
      },
    },
    parameters: {},
  },
  "wound-wait": {
    summary: both("Eine jüngere Transaktion wartet auf eine ältere; eine ältere zwingt eine jüngere, aufzugeben, was sie hat.",
      "Mladší transakce čeká na starší; starší donutí mladší vzdát se toho, co má."),
    messages: both("3, und jedes Mal, wenn sie verwundet wird, 1 mehr (ABORT), 3 für jede Ressource, die sie zurückgibt, und 2 " +
      "für eine, auf die sie wartet",
      "3, a pokaždé, když je zraněna, 1 navíc (ABORT), 3 za každý prostředek, který vrátí, a 2 za ten, na který čeká"),
    variants: {
      original: { summary: both("wie im Aufsatz", "jako v článku") },
      "ages-not-compared-again": {
        summary: agesNotCompared,
        broken: both("Verklemmung: Eine ältere Transaktion wartet auf eine jüngere, die vor ihr drankam",
          "uváznutí: starší transakce čeká na mladší, která přišla na řadu před ní"),
      },
      "timestamp-renewed": {
        summary: renewed,
        broken: both("Verhungern: Wer von vorn beginnt, ist wieder die jüngste und wird wieder verwundet",
          "hladovění: kdo začíná znovu, je zase nejmladší a zase je zraněn"),
      },
    },
    parameters: {},
  },
};
