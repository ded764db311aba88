/** Why a verdict is not good, and how a property was violated: a sentence for each code of the server. */

import { counted, name, names, partsOf } from "./lists.js";
import { Said, say, wordsIn } from "./say.js";

/** @typedef {Record<string, any>} Arguments What the server sends with a code. */
/** @typedef {(is: Arguments) => string | undefined} Sentence Returns undefined if an argument is missing. */

/** English, German, Czech. @param {Sentence} en @param {Sentence} de @param {Sentence} cs */
const sentence = (en, de, cs) => new Said(en, de, cs);

/** A sentence that names its lock first if there are several. @param {Sentence} en @param {Sentence} de @param {Sentence} cs */
const ofLock = (en, de, cs) => new Said(after("Lock", en), after("Sperre", de), after("Zámek", cs));

/** @param {string} word @param {Sentence} said @returns {Sentence} */
const after = (word, said) => (is) => (is["lock"] === undefined ? said(is) : `${word} ${is["lock"]}: ${said(is)}`);

/** Nodes; none in a file of another program that has them wrong. @param {unknown} value @returns {number[]} */
const listIn = (value) => (Array.isArray(value) ? value : []);

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** Parts of the longer sentences. */
const phrases = {
  wait: say((/** @type {number[]} */ nodes) => `${names.en(nodes)} ${nodes.length === 1 ? "waits" : "wait"}`,
    (nodes) => `${names.de(nodes)} ${nodes.length === 1 ? "wartet" : "warten"}`,
    (nodes) => `${names.cs(nodes)} ${nodes.length === 1 ? "čeká" : "čekají"}`),
  waitsFor: say((/** @type {number} */ node, /** @type {number} */ lock, /** @type {number} */ on) =>
      `${name(node)} waits for lock ${lock}, which ${name(on)} has`,
    (node, lock, on) => `${name(node)} wartet auf Sperre ${lock}, die ${name(on)} hat`,
    (node, lock, on) => `${name(node)} čeká na zámek ${lock}, který má ${name(on)}`),
  forEver: say("for ever: no message is on the way, no timer is set, and nobody is in the section.",
    "für immer: Keine Nachricht ist unterwegs, kein Wecker gestellt, und niemand ist im Abschnitt.",
    "navždy: žádná zpráva není na cestě, žádný časovač neběží a nikdo není v sekci."),
  // With a process in a section.
  hopeless: say("for ever: no message is on the way, and no timer is set.",
    "für immer: Keine Nachricht ist unterwegs, und kein Wecker ist gestellt.",
    "navždy: žádná zpráva není na cestě a žádný časovač neběží."),
  inside: say((/** @type {{ node: number, lock: number }[]} */ inside) =>
      `In a section: ${inside.map(({ node, lock }) => `${name(node)} in that of lock ${lock}`).join(", ")}.`,
    (inside) => `In einem Abschnitt: ${inside.map(({ node, lock }) => `${name(node)} in dem der Sperre ${lock}`).join(", ")}.`,
    (inside) => `V sekci: ${inside.map(({ node, lock }) => `${name(node)} v sekci zámku ${lock}`).join(", ")}.`),
  dead: say((/** @type {number[]} */ nodes) => `${names.en(nodes)} ${nodes.length === 1 ? "is" : "are"} dead.`,
    (nodes) => `${names.de(nodes)} ${nodes.length === 1 ? "ist" : "sind"} tot.`,
    (nodes) => `${names.cs(nodes)} ${nodes.length === 1 ? "je mrtvý" : "jsou mrtvé"}.`),
  electing: say((/** @type {number[]} */ nodes) =>
      `${names.en(nodes)} ${nodes.length === 1 ? "waits" : "wait"} for the end of an election`,
    (nodes) => `${names.de(nodes)} ${nodes.length === 1 ? "wartet" : "warten"} auf das Ende einer Wahl`,
    (nodes) => `${names.cs(nodes)} ${nodes.length === 1 ? "čeká" : "čekají"} na konec volby`),
  undecided: say((/** @type {number[]} */ instances) => `Nothing is chosen yet in instance ${instances.join(", ")}`,
    (instances) => `In Instanz ${instances.join(", ")} ist noch nichts gewählt`,
    (instances) => `V instanci ${instances.join(", ")} ještě není nic vybráno`),
  until: say("and nothing moves by itself:", "und nichts bewegt sich von selbst:", "a nic se samo nepohne:"),
  deliver: say((/** @type {number} */ count) =>
      count === 1 ? "deliver the held message" : `deliver one of the ${count} held messages`,
    (count) => count === 1 ? "die festgehaltene Nachricht zustellen" : `eine der ${count} festgehaltenen Nachrichten zustellen`,
    (count) => count === 1
      ? "doručte zadrženou zprávu"
      : `doručte jednu z ${counted(count, "zadržené zprávy", "zadržených zpráv", "zadržených zpráv")}`),
  resume: say((/** @type {number[]} */ nodes) => `resume ${names.en(nodes)}`,
    (nodes) => `${names.de(nodes)} fortsetzen`,
    (nodes) => `nechte pokračovat ${names.cs(nodes)}`),
  release: say((/** @type {number[]} */ nodes) => `release the lock of ${names.en(nodes)}`,
    (nodes) => `die Sperre von ${names.de(nodes)} freigeben`,
    (nodes) => `uvolněte zámek, který drží ${names.cs(nodes)}`),
  timers: say((/** @type {number[]} */ nodes) => `let a timer run out at ${names.en(nodes)}`,
    (nodes) => `einen Wecker von ${names.de(nodes)} ablaufen lassen`,
    (nodes) => `nechte vypršet časovač uzlu ${names.cs(nodes)}`),
  heal: say((/** @type {number[]} */ nodes) => `heal the partition that cuts off ${names.en(nodes)}`,
    (nodes) => `die Partition aufheben, die ${names.de(nodes)} abschneidet`,
    (nodes) => `zrušte rozdělení sítě, které odřízlo ${names.cs(nodes)}`),
  or: say(", or ", ", oder ", ", nebo "),
  inACycle: say((/** @type {string} */ waits) => `They wait in a cycle: ${waits}.`,
    (waits) => `Sie warten im Kreis: ${waits}.`,
    (waits) => `Čekají v kruhu: ${waits}.`),
};

