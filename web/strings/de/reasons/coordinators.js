/** German: the reasons of the algorithms in which a coordinator grants the section. */

/** @type {import("../../../words/catalogue.js").Reasons} */
export const coordinators = {
  centralised: {
    "asks-again":
      "Gegangen: Wer den Abschnitt bekam, fragt wieder, ist also nicht drin; sein RELEASE kann verspätet sein oder mit ihm verloren.",
    "given-back": "Zurückgegeben: Danach hat ein früheres Leben dieses Prozesses gefragt.",
    granted: "Eingetreten: Der Koordinator hat es gewährt.",
    "granted-first": "Gewährt: Der Abschnitt ist frei geworden, und diese Anfrage ist die erste der Schlange.",
    "granted-free": "Gewährt: Niemand war im Abschnitt.",
    "nobody-waits": "Niemand wartet: Der Abschnitt ist frei.",
    "not-for-coordinator": "Ignoriert: Nur der Koordinator nimmt Anfragen und Freigaben, und nur er gewährt.",
    outdated: "Ignoriert: Von dort wurde schon eine ebenso neue oder neuere Anfrage gesehen.",
    queued: "Eingereiht: Eine andere Anfrage hat den Abschnitt.",
    reclaimed: "Zurückgenommen: Diese Anfrage hat den Abschnitt länger, als ihre Frist erlaubt.",
    "unexpected-grant": "Ignoriert: Gewährt wird etwas, worauf dieser Prozess nicht wartet.",
    "unexpected-release": "Ignoriert: Freigegeben wird etwas, was nicht gewährt war.",
  },
  "centralised-failover": {
    "all-answered": "Gewährt von nun an: Alle haben geantwortet.",
    "asks-again": "Fragt noch einmal, um zu sehen, ob der Koordinator lebt.",
    "asks-all": "Fragt alle: Er ist Koordinator geworden und weiß nicht, wer drin ist.",
    buried: "Vergisst eine Anfrage: Der Ausfalldetektor hält den für tot, der sie gestellt hat.",
    "coordinator-silent": "Ruft eine Wahl aus: Der Koordinator hat nicht rechtzeitig geantwortet.",
    "coordinator-suspected": "Ruft eine Wahl aus: Der Ausfalldetektor hält den Koordinator für tot.",
    election: "In der Wahl:",
    entered: "Eingetreten: Der Koordinator hat es gewährt.",
    granted: "Gewährt: Niemand war im Abschnitt, und dies ist die erste der Schlange.",
    "may-have-missed":
      "Gewährt noch nichts: Er war ausgefallen, und ein Prozess, der nicht geantwortet hat, kennt vielleicht eine spätere Amtszeit.",
    "other-term": "Ignoriert: aus einer anderen Amtszeit als der des Koordinators.",
    queued: "Eingereiht: Jemand ist im Abschnitt.",
    "queued-while-asking": "Eingereiht: Gewährt wird erst, wenn alle gesagt haben, was sie haben.",
    serves: "Hält diesen für den Koordinator, den er fragt.",
    "some-dead": "Gewährt von nun an: Wer nicht rechtzeitig geantwortet hat, ist tot.",
    "term-known": "Gewährt von nun an: Er kennt die letzte Amtszeit.",
    "term-taken":
      "Ruft eine Wahl aus: Ein anderer Prozess hatte vor seinem Absturz eine Amtszeit gespeichert, die nicht älter ist.",
    unexpected: "Ignoriert: Auf dergleichen wird nicht gewartet, oder nicht mehr.",
  },
};
