/** German: the examples, by name. */

/** @type {import("../../words/catalogue.js").ExampleWords} */
export const examples = {
  "cash-machines": {
    title: "Zwei Geldautomaten, ein Konto",
    about:
      "Zwei Automaten zahlen je 10.000 auf ein Konto mit 1.000 ein. Mit der Sperre liest immer nur einer den Kontostand und " +
      "schreibt den neuen: am Ende 21.000.",
  },
  "cash-machines-unprotected": {
    title: "Zwei Geldautomaten ohne Sperre",
    about:
      "Dieselben zwei Automaten, und niemand wartet: Beide lesen 1.000, beide schreiben 11.000. Eine Einzahlung ist verloren, " +
      "und die Monitore sagen es.",
  },
  "files-one-by-one": {
    title: "Ein Verzeichnis mit vier Dateien, einzeln gesperrt",
    about:
      "Jede Datei hat eine eigene Sperre: eine Instanz des Algorithmus mit einem eigenen Token. Wer an einer Datei arbeitet, " +
      "steht an einer anderen niemandem im Weg.",
  },
  "files-together": {
    title: "Ein Verzeichnis mit vier Dateien, alle zusammen gesperrt",
    about:
      "Jeder Klient nimmt die Sperren aller vier Dateien, in aufsteigender Reihenfolge, bevor er arbeitet: Niemand kann im " +
      "Kreis warten.",
  },
  directory: {
    title: "Ein Verzeichnis und seine vier Dateien",
    about:
      "Sperre 0 ist die eines Verzeichnisses, die anderen sind die seiner Dateien. Wer eine Datei will, nimmt das Verzeichnis, " +
      "dann die Datei und gibt das Verzeichnis zurück; ab und zu nimmt jemand das Verzeichnis mit allem, was darin ist, und " +
      "wartet, bis die Dateien frei sind. Niemand wartet im Kreis, und keine Zeile, die zu einer Datei kommt, geht verloren.",
  },
  "ricart-agrawala": {
    title: "Ricart–Agrawala, wie in der Vorlesung gezeichnet",
    about:
      "P1 ist im Abschnitt. P3 fragt mit ⟨42,3⟩ und P5, etwas später, mit ⟨49,5⟩. P1 lässt beide warten, P5 antwortet P3 " +
      "sofort, und P3 lässt P5 warten. Wenn P1 geht, tritt P3 ein und nach ihm P5. (P3 und P5 haben anderen bis dahin viel " +
      "gesagt, sodass ihre Uhren auf 41 und 48 stehen.)",
  },
  "lamport-without-fifo": {
    title: "Lamport ohne Kanäle, die die Reihenfolge halten",
    about:
      "P0 und P1 fragen. Der REQUEST von P0 ist langsam, und sein ACK überholt ihn. P1 nimmt das ACK als Zeichen, dass P0 davor " +
      "nichts verlangt hat, und tritt ein, während P0 drin ist.",
  },
  "maekawa-deadlock": {
    title: "Maekawas erste Fassung: je zwei Stimmen",
    about:
      "P0, P1 und P2 von sieben fragen, und jeder bekommt zwei der drei Stimmen, die er braucht: die von P0 und P2, von P1 und " +
      "P3, von P4 und P5. Niemand gibt eine Stimme zurück, und sie warten für immer im Kreis.",
  },
  "suzuki-kasami-lost-token": {
    title: "Suzuki–Kasami: das Token geht verloren",
    about:
      "P0 hat das Token, und P2 bekommt es. Auf dem Weg von P2 zu P3 geht es verloren. P3 wartet für immer, und ebenso jeder, " +
      "der nach ihm fragt: Niemand kann ein neues machen.",
  },
  "lease-fenced": {
    title: "Ein verspäteter Inhaber, mit Fencing-Token",
    about:
      "P1 ist im Abschnitt und wird vier Sekunden lang angehalten. Seine Frist endet, und P2 tritt mit dem nächsten " +
      "Fencing-Token ein und zahlt ein. Dann macht P1 weiter und schreibt, was er aus einem alten Kontostand errechnet hat: " +
      "Sein Token ist älter, und das Konto lehnt es ab. Nichts ist verloren.",
  },
  "lease-unfenced": {
    title: "Ein verspäteter Inhaber, ohne Fencing-Token",
    about:
      "Dasselbe mit einem Konto, das auf kein Token achtet: P1 überschreibt, was P2 eingezahlt hat, und eine Einzahlung ist " +
      "verloren.",
  },
  bully: {
    title: "Bully: P3 bemerkt, dass P7 tot ist",
    about:
      "Acht Prozesse, und P7 ist ihr Koordinator. Er stirbt, P3 bemerkt es und fragt alle über sich; die antworten und fragen " +
      "ihrerseits; P6 bekommt keine Antwort und ist der neue Koordinator. Dann kommt P7 zurück und übernimmt.",
  },
  "ring-best": {
    title: "Ring, alle beginnen: die beste Anordnung",
    about:
      "Acht Prozesse rufen gleichzeitig eine Wahl aus. Jedes ELECT trifft schon nach einem Schritt auf eine größere Nummer; nur " +
      "das von P7 läuft herum: 2N-1 = 15, und dann läuft COORD herum.",
  },
  "ring-worst": {
    title: "Ring, alle beginnen: die schlechteste Anordnung",
    about: "Dieselben acht andersherum: Jedes ELECT läuft, bis es zu P7 kommt. Das sind 1+2+…+8 = 36.",
  },
  "ring-dead-successor": {
    title: "Ring mit Quittungen: ein toter Nachfolger wird übergangen",
    about:
      "P7 ist tot, und P3 ruft eine Wahl aus. Jedes ELECT wird mit OK bestätigt; P6 hört von P7 nichts und sendet sein ELECT " +
      "stattdessen an P0. P6 ist gewählt.",
  },
  failover: {
    title: "Der Koordinator der Sperre stirbt",
    about:
      "Fünf Prozesse teilen sich eine Sperre, die P0 gewährt. Nach sechs Sekunden ist P0 tot: Wer wartet, bemerkt es und ruft " +
      "eine Wahl aus, der neue Koordinator fragt die anderen, was sie haben und wollen, und es geht weiter, bis jeder Klient " +
      "sechsmal drin war.",
  },
  "two-coordinators": {
    title: "Bully: zwei Koordinatoren",
    about:
      "P7 ist tot, und P3 bemerkt es. Eine Nachricht braucht zwei Sekunden, und so lange wartet niemand: P3 hält die über ihm " +
      "für tot, weil sie schweigen, und macht sich zum Koordinator, und P4, P5 und P6 tun es auch, drei von ihnen für dieselbe " +
      "Amtszeit.",
  },
  philosophers: {
    title: "Fünf Philosophen und alle vier Bedingungen",
    about:
      "Jeder nimmt die linke Gabel und will dann die rechte, die der Nachbar hat: Sie warten im Kreis. Bei 9 s legt P0 seine " +
      "Gabel hin, und sie essen einer nach dem anderen.",
  },
  "philosophers-ordered": {
    title: "Fünf Philosophen, die zuerst die kleinere Gabel nehmen",
    about: "Niemand wartet im Kreis: Der letzte Philosoph nimmt die Gabeln andersherum.",
  },
  "philosophers-together": {
    title: "Fünf Philosophen, die beide Gabeln auf einmal nehmen",
    about: "Niemand hat eine Gabel und wartet auf die andere: Es sind beide da oder keine.",
  },
  "philosophers-give-way": {
    title: "Fünf Philosophen, die die Gabel zurücklegen",
    about:
      "Niemand beharrt: Wer die zweite Gabel nicht haben kann, legt die erste zurück und versucht es nach einer zufälligen Zeit " +
      "wieder.",
  },
  "philosophers-shared": {
    title: "Fünf Philosophen, die ihre Gabeln teilen",
    about: "Keine Gabel ist für einen allein: Mit Ressourcen, die sich teilen lassen, wartet überhaupt niemand.",
  },
  corridor: {
    title: "Zwei Leute im Gang",
    about:
      "Jeder nimmt eine Seite, findet die andere besetzt, weicht aus und versucht es nach derselben Zeit wieder wie der andere: " +
      "ein Livelock. Bei 22 s zögert P1 etwas länger als sonst, und sie kommen aneinander vorbei.",
  },
  "corridor-random": {
    title: "Zwei Leute im Gang, die zögern",
    about: "Jeder versucht es nach einer zufälligen Zeit wieder: Sie kommen bald aneinander vorbei.",
  },
  "priority-starvation": {
    title: "Drei Stationen, und die letzte verhungert",
    about:
      "Alle wollen senden, immer wieder, und von denen, die warten, kommt die mit der kleinsten Nummer dran. P0 und P1 wechseln " +
      "sich ab, und P2 wartet, solange sie etwas wollen: Verhungern, und keine Verklemmung. Sie kommt dran, wenn die anderen " +
      "genug haben.",
  },
  "distributed-deadlock": {
    title: "Ein Kreis, den kein Ort sieht",
    about:
      "P0 wartet am Ort von P1 und P1 am Ort von P0: Keiner der lokalen Graphen hat einen Kreis. P2, der Koordinator, legt beide " +
      "zusammen und sagt P1, dass er aufgeben soll; P0 macht weiter.",
  },
  "phantom-deadlock": {
    title: "Eine Verklemmung, die es nie gab",
    about:
      "P0 wartet auf P1, und sein Ort meldet das. P1 gibt zurück, was P0 will, und verlangt etwas später, was P0 hat: kein " +
      "Kreis. Doch die Nachricht, dass P1 zurückgegeben hat, braucht länger als die, dass er verlangt: Der Koordinator sieht " +
      "beide gleichzeitig warten, und P1 muss umsonst aufgeben.",
  },
  probes: {
    title: "Proben, die zurückkommen",
    about:
      "Vier warten im Kreis, jeder auf den nächsten. Wer blockiert ist, sendet eine Probe den Kreis entlang; nur die der höchsten " +
      "Nummer kommt zurück, und P3 gibt auf. Dann geben alle nacheinander zurück, was sie haben, und P3, der noch einmal gefragt " +
      "hat, bekommt, was er will.",
  },
  "wait-die": {
    title: "Wait-die: der Junge stirbt",
    about:
      "P0 und P1 haben jeder, was der andere will. P0 ist älter und wartet; P1 ist jünger, stirbt, gibt zurück, was er hat, und " +
      "fragt noch einmal mit seinem alten Zeitstempel. Er stirbt noch einmal, und wenn P0 fertig ist, bekommt er beides.",
  },
  "wound-wait": {
    title: "Wound-wait: der Alte verwundet",
    about:
      "Dieselben zwei. P0 ist älter und wartet nicht: Er verwundet P1, der zurückgibt, was er hat, und noch einmal mit seinem " +
      "alten Zeitstempel fragt. Nun ist es der jüngere, der verlangt, was ein älterer hat, und er wartet.",
  },
  banker: {
    title: "Der Bankier der Vorlesung",
    about:
      "Der Bankier, P0, zeigt, was jeder hat und was jeder noch braucht. Bei 2000 verlangt P1 (P2 der Vorlesung) eine Einheit " +
      "mehr von Ressource 2 und bekommt sie: Alle können noch fertig werden, in der Folge P3, P4, P0, P2, P1. Bei 3000 verlangt " +
      "auch P4 eine und muss warten: Danach wäre bei niemandem gewiss, dass er fertig wird. Wenn P3 fertig ist, bekommt er sie.",
  },
  paxos: {
    title: "Paxos, Beispiel I",
    about:
      "P0 schlägt v vor, P1 bis P3 versprechen und akzeptieren, und P4 lernt es, sobald zwei akzeptiert haben: Der dritte kommt " +
      "zu spät, um zu zählen.",
  },
  "paxos-promises": {
    title: "Paxos, Beispiel II: Versprechen",
    about:
      "P0 lässt v1 wählen. P1 kommt später mit v2: Die Versprechen nennen ihm v1, und auch er bittet um v1.",
  },
  "paxos-ignored-prepare": {
    title: "Paxos, Beispiel II: ein älteres PREPARE wird ignoriert",
    about:
      "P0 schlägt etwas später vor als P1, aber mit einer kleineren Nummer, und das PREPARE von P1 kommt zuerst an: Das von P0 " +
      "wird ignoriert, und er versucht es erst nach einer Weile wieder.",
  },
  "paxos-ignored-accept": {
    title: "Paxos, Beispiel II: ein älteres ACCEPT wird ignoriert",
    about:
      "P0 hat seine Versprechen, aber bevor sein ACCEPT ankommt, haben alle P1 eine höhere Nummer versprochen: Das ACCEPT wird " +
      "ignoriert, und v2 ist gewählt.",
  },
  "paxos-two-values": {
    title: "Paxos wie gedruckt: zwei Werte werden gewählt",
    about:
      "P0 lässt v1 wählen. P1 kommt später mit v2, und wie gedruckt sieht er nicht darauf, was die Versprechen ihm sagen: Er " +
      "bittet um v2, mit einer höheren Nummer, und auch v2 ist gewählt.",
  },
  "paxos-duel": {
    title: "Zwei Proposer im Duell",
    about:
      "P0 und P1 schlagen abwechselnd vor. Jedem wird seine Nummer versprochen, bevor das ACCEPT des anderen ankommt, das dann " +
      "ignoriert wird, und beide versuchen es nach derselben Zeit wieder: Nie wird etwas gewählt. Bei 12 s schweigt P1 eine " +
      "Weile, und v0 ist gewählt.",
  },
};
