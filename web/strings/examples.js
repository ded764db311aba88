/** Titles and descriptions of the examples, by name. Only German and Czech: the server provides the English texts. */

import { both } from "./say.js";

export const examples = {
  "cash-machines": {
    title: both("Zwei Geldautomaten, ein Konto", "Dva bankomaty, jeden účet"),
    about: both("Zwei Automaten zahlen je 10.000 auf ein Konto mit 1.000 ein. Mit der Sperre liest immer nur einer den " +
      "Kontostand und schreibt den neuen: am Ende 21.000.",
      "Dva bankomaty vloží po 10 000 na účet, na kterém je 1 000. Se zámkem čte zůstatek a zapisuje nový vždy jen jeden: na " +
      "konci 21 000."),
  },
  "cash-machines-unprotected": {
    title: both("Zwei Geldautomaten ohne Sperre", "Dva bankomaty bez zámku"),
    about: both("Dieselben zwei Automaten, aber keiner wartet: Beide lesen 1.000, beide schreiben 11.000. Eine Einzahlung " +
      "ist verloren, und die Monitore melden es.",
      "Tytéž dva bankomaty, ale žádný nečeká: oba čtou 1 000, oba zapíší 11 000. Jeden vklad je ztracen a monitory to hlásí."),
  },
  "files-one-by-one": {
    title: both("Ein Verzeichnis mit vier Dateien, einzeln gesperrt", "Adresář se čtyřmi soubory, zamykanými po jednom"),
    about: both("Jede Datei hat eine eigene Sperre: eine Instanz des Algorithmus mit einem eigenen Token. Die Arbeit an " +
      "einer Datei hält die an einer anderen nicht auf.",
      "Každý soubor má vlastní zámek: instanci algoritmu s vlastním tokenem. Práce s jedním souborem neblokuje práci s jiným."),
  },
  "files-together": {
    title: both("Ein Verzeichnis mit vier Dateien, alle zusammen gesperrt", "Adresář se čtyřmi soubory, zamykanými najednou"),
    about: both("Jeder Klient nimmt die Sperren aller vier Dateien, in aufsteigender Reihenfolge, bevor er arbeitet: Die " +
      "Klienten können nicht zyklisch warten.",
      "Každý klient si před prací vezme zámky všech čtyř souborů, ve vzestupném pořadí: klienti nemohou čekat v cyklu."),
  },
  directory: {
    title: both("Ein Verzeichnis und seine vier Dateien", "Adresář a jeho čtyři soubory"),
    about: both("Sperre 0 gehört zu einem Verzeichnis, die anderen gehören zu seinen Dateien. Ein Klient, der eine Datei " +
      "will, nimmt das Verzeichnis, dann die Datei und gibt das Verzeichnis zurück. Ab und zu nimmt ein Klient das " +
      "Verzeichnis mit allem, was darin ist, und wartet, bis die Dateien frei sind. Die Klienten warten nie zyklisch, und " +
      "keine Zeile, die zu einer Datei kommt, geht verloren.",
      "Zámek 0 patří adresáři, ostatní jeho souborům. Klient, který chce soubor, vezme adresář, pak soubor a adresář vrátí. " +
      "Tu a tam některý klient vezme adresář se vším, co v něm je, a čeká, až budou soubory volné. Klienti nikdy nečekají v " +
      "cyklu a žádný řádek přidaný do souboru se neztratí."),
  },
  "ricart-agrawala": {
    title: both("Ricart–Agrawala, wie in der Vorlesung gezeichnet", "Ricart–Agrawala, jak je nakreslen v přednášce"),
    about: both("P1 ist im kritischen Abschnitt. P3 fragt mit ⟨42,3⟩ und P5, etwas später, mit ⟨49,5⟩. P1 lässt beide " +
      "warten, P5 antwortet P3 sofort, und P3 lässt P5 warten. Wenn P1 geht, tritt P3 ein und nach ihm P5. (P3 und P5 haben " +
      "bis dahin viele Nachrichten gesendet, sodass ihre Uhren 41 und 48 zeigen.)",
      "P1 je v kritické sekci. P3 žádá s ⟨42,3⟩ a P5 o něco později s ⟨49,5⟩. P1 oba odkládá, P5 odpoví P3 hned a P3 odkládá " +
      "P5. Když P1 odejde, vstoupí P3 a po něm P5. (P3 a P5 už do té doby poslali mnoho zpráv, a tak jejich hodiny ukazují " +
      "41 a 48.)"),
  },
  "lamport-without-fifo": {
    title: both("Lamport ohne FIFO-Kanäle", "Lamport bez FIFO kanálů"),
    about: both("P0 und P1 fragen. Der REQUEST von P0 ist langsam, und sein ACK überholt ihn. P1 schließt aus dem ACK, dass " +
      "P0 davor nicht gefragt hat, und tritt ein, während P0 drin ist.",
      "P0 a P1 žádají. REQUEST od P0 je pomalý a jeho ACK ho předběhne. P1 z ACK usoudí, že P0 předtím nežádal, a vstoupí, " +
      "zatímco P0 je uvnitř."),
  },
  "maekawa-deadlock": {
    title: both("Maekawas erste Fassung: je zwei Stimmen", "Maekawova první verze: každý dva hlasy"),
    about: both("P0, P1 und P2 von sieben Prozessen fragen, und jeder bekommt zwei der drei Stimmen, die er braucht: die von " +
      "P0 und P2, von P1 und P3, von P4 und P5. Kein Prozess gibt eine Stimme zurück, und sie warten für immer zyklisch " +
      "aufeinander.",
      "P0, P1 a P2 ze sedmi procesů žádají a každý dostane dva ze tří hlasů, které potřebuje: od P0 a P2, od P1 a P3, od P4 " +
      "a P5. Žádný proces hlas nevrátí a čekají v cyklu navždy."),
  },
  "suzuki-kasami-lost-token": {
    title: both("Suzuki–Kasami: das Token geht verloren", "Suzuki–Kasami: token se ztratí"),
    about: both("P0 hat das Token, und P2 bekommt es. Auf dem Weg von P2 zu P3 geht es verloren. P3 wartet für immer, und " +
      "ebenso jeder, der nach ihm fragt: Kein Prozess kann ein neues machen.",
      "P0 má token a dostane ho P2. Na cestě od P2 k P3 se ztratí. P3 čeká navždy a stejně každý, kdo žádá po něm: nový " +
      "token žádný proces vytvořit nemůže."),
  },
  "lease-fenced": {
    title: both("Ein verspäteter Inhaber, mit Fencing-Token", "Opožděný držitel s fencing tokenem"),
    about: both("P1 ist im kritischen Abschnitt und wird vier Sekunden lang angehalten. Seine Frist läuft ab, und P2 tritt " +
      "mit dem nächsten Fencing-Token ein und zahlt ein. Dann macht P1 weiter und schreibt, was er aus einem alten " +
      "Kontostand errechnet hat: Sein Token ist älter, und das Konto lehnt es ab. Nichts ist verloren.",
      "P1 je v kritické sekci a na čtyři sekundy je pozastaven. Jeho lhůta vyprší a vstoupí P2 s dalším fencing tokenem a " +
      "vloží peníze. Pak P1 pokračuje a zapisuje, co spočítal ze starého zůstatku: jeho token je starší a účet zápis " +
      "odmítne. Nic se neztratilo."),
  },
  "lease-unfenced": {
    title: both("Ein verspäteter Inhaber, ohne Fencing-Token", "Opožděný držitel bez fencing tokenu"),
    about: both("Dasselbe mit einem Konto, das auf kein Token achtet: P1 überschreibt, was P2 eingezahlt hat, und eine " +
      "Einzahlung ist verloren.",
      "Totéž s účtem, který na žádný token nehledí: P1 přepíše, co vložil P2, a jeden vklad je ztracen."),
  },
  bully: {
    title: both("Bully: P3 bemerkt, dass P7 abgestürzt ist", "Bully: P3 si všimne, že P7 havaroval"),
    about: both("Acht Prozesse, und P7 ist ihr Koordinator. Er stürzt ab, P3 bemerkt es und fragt alle mit höherer Nummer; " +
      "die antworten und fragen ihrerseits; P6 bekommt keine Antwort und ist der neue Koordinator. Dann kommt P7 zurück und " +
      "übernimmt.",
      "Osm procesů a P7 je jejich koordinátor. Havaruje, P3 si toho všimne a ptá se všech s vyšším číslem; ti odpoví a sami " +
      "se ptají; P6 odpověď nedostane a je novým koordinátorem. Pak se P7 vrátí a ujme se vedení."),
  },
  "ring-best": {
    title: both("Ring, alle beginnen: die beste Anordnung", "Kruh, začínají všichni: nejlepší pořadí"),
    about: both("Acht Prozesse rufen gleichzeitig eine Wahl aus. Jedes ELECT trifft schon nach einem Schritt auf eine größere " +
      "Nummer; nur das von P7 läuft herum: 2N-1 = 15, und dann läuft COORD herum.",
      "Osm procesů vyhlásí volbu současně. Každý ELECT narazí hned po prvním kroku na větší číslo; jen ten od P7 oběhne kruh: " +
      "je jich 2N-1 = 15 a pak kruh oběhne COORD."),
  },
  "ring-worst": {
    title: both("Ring, alle beginnen: die schlechteste Anordnung", "Kruh, začínají všichni: nejhorší pořadí"),
    about: both("Dieselben acht andersherum: Jedes ELECT läuft, bis es zu P7 kommt. Das sind 1+2+…+8 = 36.",
      "Týchž osm obráceně: každý ELECT jde dál, dokud nedojde k P7. Je jich 1+2+…+8 = 36."),
  },
  "ring-dead-successor": {
    title: both("Ring mit Quittungen: ein abgestürzter Nachfolger wird übergangen",
      "Kruh s potvrzováním: havarovaný následník se přeskočí"),
    about: both("P7 ist abgestürzt, und P3 ruft eine Wahl aus. Jedes ELECT wird mit OK bestätigt; P6 hört von P7 nichts und " +
      "sendet sein ELECT stattdessen an P0. P6 ist gewählt.",
      "P7 havaroval a P3 vyhlásí volbu. Každý ELECT se potvrzuje zprávou OK; P6 od P7 nic neslyší a pošle svůj ELECT místo " +
      "toho k P0. Zvolen je P6."),
  },
  failover: {
    title: both("Der Koordinator der Sperre stürzt ab", "Koordinátor zámku havaruje"),
    about: both("Fünf Prozesse teilen sich eine Sperre, die P0 gewährt. Nach sechs Sekunden stürzt P0 ab: Wer wartet, " +
      "bemerkt es und ruft eine Wahl aus, der neue Koordinator fragt die anderen, was sie haben und wollen, und es geht " +
      "weiter, bis jeder Klient sechsmal eingetreten ist.",
      "Pět procesů má společný zámek, který povoluje P0. Po šesti sekundách P0 havaruje: kdo čeká, všimne si toho a vyhlásí " +
      "volbu, nový koordinátor se ostatních zeptá, co mají a chtějí, a pokračuje se, dokud každý klient nevstoupil šestkrát."),
  },
  "two-coordinators": {
    title: both("Bully: zwei Koordinatoren", "Bully: dva koordinátoři"),
    about: both("P7 ist abgestürzt, und P3 bemerkt es. Eine Nachricht braucht zwei Sekunden, und so lange wartet kein " +
      "Prozess: P3 hält das Schweigen der höheren Prozesse für einen Absturz und macht sich zum Koordinator. P4, P5 und P6 " +
      "tun es auch, drei von ihnen für dieselbe Amtszeit.",
      "P7 havaroval a P3 si toho všimne. Zpráva letí dvě sekundy a tak dlouho žádný proces nečeká: P3 má mlčení vyšších " +
      "procesů za havárii a prohlásí se koordinátorem. Stejně tak P4, P5 a P6, tři z nich pro totéž období."),
  },
  philosophers: {
    title: both("Fünf Philosophen und alle vier Bedingungen", "Pět filosofů a všechny čtyři podmínky"),
    about: both("Jeder nimmt die linke Gabel und will dann die rechte, die der Nachbar hat: Sie warten zyklisch aufeinander. " +
      "Bei 9 s legt P0 seine Gabel hin, und sie essen einer nach dem anderen.",
      "Každý vezme levou vidličku a pak chce pravou, kterou má soused: čekají v cyklu. V čase 9 s P0 svou vidličku odloží a " +
      "najedí se jeden po druhém."),
  },
  "philosophers-ordered": {
    title: both("Fünf Philosophen, die zuerst die kleinere Gabel nehmen",
      "Pět filosofů, kteří berou nejdřív vidličku s menším číslem"),
    about: both("Die Philosophen können nicht zyklisch warten: Der letzte nimmt die Gabeln andersherum.",
      "Filosofové nemohou čekat v cyklu: poslední bere vidličky obráceně."),
  },
  "philosophers-together": {
    title: both("Fünf Philosophen, die beide Gabeln auf einmal nehmen", "Pět filosofů, kteří berou obě vidličky najednou"),
    about: both("Kein Philosoph hat eine Gabel und wartet auf die andere: Jeder bekommt beide oder keine.",
      "Žádný filosof nemá jednu vidličku a nečeká na druhou: každý dostane obě, nebo žádnou."),
  },
  "philosophers-give-way": {
    title: both("Fünf Philosophen, die die Gabel zurücklegen", "Pět filosofů, kteří vidličku vracejí"),
    about: both("Kein Philosoph beharrt: Wer die zweite Gabel nicht haben kann, legt die erste zurück und versucht es nach " +
      "einer zufälligen Zeit wieder.",
      "Žádný filosof netrvá na svém: kdo nemůže dostat druhou vidličku, odloží první a po náhodné době to zkusí znovu."),
  },
  "philosophers-shared": {
    title: both("Fünf Philosophen, die ihre Gabeln teilen", "Pět filosofů, kteří se o vidličky dělí"),
    about: both("Keine Gabel ist für einen allein: Mit Ressourcen, die sich teilen lassen, wartet überhaupt niemand.",
      "Žádná vidlička není jen pro jednoho: s prostředky, které lze sdílet, nečeká vůbec nikdo."),
  },
  corridor: {
    title: both("Zwei Leute im Gang", "Dva lidé v chodbě"),
    about: both("Jeder nimmt eine Seite, findet die andere besetzt, weicht aus und versucht es nach derselben Zeit wieder wie " +
      "der andere: ein Livelock. Ab 25 s zögert P1 jedes Mal etwas länger, bis sie aneinander vorbeikommen.",
      "Každý zabere jednu stranu, druhou najde obsazenou, ustoupí a zkusí to znovu po stejné době jako ten druhý: livelock. " +
      "Od 25 s váhá P1 pokaždé o něco déle, dokud se navzájem neminou."),
  },
  "corridor-random": {
    title: both("Zwei Leute im Gang, die zögern", "Dva lidé v chodbě, kteří váhají"),
    about: both("Jeder versucht es nach einer zufälligen Zeit wieder: Sie kommen bald aneinander vorbei.",
      "Každý to zkusí znovu po náhodné době: brzy kolem sebe projdou."),
  },
  "priority-starvation": {
    title: both("Drei Stationen, und die letzte verhungert", "Tři stanice a poslední hladoví"),
    about: both("Alle Stationen wollen senden, immer wieder, und von denen, die warten, kommt die mit der kleinsten Nummer " +
      "dran. P0 und P1 wechseln sich ab, und P2 wartet, solange sie senden wollen: Verhungern, und keine Verklemmung. P2 " +
      "kommt dran, wenn die anderen genug haben.",
      "Všechny stanice chtějí vysílat, znovu a znovu, a z čekajících jde první ta s nejmenším číslem. P0 a P1 se střídají a " +
      "P2 čeká, dokud chtějí vysílat: hladovění, a ne uváznutí. P2 přijde na řadu, až budou mít ostatní dost."),
  },
  "distributed-deadlock": {
    title: both("Ein Zyklus, den kein Ort sieht", "Cyklus, který žádné místo nevidí"),
    about: both("P0 wartet am Ort von P1 und P1 am Ort von P0: Keiner der lokalen Graphen hat einen Zyklus. P2, der " +
      "Koordinator, fügt beide zusammen und sagt P1, dass er aufgeben soll; P0 macht weiter.",
      "P0 čeká na místě P1 a P1 na místě P0: ani jeden lokální graf nemá cyklus. P2, koordinátor, oba spojí a řekne P1, aby " +
      "se vzdal; P0 pokračuje."),
  },
  "phantom-deadlock": {
    title: both("Eine Verklemmung, die es nie gab", "Uváznutí, které nikdy nebylo"),
    about: both("P0 wartet auf P1, und sein Ort meldet das. P1 gibt zurück, was P0 will, und verlangt etwas später, was P0 " +
      "hat: Es gibt keinen Zyklus. Doch die Meldung, dass P1 zurückgegeben hat, braucht länger als die, dass er verlangt: " +
      "Der Koordinator sieht beide gleichzeitig warten, und P1 muss umsonst aufgeben.",
      "P0 čeká na P1 a jeho místo to hlásí. P1 vrátí, co chce P0, a o něco později žádá o to, co má P0: žádný cyklus tu " +
      "není. Ale hlášení, že P1 vrátil, jde déle než to, že žádá: koordinátor vidí obě čekání zároveň a P1 se musí zbytečně " +
      "vzdát."),
  },
  probes: {
    title: both("Proben, die zurückkommen", "Sondy, které se vrátí"),
    about: both("Vier Prozesse warten im Zyklus, jeder auf den nächsten. Jeder blockierte sendet eine Probe den Zyklus " +
      "entlang; nur die der höchsten Nummer kommt zurück, und P3 gibt auf. Dann geben alle nacheinander zurück, was sie " +
      "haben, und P3, der noch einmal gefragt hat, bekommt, was er will.",
      "Čtyři procesy čekají v cyklu, každý na dalšího. Každý blokovaný pošle po cyklu sondu; vrátí se jen sonda nejvyššího " +
      "čísla a vzdá se P3. Pak všichni jeden po druhém vrátí, co mají, a P3, který požádal znovu, dostane, co chce."),
  },
  "wait-die": {
    title: both("Wait-die: der Jüngere stirbt", "Wait-die: mladší zemře"),
    about: both("P0 und P1 haben jeder, was der andere will. P0 ist älter und wartet; P1 ist jünger, stirbt, gibt zurück, was " +
      "er hat, und fragt noch einmal mit seinem alten Zeitstempel. Er stirbt noch einmal, und wenn P0 fertig ist, bekommt er " +
      "beides.",
      "P0 a P1 mají každý to, co chce druhý. P0 je starší a čeká; P1 je mladší, zemře, vrátí, co má, a požádá znovu se svou " +
      "původní časovou značkou. Zemře ještě jednou, a když P0 skončí, dostane obojí."),
  },
  "wound-wait": {
    title: both("Wound-wait: der Ältere verwundet", "Wound-wait: starší zraní"),
    about: both("Dieselben zwei. P0 ist älter und wartet nicht: Er verwundet P1, der zurückgibt, was er hat, und noch einmal " +
      "mit seinem alten Zeitstempel fragt. Nun ist es der jüngere, der verlangt, was ein älterer hat, und er wartet.",
      "Titíž dva. P0 je starší a nečeká: zraní P1, který vrátí, co má, a požádá znovu se svou původní časovou značkou. Teď " +
      "žádá mladší o to, co má starší, a čeká."),
  },
  banker: {
    title: both("Der Bankier der Vorlesung", "Bankéř z přednášky"),
    about: both("Der Bankier, P0, zeigt, was jeder hat und was jeder noch brauchen kann. Bei 2 s verlangt P1 (P2 der " +
      "Vorlesung) eine Einheit mehr von Ressource 2 und bekommt sie: Alle können noch fertig werden, in der Folge P3, P4, " +
      "P0, P2, P1. Bei 3 s verlangt auch P4 eine und muss warten: Danach wäre bei niemandem gewiss, dass er fertig wird. " +
      "Wenn P3 fertig ist, bekommt P4 sie.",
      "Bankéř, P0, ukazuje, co kdo má a co kdo ještě může potřebovat. V čase 2 s žádá P1 (v přednášce P2) o další jednotku " +
      "prostředku 2 a dostane ji: všichni mohou ještě skončit, v pořadí P3, P4, P0, P2, P1. V čase 3 s o jednu žádá i P4 a " +
      "musí čekat: pak by si nikdo nemohl být jist, že skončí. Když skončí P3, dostane ji P4."),
  },
  paxos: {
    title: both("Paxos, Beispiel I", "Paxos, příklad I"),
    about: both("P0 schlägt v vor, P1 bis P3 versprechen und akzeptieren, und P4 lernt es, sobald zwei akzeptiert haben: Der " +
      "dritte kommt zu spät, um zu zählen.",
      "P0 navrhuje v, P1 až P3 slíbí a přijmou a P4 se to dozví, jakmile přijali dva: třetí přijde pozdě, než aby na tom " +
      "záleželo."),
  },
  "paxos-promises": {
    title: both("Paxos, Beispiel II: Versprechen", "Paxos, příklad II: sliby"),
    about: both("P0 lässt v1 wählen. P1 kommt später mit v2: Die Versprechen nennen ihm v1, und auch er schlägt v1 vor.",
      "P0 prosadí v1. P1 přijde později s v2: ze slibů se dozví o v1 a navrhuje také v1."),
  },
  "paxos-ignored-prepare": {
    title: both("Paxos, Beispiel II: ein älteres PREPARE wird ignoriert", "Paxos, příklad II: starší PREPARE se ignoruje"),
    about: both("P0 schlägt etwas später vor als P1, aber mit einer kleineren Nummer, und das PREPARE von P1 kommt zuerst an: " +
      "Das von P0 wird ignoriert, und er versucht es erst nach einer Weile wieder.",
      "P0 navrhuje o něco později než P1, ale s nižším číslem, a PREPARE od P1 dorazí první: ten od P0 se ignoruje a P0 to " +
      "zkusí znovu až po chvíli."),
  },
  "paxos-ignored-accept": {
    title: both("Paxos, Beispiel II: ein älteres ACCEPT wird ignoriert", "Paxos, příklad II: starší ACCEPT se ignoruje"),
    about: both("P0 hat seine Versprechen, aber bevor sein ACCEPT ankommt, haben alle P1 eine höhere Nummer versprochen: Das " +
      "ACCEPT wird ignoriert, und v2 ist gewählt.",
      "P0 má své sliby, ale než jeho ACCEPT dorazí, slíbí všichni P1 vyšší číslo: ACCEPT se ignoruje a zvolena je v2."),
  },
  "paxos-two-values": {
    title: both("Paxos wie gedruckt: zwei Werte werden gewählt", "Paxos, jak je vytištěn: zvoleny jsou dvě hodnoty"),
    about: both("P0 lässt v1 wählen. P1 kommt später mit v2 und beachtet nicht, wie gedruckt, was die Versprechen melden: Er " +
      "schlägt v2 vor, mit einer höheren Nummer, und auch v2 ist gewählt.",
      "P0 prosadí v1. P1 přijde později s v2 a podle tištěného textu nehledí na to, co sliby hlásí: navrhuje v2, s vyšším " +
      "číslem, a zvolena je i v2."),
  },
  "paxos-duel": {
    title: both("Zwei Proposer im Duell", "Dva navrhovatelé v souboji"),
    about: both("P0 und P1 schlagen abwechselnd vor. Jedem wird seine Nummer versprochen, bevor das ACCEPT des anderen " +
      "ankommt, das dann ignoriert wird, und beide versuchen es nach derselben Zeit wieder: Nie wird etwas gewählt. Bei 12 s " +
      "schweigt P1 eine Weile, und v0 ist gewählt.",
      "P0 a P1 navrhují střídavě. Každému je jeho číslo slíbeno dřív, než dorazí ACCEPT toho druhého, který se pak ignoruje, a " +
      "oba to po stejné době zkusí znovu: nikdy není nic zvoleno. V čase 12 s se P1 na chvíli odmlčí a zvolena je v0."),
  },
};
