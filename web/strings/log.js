/** Strings of the log, the violations and the metrics. */

import { phrase, say } from "./say.js";

/** @import { Said } from "./say.js" */

export const violations = {
  tab: say("Violations", "Verletzungen", "Porušení"),
  none: say("No property has been violated.", "Keine Eigenschaft wurde verletzt.", "Žádná vlastnost nebyla porušena."),
  events: say("Events", "Ereignisse", "Události"),
};

export const log = {
  title: say("Event log", "Ereignisprotokoll", "Záznam událostí"),
  search: say("Search", "Suchen", "Hledat"),
  kind: say("Kind", "Art", "Druh"),
  allKinds: say("all kinds", "alle Arten", "všechny druhy"),
  groups: {
    lock: say("the lock", "die Sperre", "zámek"),
    deadlock: say("deadlock", "Verklemmung", "uváznutí"),
    elections: say("elections", "Wahlen", "volby"),
    agreement: say("agreement", "Einigung", "dohoda"),
    services: say("services", "Dienste", "služby"),
    resources: say("resources", "Ressourcen", "prostředky"),
    messages: say("messages", "Nachrichten", "zprávy"),
    processes: say("processes", "Prozesse", "procesy"),
    faults: say("faults", "Fehler", "poruchy"),
  },
  single: say("Single kinds", "Einzelne Arten", "Jednotlivé druhy"),
  node: say("Node", "Knoten", "Uzel"),
  allNodes: say("all nodes", "alle Knoten", "všechny uzly"),
  follow: say("Follow", "Folgen", "Sledovat"),
  followTip: say("Keep the newest event in view. While the page shows the past: the event of that moment",
    "Das neueste Ereignis im Blick behalten. Wenn die Seite die Vergangenheit zeigt: das Ereignis dieses Augenblicks",
    "Držet na očích nejnovější událost. Když stránka ukazuje minulost: událost onoho okamžiku"),
  after: say("after this moment", "nach diesem Augenblick", "po tomto okamžiku"),
  from: phrase("The log starts at event {seq}; go back or scroll up to load earlier events.",
    "Das Protokoll beginnt bei Ereignis {seq}; gehen Sie zurück oder scrollen Sie nach oben, um frühere zu laden.",
    "Záznam začíná událostí {seq}; dřívější se načtou, když se vrátíte nebo posunete nahoru."),
  count: phrase("{shown} of {all}", "{shown} von {all}", "{shown} z {all}"),
  event: phrase("Event {seq}", "Ereignis {seq}", "Událost {seq}"),
  state: say("State after this event", "Zustand danach", "Stav po ní"),
  stateTip: say("Show the run as it was after this event: double-click it, or press Enter",
    "Den Lauf zeigen, wie er nach diesem Ereignis war: Doppelklick darauf, oder Eingabetaste",
    "Ukázat běh, jaký byl po této události: dvojklik na ni, nebo Enter"),
  gone: phrase("Event {seq} does not exist.", "Ereignis {seq} gibt es nicht.", "Událost {seq} neexistuje."),
};

const delay = say("mean in ms; the second number is the 99th percentile",
  "Mittelwert in ms; die zweite Zahl ist das 99. Perzentil",
  "průměr v ms; druhé číslo je 99. percentil");

export const metrics = {
  title: say("Metrics", "Messwerte", "Měření"),
  names: {
    entries: say("entries", "Eintritte", "vstupy"),
    messages: say("messages", "Nachrichten", "zprávy"),
    messages_per_entry: say("messages / entry", "Nachrichten / Eintritt", "zpráv / vstup"),
    messages_by_kind: say("by kind", "nach Art", "podle druhu"),
    repair_messages: say("repair", "Reparatur", "opravy"),
    channel: say("channel", "Kanal", "kanál"),
    detector: say("detector", "Ausfalldetektor", "detektor selhání"),
    client_delay: say("client delay", "Eintrittszeit", "doba vstupu"),
    synchronisation_delay: say("sync delay", "Übergabezeit", "doba předání"),
    response_time: say("response", "Antwortzeit", "doba odezvy"),
    throughput: say("entries / s", "Eintritte / s", "vstupů / s"),
    journal: say("journal", "Journal", "žurnál"),
  },
  tips: /** @type {Record<string, Said<string>>} */ ({
    detector: say("suspicions, wrong suspicions, undetected crashes, and time to detect a crash in ms",
      "Verdachtsfälle, falsche Verdachtsfälle, unentdeckte Abstürze und Zeit bis zum Entdecken eines Absturzes in ms",
      "podezření, mylná podezření, nezjištěné havárie a doba do zjištění havárie v ms"),
    client_delay: delay,
    synchronisation_delay: delay,
    response_time: delay,
    journal: say("size of the stored events of the run; a run that reaches the limit fails",
      "Größe der gespeicherten Ereignisse des Laufs; ein Lauf, der die Grenze erreicht, scheitert",
      "velikost uložených událostí běhu; běh, který dosáhne meze, selže"),
  }),
  ofChannel: phrase("{again} retransmissions · {acknowledged} acknowledgements",
    "{again} Wiederholungen · {acknowledged} Bestätigungen",
    "opakovaná odeslání: {again} · potvrzení: {acknowledged}"),
  staysAway: phrase("{to} does not answer {from} ({times}×)",
    "{to} antwortet {from} nicht ({times}×)",
    "{to} neodpovídá {from} ({times}×)"),
  ofDetector: phrase("{suspicions} suspicions, {wrong} wrong · {undetected} undetected · {time}",
    "{suspicions} Verdachtsfälle, {wrong} falsch · {undetected} unentdeckt · {time}",
    "podezření: {suspicions}, mylná: {wrong} · nezjištěno: {undetected} · {time}"),
  ofJournal: phrase("{bytes} of {most}", "{bytes} von {most}", "{bytes} z {most}"),
};
