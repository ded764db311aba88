/** German: the reasons of the elections. */

const everyElection = {
  accepted: "Hält diesen für den Koordinator.",
  "dead-coordinator":
    "Ruft eine Wahl aus: Der Ausfalldetektor hält den Prozess, den diese Verkündung nennt, für tot.",
  suspects: "Ruft eine Wahl aus: Der Ausfalldetektor hält den Koordinator für tot.",
  told: "Ruft eine Wahl aus: Es wurde ihm befohlen.",
};

const everyRing = {
  ...everyElection,
  returned: "Ruft eine Wahl aus: Er ist nach einem Absturz zurück und kennt den Koordinator nicht.",
  "round-over": "Alle wissen es: Was der Koordinator sagte, ist zurück.",
};

const ringOfIds = {
  ...everyRing,
  "came-back": "Ist Koordinator: Die eigene Nummer ist zurück.",
  greater: "Gab eine Nummer weiter: Sie ist größer.",
  replaced: "Sandte die eigene Nummer weiter statt einer kleineren.",
};

/** @type {import("../../../words/catalogue.js").Reasons} */
export const elections = {
  "acknowledged-ring": {
    ...ringOfIds,
    acknowledged: "Der Nachfolger hat es.",
    alone: "Ist Koordinator: Sonst lebt niemand.",
    "candidate-dead":
      "Ruft die Wahl noch einmal aus: Diese Nummer war einmal herum und niemand hielt sie auf, also ist der Kandidat tot.",
    "missed-term": "Ruft die Wahl noch einmal aus: Nach einem Absturz hat er eine zu einer vergangenen Amtszeit ausgerufen.",
    "no-coordinator": "Ruft die Wahl noch einmal aus: Von einem Koordinator war nicht rechtzeitig zu hören.",
    older: "Ignoriert: aus einer älteren Amtszeit, von einer Wahl, die vorbei ist, oder eine Kopie.",
    outbid: "Verschluckte die eigene Nummer: Eine größere ist unterwegs.",
    "round-broken":
      "Ruft die Wahl noch einmal aus: Was er als Koordinator sagte, kam nicht rechtzeitig zurück.",
    skipped:
      "Sendet ein ELECT an den übernächsten: Der Empfänger hat es nicht rechtzeitig bestätigt.",
    swallowed: "Verschluckte eine kleinere Nummer: Die eigene oder eine größere ist unterwegs.",
    unexpected: "Ignoriert: von niemandem im Ring, oder eine Antwort, auf die nicht gewartet wird.",
  },
  bully: {
    ...everyElection,
    "asks-first": "Beginnt noch keine Wahl: Er ist nach einem Absturz zurück und fragt zuerst nach der Amtszeit.",
    "begun-already": "Beginnt keine Wahl: Diese hat er schon begonnen.",
    "called-below": "Beginnt selbst eine Wahl: Ein Prozess mit kleinerer Nummer hat eine ausgerufen.",
    "gave-way": "Scheidet aus: Ein Prozess mit höherer Nummer lebt.",
    highest: "Ist Koordinator: Niemand hat eine höhere Nummer.",
    learnt: "Merkt sich eine Amtszeit.",
    "lower-coordinator":
      "Ruft eine Wahl aus: Ein Prozess mit kleinerer Nummer sagt, er sei der Koordinator.",
    "no-coordinator":
      "Ruft die Wahl noch einmal aus: Ein höherer hat geantwortet, aber niemand wurde rechtzeitig Koordinator.",
    "nobody-answered": "Ist Koordinator: Kein Prozess mit höherer Nummer hat rechtzeitig geantwortet.",
    older: "Ignoriert: aus einer älteren Amtszeit.",
    "over-already": "Beginnt keine Wahl: Diese ist vorbei.",
    returned: "Fragt nach der Amtszeit: Er ist nach einem Absturz zurück.",
    "takes-over": "Ruft eine Wahl aus: Er ist nach einem Absturz zurück und weiß von keinem höheren Koordinator.",
    unexpected: "Ignoriert: Auf dergleichen wird nicht gewartet, oder nicht mehr.",
    "wrong-side": "Ignoriert: Nur kleinere Nummern fragen, und nur höhere antworten.",
  },
  "chang-roberts": {
    ...ringOfIds,
    alone: "Ist Koordinator: Sonst gibt es niemanden.",
    older: "Ignoriert: aus einer älteren Amtszeit oder von einer Wahl, die vorbei ist.",
    swallowed: "Verschluckte eine kleinere Nummer: Die eigene ist unterwegs.",
    unexpected: "Ignoriert: nicht vom Vorgänger im Ring, oder von niemandem in ihm.",
  },
  "hirschberg-sinclair": {
    ...everyRing,
    alone: "Ist Koordinator: Sonst gibt es niemanden.",
    "came-back": "Ist Koordinator: Seine PROBE war um den ganzen Ring.",
    "far-enough": "Beantwortete eine PROBE: Ihre Nummer ist größer, und sie ist weit genug gekommen.",
    greater: "Gab eine PROBE weiter: Ihre Nummer ist größer.",
    "next-phase": "Sucht weiter weg: So nahe gibt es auf keiner Seite eine größere Nummer.",
    older: "Ignoriert: aus einer älteren Amtszeit oder Phase oder von einer Wahl, die vorbei ist.",
    swallowed: "Verschluckte eine PROBE: Ihre Nummer ist kleiner.",
    unexpected: "Ignoriert: Es kommt nicht, woher es sollte, oder so kann es niemand gesendet haben.",
  },
};