/** @typedef {import("./say.js").In<typeof phrases>} Phrases */
const [en, de, cs] = [wordsIn(phrases, "en"), wordsIn(phrases, "de"), wordsIn(phrases, "cs")];

/** A sentence made of phrases. @param {(words: Phrases, is: Arguments) => string | undefined} made */
const madeOf = (made) => sentence((is) => made(en, is), (is) => made(de, is), (is) => made(cs, is));

/** @param {Phrases} phrases @param {{ node: number, lock: number, on: number }[]} cycle */
const waitsOf = ({ waitsFor }, cycle) => cycle.map(({ node, lock, on }) => waitsFor(node, lock, on)).join("; ");

/** @param {Arguments} is @returns {number[] | undefined} */
const waitingIn = ({ waiting }) => waiting?.map((/** @type {{ node: number }} */ { node }) => node);

/** The sentences by code. @type {Record<string, Said<Sentence>>} */
export const because = {
  "concurrent-sections": sentence(
    ({ lock, first, second, apart_us }) =>
      apart_us === undefined
        ? `${names.en([first, second])} were in the section of lock ${lock} at the same time: neither left before the other entered.`
        : `${names.en([first, second])} were in the section of lock ${lock} one after the other, but neither knew that the other had left.`,
    ({ lock, first, second, apart_us }) =>
      apart_us === undefined
        ? `${names.de([first, second])} waren gleichzeitig im Abschnitt der Sperre ${lock}: Keiner ging, bevor der andere kam.`
        : `${names.de([first, second])} waren nacheinander im Abschnitt der Sperre ${lock}, doch keiner wusste, dass der andere gegangen war.`,
    ({ lock, first, second, apart_us }) =>
      apart_us === undefined
        ? `${names.cs([first, second])} byly současně v sekci zámku ${lock}: žádný neodešel dřív, než druhý vstoupil.`
        : `${names.cs([first, second])} byly v sekci zámku ${lock} po sobě, ale žádný nevěděl, že ten druhý odešel.`),
  "overlapping-sections": sentence(
    ({ lock, first, second }) =>
      `By the clock of the machine, ${name(second)} entered the section of lock ${lock} before ${name(first)} had left.`,
    ({ lock, first, second }) =>
      `Nach der Uhr der Maschine betrat ${name(second)} den Abschnitt der Sperre ${lock}, bevor ${name(first)} ihn verließ.`,
    ({ lock, first, second }) =>
      `Podle hodin počítače vstoupil ${name(second)} do sekce zámku ${lock} dřív, než ji ${name(first)} opustil.`),
  "token-not-greater": sentence(
    ({ lock, first, second, earlier, later }) =>
      `The fencing token of ${name(second)} for lock ${lock} is ${later}, which is not greater than ${earlier}, the token of ` +
      `${name(first)} in an earlier entry.`,
    ({ lock, first, second, earlier, later }) =>
      `Das Fencing-Token von ${name(second)} für Sperre ${lock} ist ${later} und damit nicht größer als ${earlier}, das Token von ` +
      `${name(first)} bei einem früheren Eintritt.`,
    ({ lock, first, second, earlier, later }) =>
      `Fencing token uzlu ${name(second)} pro zámek ${lock} je ${later}, a není tedy větší než ${earlier}, token uzlu ` +
      `${name(first)} při dřívějším vstupu.`),
  "granted-out-of-order": sentence(
    ({ lock, first, second }) =>
      `${name(second)} entered the section of lock ${lock} before ${name(first)}, whose request happened before its own.`,
    ({ lock, first, second }) =>
      `${name(second)} betrat den Abschnitt der Sperre ${lock} vor ${name(first)}, obwohl dessen Anfrage vor der eigenen lag.`,
    ({ lock, first, second }) =>
      `${name(second)} vstoupil do sekce zámku ${lock} dříve než ${name(first)}, jehož žádost předcházela jeho vlastní.`),
  starvation: sentence(
    ({ lock, node, passed }) =>
      `${name(node)} starves: others entered lock ${lock} ${passed} times since its request had arrived.`,
    ({ lock, node, passed }) =>
      `${name(node)} verhungert: andere betraten Sperre ${lock} ${passed}-mal, seit seine Anfrage angekommen war.`,
    ({ lock, node, passed }) =>
      `${name(node)} hladoví: od doručení jeho žádosti vstoupili jiní do zámku ${lock} již ${passed}krát.`),
  "nobody-enters": ofLock(
    ({ waiting, lasted_ms, died = null }) =>
      `${en.wait(listIn(waiting))}, and nobody has been in any section for ${seconds(lasted_ms)}, though time-outs pass again and again.` +
      (died === null ? "" : ` ${name(died)} died in one.`),
    ({ waiting, lasted_ms, died = null }) =>
      `${de.wait(listIn(waiting))}, und seit ${seconds(lasted_ms)} war niemand in einem Abschnitt, obwohl immer wieder Wartezeiten ablaufen.` +
      (died === null ? "" : ` ${name(died)} ist in einem gestorben.`),
    ({ waiting, lasted_ms, died = null }) =>
      `${cs.wait(listIn(waiting))} a už ${seconds(lasted_ms)} nikdo nebyl v žádné sekci, ačkoli čekací lhůty znovu a znovu vyprší.` +
      (died === null ? "" : ` ${name(died)} v jedné zemřel.`)),
  "second-token": ofLock(
    ({ node }) => `${name(node)} sent a token that it did not have: there are two.`,
    ({ node }) => `${name(node)} hat ein Token gesendet, das er nicht hatte: es gibt zwei.`,
    ({ node }) => `${name(node)} odeslal token, který neměl: jsou dva.`),
  "copied-token": ofLock(
    ({ from, to }) => `The token on its way from ${name(from)} to ${name(to)} was copied: there are two.`,
    ({ from, to }) => `Das Token auf dem Weg von ${name(from)} zu ${name(to)} wurde kopiert: es gibt zwei.`,
    ({ from, to }) => `Token na cestě z ${name(from)} do ${name(to)} byl zkopírován: jsou dva.`),
  "lost-token": ofLock(
    ({ from, to }) => `The token was lost on its way from ${name(from)} to ${name(to)}.`,
    ({ from, to }) => `Das Token ging auf dem Weg von ${name(from)} zu ${name(to)} verloren.`,
    ({ from, to }) => `Token se na cestě z ${name(from)} do ${name(to)} ztratil.`),
  "lost-write": sentence(
    ({ resource, node = null, value, expected, missing, blind }) =>
      blind === true
        ? `A write to ${resource} is lost for good: ${missing} were missing when ${node === null ? "somebody" : name(node)} wrote ${value} without reading it.`
        : `A write to ${resource} is lost: when ${node === null ? "somebody" : name(node)} had written, ${value} were in it, and not ${expected}: ${missing} are missing.`,
    ({ resource, node = null, value, expected, missing, blind }) =>
      blind === true
        ? `In ${resource} ist etwas endgültig verloren: Es fehlten ${missing}, als ${node === null ? "jemand" : name(node)} ${value} schrieb, ohne vorher zu lesen.`
        : `In ${resource} ist etwas verloren: Als ${node === null ? "jemand" : name(node)} geschrieben hatte, stand dort ${value}, und nicht ${expected}: ${missing} fehlen.`,
    ({ resource, node = null, value, expected, missing, blind }) =>
      blind === true
        ? `Zápis do ${resource} se ztratil nadobro: chybělo ${missing}, když ${node === null ? "někdo" : name(node)} zapsal ${value} bez předchozího čtení.`
        : `Zápis do ${resource} se ztratil: když ${node === null ? "někdo" : name(node)} zapsal, bylo tam ${value}, a ne ${expected}: chybí ${missing}.`),
  "unguarded-write": sentence(
    ({ resource, node, lock }) => `${name(node)} wrote to ${resource} without being in the section of lock ${lock}.`,
    ({ resource, node, lock }) => `${name(node)} schrieb in ${resource}, ohne im Abschnitt von Lock ${lock} zu sein.`,
    ({ resource, node, lock }) => `${name(node)} zapsal do ${resource}, aniž by byl v sekci zámku ${lock}.`),
  "two-coordinators": ofLock(
    ({ first, second, term }) => `${names.en([first, second])} both take themselves for the coordinator of term ${term}.`,
    ({ first, second, term }) => `${names.de([first, second])} halten sich beide für den Koordinator der Amtszeit ${term}.`,
    ({ first, second, term }) => `${names.cs([first, second])} se oba mají za koordinátora období ${term}.`),
  "two-beliefs": ofLock(
    ({ term, node, leader, other, other_leader }) =>
      `In term ${term}, ${name(other)} takes ${name(other_leader)} for the coordinator and ${name(node)} takes ${name(leader)}.`,
    ({ term, node, leader, other, other_leader }) =>
      `In der Amtszeit ${term} hält ${name(other)} ${name(other_leader)} für den Koordinator und ${name(node)} ${name(leader)}.`,
    ({ term, node, leader, other, other_leader }) =>
      `V období ${term} má ${name(other)} za koordinátora ${name(other_leader)} a ${name(node)} ${name(leader)}.`),
  "older-term": ofLock(
    ({ node, leader, term, after: earlier }) =>
      `${name(node)} took ${name(leader)} for the coordinator of term ${term}, after it had had one of term ${earlier}.`,
    ({ node, leader, term, after: earlier }) =>
      `${name(node)} hielt ${name(leader)} für den Koordinator der Amtszeit ${term}, nachdem er schon einen der Amtszeit ${earlier} gehabt hatte.`,
    ({ node, leader, term, after: earlier }) =>
      `${name(node)} měl ${name(leader)} za koordinátora období ${term}, když už předtím měl koordinátora období ${earlier}.`),
  disagreement: ofLock(
    ({ leader, term, node, takes = null }) =>
      `${name(leader)} is the coordinator of term ${term}, but ${name(node)} ` +
      `${takes === null ? "knows no coordinator" : `takes ${name(takes)} for it`}, and nothing moves any more.`,
    ({ leader, term, node, takes = null }) =>
      `${name(leader)} ist Koordinator der Amtszeit ${term}, aber ${name(node)} ` +
      `${takes === null ? "kennt keinen" : `hält ${name(takes)} dafür`}, und nichts bewegt sich mehr.`,
    ({ leader, term, node, takes = null }) =>
      `${name(leader)} je koordinátorem období ${term}, ale ${name(node)} ` +
      `${takes === null ? "nezná žádného" : `má za něj ${name(takes)}`} a nic se už nehýbe.`),
  "nobody-elected": ofLock(
    ({ term }) => `The election of term ${term} has died: nothing moves any more, and nobody was elected.`,
    ({ term }) => `Die Wahl zur Amtszeit ${term} ist versandet: Nichts bewegt sich mehr, und niemand wurde gewählt.`,
    ({ term }) => `Volba období ${term} vyšuměla: nic se už nehýbe a nikdo nebyl zvolen.`),
  "dead-coordinator": ofLock(
    ({ leader, term, node, suspects }) =>
      `${name(leader)} is dead, and ${name(node)} keeps it as the coordinator of term ${term} although it ` +
      `${suspects ? "suspects it" : "has called an election since"}: nothing moves any more.`,
    ({ leader, term, node, suspects }) =>
      `${name(leader)} ist tot, und ${name(node)} behält ihn als Koordinator der Amtszeit ${term}, obwohl er ` +
      `${suspects ? "ihn für tot hält" : "seither eine Wahl ausgerufen hat"}: Nichts bewegt sich mehr.`,
    ({ leader, term, node, suspects }) =>
      `${name(leader)} je mrtvý a ${name(node)} ho má stále za koordinátora období ${term}, ačkoli ` +
      `${suspects ? "ho považuje za mrtvého" : "od té doby vyhlásil volbu"}: nic se už nehýbe.`),
  "result-unknown": ofLock(
    ({ term, node }) => `${name(node)} has called the election of term ${term} and knows no coordinator: nothing moves any more.`,
    ({ term, node }) =>
      `${name(node)} hat die Wahl zur Amtszeit ${term} ausgerufen und kennt keinen Koordinator: Nichts bewegt sich mehr.`,
    ({ term, node }) => `${name(node)} vyhlásil volbu období ${term} a nezná žádného koordinátora: nic se už nehýbe.`),
  cycle: sentence(
    ({ circle }) => circle &&
      `Deadlock: ${waitsOf(en, circle)}. All four conditions hold: exclusiveness, hold and wait, no preemption, circular wait.`,
    ({ circle }) => circle &&
      `Verklemmung: ${waitsOf(de, circle)}. Alle vier Bedingungen gelten: Ausschluss, Halten und Warten, kein Entzug, Warten im Kreis.`,
    ({ circle }) => circle &&
      `Uváznutí: ${waitsOf(cs, circle)}. Platí všechny čtyři podmínky: výlučnost, držení a čekání, bez odebrání, čekání v kruhu.`),
  "phantom-deadlock": sentence(
    ({ node, cycle, victim, gave_up }) =>
      `${name(node)} reports a deadlock of ${names.en(listIn(cycle))} that never was, and ${name(victim)} is to give up for nothing` +
      `${listIn(gave_up).length === 0 ? "" : `: ${names.en(gave_up)} had given up`}.`,
    ({ node, cycle, victim, gave_up }) =>
      `${name(node)} meldet eine Verklemmung von ${names.de(listIn(cycle))}, die es nie gab, und ${name(victim)} soll umsonst aufgeben` +
      `${listIn(gave_up).length === 0 ? "" : `: ${names.de(gave_up)} ${gave_up.length === 1 ? "hatte" : "hatten"} aufgegeben`}.`,
    ({ node, cycle, victim, gave_up }) =>
      `${name(node)} hlásí uváznutí uzlů ${names.cs(listIn(cycle))}, které nikdy nebylo, a ${name(victim)} se má zbytečně vzdát` +
      `${listIn(gave_up).length === 0 ? "" : `: mezitím se ${gave_up.length === 1 ? "vzdal" : "vzdaly"} ${names.cs(gave_up)}`}.`),
  "late-report": sentence(
    ({ node, cycle, victim }) =>
      `${name(node)} reports a deadlock of ${names.en(listIn(cycle))} that was broken already, and ${name(victim)} is to give up, too.`,
    ({ node, cycle, victim }) =>
      `${name(node)} meldet eine Verklemmung von ${names.de(listIn(cycle))}, die schon gelöst war, und auch ${name(victim)} soll aufgeben.`,
    ({ node, cycle, victim }) =>
      `${name(node)} hlásí uváznutí uzlů ${names.cs(listIn(cycle))}, které už bylo rozpleteno, a vzdát se má i ${name(victim)}.`),
  livelock: sentence(
    ({ aborts, nodes }) => `Livelock: requests of ${names.en(listIn(nodes))} were aborted ${aborts} times, and none was done with meanwhile.`,
    ({ aborts, nodes }) =>
      `Livelock: Anfragen von ${names.de(listIn(nodes))} wurden ${aborts}-mal abgebrochen, und keine wurde währenddessen fertig.`,
    ({ aborts, nodes }) => `Livelock: žádosti uzlů ${names.cs(listIn(nodes))} byly ${aborts}krát zrušeny a žádná mezitím nebyla dokončena.`),
  "starvation-by-aborts": sentence(
    ({ node, request, aborts, passed }) =>
      `${name(node)} starves: its request ${request} was aborted ${aborts} times while ${passed} others were done with.`,
    ({ node, request, aborts, passed }) =>
      `${name(node)} verhungert: seine Anfrage ${request} wurde ${aborts}-mal abgebrochen, während ${passed} andere fertig wurden.`,
    ({ node, request, aborts, passed }) =>
      `${name(node)} hladoví: jeho žádost ${request} byla zrušena ${aborts}krát, zatímco jiných bylo dokončeno ${passed}.`),
  "too-many": sentence(
    ({ lock, units, taken }) => `${taken} units of lock ${lock} were taken at the same time, and there are ${units}.`,
    ({ lock, units, taken }) => `${taken} Einheiten der Sperre ${lock} waren gleichzeitig vergeben, und es gibt ${units}.`,
    ({ lock, units, taken }) => `Jednotek zámku ${lock} bylo současně přiděleno ${taken}, a je jich ${units}.`),
  "two-values": sentence(
    ({ instance, first, second }) => `Two values were chosen in instance ${instance}: “${first}”, and then “${second}”.`,
    ({ instance, first, second }) => `In Instanz ${instance} wurden zwei Werte gewählt: „${first}“, und dann „${second}“.`,
    ({ instance, first, second }) => `V instanci ${instance} byly vybrány dvě hodnoty: „${first}“ a pak „${second}“.`),
  "not-proposed": sentence(
    ({ node, instance, value }) => `${name(node)} learnt that “${value}” was chosen in instance ${instance}, which nobody had proposed.`,
    ({ node, instance, value }) =>
      `${name(node)} lernte, dass in Instanz ${instance} „${value}“ gewählt sei, was niemand vorgeschlagen hatte.`,
    ({ node, instance, value }) => `${name(node)} se dozvěděl, že v instanci ${instance} bylo vybráno „${value}“, což nikdo nenavrhl.`),
  "broken-promise": sentence(
    ({ node, promised, accepted }) => `${name(node)} broke its promise: it accepted number ${accepted}, and had promised ${promised}.`,
    ({ node, promised, accepted }) =>
      `${name(node)} brach sein Versprechen: akzeptiert hat er Nummer ${accepted}, versprochen war ${promised}.`,
    ({ node, promised, accepted }) => `${name(node)} porušil slib: přijal číslo ${accepted}, a slíbil ${promised}.`),
  "not-linearizable": sentence(
    ({ node, key, operation, response }) =>
      `Key ${key} is not linearizable: there is no order of what was done to it, each between its beginning and its end, in ` +
      `which ${name(node)} asks for “${partsOf(operation)}” and is answered “${partsOf(response)}”.`,
    ({ node, key, operation, response }) =>
      `Schlüssel ${key} ist nicht linearisierbar: Es gibt keine Reihenfolge dessen, was mit ihm geschah, jedes zwischen seinem ` +
      `Anfang und seinem Ende, in der ${name(node)} „${partsOf(operation)}“ verlangt und „${partsOf(response)}“ zur Antwort hat.`,
    ({ node, key, operation, response }) =>
      `Klíč ${key} není linearizovatelný: neexistuje pořadí toho, co se s ním dělo, každé mezi svým začátkem a koncem, v němž ` +
      `${name(node)} žádá „${partsOf(operation)}“ a dostane odpověď „${partsOf(response)}“.`),
  "other-echo": sentence(
    ({ node, said, heard }) => `${name(node)} said “${said}”, and heard “${heard}” as its echo.`,
    ({ node, said, heard }) => `${name(node)} sagte „${said}“ und hörte „${heard}“ als Echo.`,
    ({ node, said, heard }) => `${name(node)} řekl „${said}“ a jako ozvěnu slyšel „${heard}“.`),
  "same-id": sentence(
    ({ node, id }) => `${name(node)} was given the name ${id}, which had been given before.`,
    ({ node, id }) => `${name(node)} bekam den Namen ${id}, der schon vergeben war.`,
    ({ node, id }) => `${name(node)} dostal jméno ${id}, které už bylo přiděleno.`),
  "unheard-value": sentence(
    ({ node, value }) => `${name(node)} has the value ${value}, which nobody broadcast.`,
    ({ node, value }) => `${name(node)} hat den Wert ${value}, den niemand verbreitet hat.`,
    ({ node, value }) => `${name(node)} má hodnotu ${value}, kterou nikdo nerozeslal.`),
  "forgotten-value": sentence(
    ({ node, value }) => `${name(node)} has forgotten the value ${value}, which it had, though it has not died meanwhile.`,
    ({ node, value }) =>
      `${name(node)} hat den Wert ${value} vergessen, den er hatte, obwohl er inzwischen nicht gestorben ist.`,
    ({ node, value }) => `${name(node)} zapomněl hodnotu ${value}, kterou měl, ačkoli mezitím nezemřel.`),
  duel: sentence(
    ({ instance, proposers, ballots }) =>
      `Livelock: ${names.en(listIn(proposers))} are in each other’s way in instance ${instance}: ${ballots} ballots had enough ` +
      `promises, and nothing is chosen.`,
    ({ instance, proposers, ballots }) =>
      `Livelock: ${names.de(listIn(proposers))} stehen einander in Instanz ${instance} im Weg: ${ballots} Ballots hatten genug ` +
      `Versprechen, und nichts ist gewählt.`,
    ({ instance, proposers, ballots }) =>
      `Livelock: ${names.cs(listIn(proposers))} si navzájem překážejí v instanci ${instance}: ${ballots} hlasování mělo dost ` +
      `příslibů, a nic není vybráno.`),
  undecided: sentence(
    ({ instance }) => `Nothing moves any more, and nothing was chosen in instance ${instance}, though enough acceptors are alive.`,
    ({ instance }) => `Nichts bewegt sich mehr, und in Instanz ${instance} ist nichts gewählt, obwohl genug Akzeptoren leben.`,
    ({ instance }) => `Nic se už nehýbe a v instanci ${instance} není nic vybráno, ačkoli žije dost akceptorů.`),
  failed: sentence(
    ({ why }) => `The run ended before its time, and nobody knows how it would have gone on: ${why}.`,
    ({ why }) => `Der Lauf endete vor der Zeit, und niemand weiß, wie er weitergegangen wäre: ${why}.`,
    ({ why }) => `Běh skončil předčasně a nikdo neví, jak by pokračoval: ${why}.`),
  slow: sentence(
    ({ node, lock, waited_ms }) =>
      `${name(node)} has been waiting for lock ${lock} for ${seconds(waited_ms)}, though something still moves.`,
    ({ node, lock, waited_ms }) => `${name(node)} wartet seit ${seconds(waited_ms)} auf Sperre ${lock}, aber noch bewegt sich etwas.`,
    ({ node, lock, waited_ms }) => `${name(node)} čeká na zámek ${lock} už ${seconds(waited_ms)}, ale něco se ještě hýbe.`),
  "delay-beyond-time-out": sentence(
    ({ parameter, value_ms, needed_ms, longest_delay_ms, bounded, messages, risk }) =>
      `\`${parameter}\` is ${value_ms} ms and should be longer than ${needed_ms} ms: ${messages} messages must arrive within ` +
      `it, one after the other, and each can take ${bounded ? "" : "(all but one in a thousand) "}up to ${longest_delay_ms} ms. ` +
      (risk === "safety" ? "Rules may be broken, though the algorithm is right." : "It may not get on."),
    ({ parameter, value_ms, needed_ms, longest_delay_ms, bounded, messages, risk }) =>
      `\`${parameter}\` ist ${value_ms} ms und sollte länger als ${needed_ms} ms sein: ${messages} Nachrichten müssen ` +
      `nacheinander darin ankommen, und jede kann ${bounded ? "" : "(bis auf eine von tausend) "}bis zu ${longest_delay_ms} ms ` +
      "brauchen. " +
      (risk === "safety"
        ? "Regeln können verletzt werden, obwohl der Algorithmus richtig ist."
        : "Er kommt vielleicht nicht voran."),
    ({ parameter, value_ms, needed_ms, longest_delay_ms, bounded, messages, risk }) =>
      `\`${parameter}\` je ${value_ms} ms a má být delší než ${needed_ms} ms: musí během něj po sobě dojít ` +
      `${counted(messages, "zpráva", "zprávy", "zpráv")} a každá může trvat ${bounded ? "" : "(až na jednu z tisíce) "}až ` +
      `${longest_delay_ms} ms. ` +
      (risk === "safety" ? "Pravidla mohou být porušena, ačkoli je algoritmus správný." : "Nemusí jít vpřed.")),
  quiescent: madeOf((words, is) => {
    const nodes = waitingIn(is);
    if (nodes === undefined) return undefined;
    const { dead = [], inside = [] } = is;
    const hopeless = inside.length > 0 ? `${words.hopeless} ${words.inside(inside)}` : words.forEver;
    return `${words.wait(nodes)} ${hopeless}${dead.length > 0 ? ` ${words.dead(dead)}` : ""}`;
  }),
  "needs-a-hand": madeOf((words, is) => {
    const nodes = waitingIn(is);
    if (nodes === undefined) return undefined;
    const { held = 0, paused = [], in_section = [], timers = [], cut_off = [] } = is;
    const { electing = [], undecided = [], cycle = [] } = is;
    const open = electing.length > 0 ? words.electing(electing) : words.undecided(undecided);
    const hands = [
      held > 0 && words.deliver(held),
      paused.length > 0 && words.resume(paused),
      in_section.length > 0 && words.release(in_section),
      timers.length > 0 && words.timers(timers),
      cut_off.length > 0 && words.heal(cut_off),
    ].filter((hand) => hand !== false);
    const said = `${nodes.length > 0 ? words.wait(nodes) : open} ${words.until} ${hands.join(words.or)}.`;
    return cycle.length > 0 ? `${said} ${words.inACycle(waitsOf(words, cycle))}` : said;
  }),
};
