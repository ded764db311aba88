/**
 * Titles of the monitors, and sentences that explain why a verdict is not good, and how a property was violated.
 * There is a title for each name, and a sentence for each code of the server.
 */

import { counted, name, names, partsOf } from "./lists.js";
import { phrase, Said, say, sentenceOf, wordsIn } from "./say.js";

/** @typedef {Record<string, any>} Arguments The values that the server sends with a code. */
/**
 * @typedef {(is: Arguments) => string | undefined} Sentence Returns the sentence for the given arguments. If an
 *   argument is missing, returns undefined.
 * @typedef {Sentence | string} Told A sentence, or a text with a place for each argument.
 */

/** Combines a sentence in English, German and Czech. @param {Told} en @param {Told} de @param {Told} cs */
const sentence = (en, de, cs) => new Said(made(en), made(de), made(cs));

/** @param {Told} said @returns {Sentence} */
const made = (said) => (typeof said === "string" ? sentenceOf(said) : said);

/**
 * Combines a sentence in English, German and Czech. If the arguments contain the number of a lock, the sentence
 * begins with the lock.
 *
 * @param {Told} en
 * @param {Told} de
 * @param {Told} cs
 */
const ofLock = (en, de, cs) => sentence(after("Lock", made(en)), after("Sperre", made(de)), after("Zámek", made(cs)));

/** @param {string} word @param {Sentence} said @returns {Sentence} */
const after = (word, said) => (is) => (is["lock"] === undefined ? said(is) : `${word} ${is["lock"]}: ${said(is)}`);

/**
 * Returns a value as a list of nodes. A faulty file of another program may contain a value that is not a list; the
 * result is then empty.
 *
 * @param {unknown} value
 * @returns {number[]}
 */
const listIn = (value) => (Array.isArray(value) ? value : []);

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** Phrases that several longer sentences share. */
const phrases = {
  wait: say((/** @type {number[]} */ nodes) => `${names.en(nodes)} ${nodes.length === 1 ? "waits" : "wait"}`,
    (nodes) => `${names.de(nodes)} ${nodes.length === 1 ? "wartet" : "warten"}`,
    (nodes) => `${names.cs(nodes)} ${nodes.length === 1 ? "čeká" : "čekají"}`),
  waitsFor: say((/** @type {number} */ node, /** @type {number} */ lock, /** @type {number} */ on) =>
      `${name(node)} waits for lock ${lock}, held by ${name(on)}`,
    (node, lock, on) => `${name(node)} wartet auf Sperre ${lock}, die ${name(on)} hält`,
    (node, lock, on) => `${name(node)} čeká na zámek ${lock}, který drží ${name(on)}`),
  forEver: say("forever: no message is in transit, no timer is set, and no process is in the critical section.",
    "für immer: Keine Nachricht ist unterwegs, kein Wecker ist gestellt, und kein Prozess ist im kritischen Abschnitt.",
    "navždy: žádná zpráva není na cestě, žádný časovač neběží a žádný proces není v kritické sekci."),
  // Used for a run in which a process stays in a critical section.
  hopeless: say("forever: no message is in transit, and no timer is set.",
    "für immer: Keine Nachricht ist unterwegs, und kein Wecker ist gestellt.",
    "navždy: žádná zpráva není na cestě a žádný časovač neběží."),
  inside: say((/** @type {{ node: number, lock: number }[]} */ inside) =>
      `In a critical section: ${inside.map(({ node, lock }) => `${name(node)} (lock ${lock})`).join(", ")}.`,
    (inside) => `Im kritischen Abschnitt: ${inside.map(({ node, lock }) => `${name(node)} (Sperre ${lock})`).join(", ")}.`,
    (inside) => `V kritické sekci: ${inside.map(({ node, lock }) => `${name(node)} (zámek ${lock})`).join(", ")}.`),
  dead: say((/** @type {number[]} */ nodes) => `${names.en(nodes)} ${nodes.length === 1 ? "has" : "have"} crashed.`,
    (nodes) => `${names.de(nodes)} ${nodes.length === 1 ? "ist" : "sind"} abgestürzt.`,
    (nodes) => `${names.cs(nodes)} ${nodes.length === 1 ? "havaroval" : "havarovaly"}.`),
  electing: say((/** @type {number[]} */ nodes) =>
      `${names.en(nodes)} ${nodes.length === 1 ? "waits" : "wait"} for the end of an election`,
    (nodes) => `${names.de(nodes)} ${nodes.length === 1 ? "wartet" : "warten"} auf das Ende einer Wahl`,
    (nodes) => `${names.cs(nodes)} ${nodes.length === 1 ? "čeká" : "čekají"} na konec volby`),
  undecided: say((/** @type {number[]} */ instances) => `No value has been chosen yet in instance ${instances.join(", ")}`,
    (instances) => `In Instanz ${instances.join(", ")} ist noch kein Wert gewählt`,
    (instances) => `V instanci ${instances.join(", ")} ještě není vybrána žádná hodnota`),
  until: say(", and nothing happens until you", ", und nichts geschieht, bis Sie", " a samo se nic nestane:"),
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
  timers: say((/** @type {number[]} */ nodes) => `let a timer expire at ${names.en(nodes)}`,
    (nodes) => `einen Wecker von ${names.de(nodes)} ablaufen lassen`,
    (nodes) => `nechte vypršet časovač uzlu ${names.cs(nodes)}`),
  heal: say((/** @type {number[]} */ nodes) => `heal the partition that isolates ${names.en(nodes)}`,
    (nodes) => `die Partition aufheben, die ${names.de(nodes)} isoliert`,
    (nodes) => `zrušte rozdělení sítě, které izoluje ${names.cs(nodes)}`),
  // Conditions of a recorded run, or of the past of a run, in which the user cannot give orders.
  untilThat: say(", and nothing happens until", ", und nichts geschieht, bis", " a nic se nestane, dokud"),
  delivered: say((/** @type {number} */ count) =>
      count === 1 ? "the held message is delivered" : `one of the ${count} held messages is delivered`,
    (count) => count === 1
      ? "die festgehaltene Nachricht zugestellt wird"
      : `eine der ${count} festgehaltenen Nachrichten zugestellt wird`,
    (count) => count === 1
      ? "nebude doručena zadržená zpráva"
      : `nebude doručena jedna z ${counted(count, "zadržené zprávy", "zadržených zpráv", "zadržených zpráv")}`),
  resumed: say((/** @type {number[]} */ nodes) => `${names.en(nodes)} ${nodes.length === 1 ? "is" : "are"} resumed`,
    (nodes) => `${names.de(nodes)} fortgesetzt ${nodes.length === 1 ? "wird" : "werden"}`,
    (nodes) => `${nodes.length === 1 ? "nebude" : "nebudou"} pokračovat ${names.cs(nodes)}`),
  released: say((/** @type {number[]} */ nodes) => `${names.en(nodes)} ${nodes.length === 1 ? "releases its lock" : "release their locks"}`,
    (nodes) => `${names.de(nodes)} die Sperre ${nodes.length === 1 ? "freigibt" : "freigeben"}`,
    (nodes) => `${names.cs(nodes)} neuvolní zámek`),
  expired: say((/** @type {number[]} */ nodes) => `a timer of ${names.en(nodes)} expires`,
    (nodes) => `ein Wecker von ${names.de(nodes)} abläuft`,
    (nodes) => `nevyprší časovač uzlu ${names.cs(nodes)}`),
  healed: say((/** @type {number[]} */ nodes) => `the partition that isolates ${names.en(nodes)} is healed`,
    (nodes) => `die Partition aufgehoben wird, die ${names.de(nodes)} isoliert`,
    (nodes) => `nebude zrušeno rozdělení sítě, které izoluje ${names.cs(nodes)}`),
  or: say(", or ", ", oder ", ", nebo "),
  inACycle: phrase("They wait in a cycle: {waits}.", "Sie warten im Kreis: {waits}.", "Čekají v kruhu: {waits}."),
};

/** @typedef {import("./say.js").In<typeof phrases>} Phrases */
const [en, de, cs] = [wordsIn(phrases, "en"), wordsIn(phrases, "de"), wordsIn(phrases, "cs")];

/**
 * Makes a sentence from phrases, in all three languages.
 *
 * @param {(words: Phrases, is: Arguments) => string | undefined} made
 */
const madeOf = (made) => sentence((is) => made(en, is), (is) => made(de, is), (is) => made(cs, is));

/** @param {Phrases} phrases @param {{ node: number, lock: number, on: number }[]} cycle */
const waitsOf = ({ waitsFor }, cycle) => cycle.map(({ node, lock, on }) => waitsFor(node, lock, on)).join("; ");

/** Returns the phrases for what must happen, in place of those for what the user can do. @param {Phrases} words */
const happeningIn = ({ untilThat, delivered, resumed, released, expired, healed }) =>
  ({ until: untilThat, deliver: delivered, resume: resumed, release: released, timers: expired, heal: healed });

/** @param {Arguments} is @returns {number[] | undefined} */
const waitingIn = ({ waiting }) => waiting?.map((/** @type {{ node: number }} */ { node }) => node);

/** The titles of the monitors, by name. */
export const monitors = {
  "mutual-exclusion": say("Mutual exclusion", "Gegenseitiger Ausschluss", "Vzájemné vyloučení"),
  "real-time": say("Real time", "Echtzeit", "Reálný čas"),
  fencing: say("Fencing tokens", "Fencing-Token", "Fencing tokeny"),
  order: say("Order", "Reihenfolge", "Pořadí"),
  "timestamp-order": say("Timestamp order", "Reihenfolge der Zeitstempel", "Pořadí časových značek"),
  "real-time-order": say("Order of real time", "Reihenfolge der Echtzeit", "Pořadí skutečného času"),
  progress: say("Progress", "Fortschritt", "Pokrok"),
  tokens: say("Tokens", "Token", "Token"),
  resource: say("Resource", "Ressource", "Prostředek"),
  leaders: say("Coordinators", "Koordinatoren", "Koordinátoři"),
  deadlocks: say("Deadlock", "Verklemmung", "Uváznutí"),
  livelock: say("Livelock", "Livelock", "Livelock"),
  capacity: say("Units", "Einheiten", "Jednotky"),
  agreement: say("Agreement", "Einigung", "Dohoda"),
  stuck: say("Stuck", "Blockiert", "Zablokování"),
  broadcast: say("Broadcast", "Broadcast", "Broadcast"),
  echo: say("Echo", "Echo", "Ozvěna"),
  linearizability: say("Linearizability", "Linearisierbarkeit", "Linearizovatelnost"),
  "unique-ids": say("Unique IDs", "Eindeutige IDs", "Jedinečná ID"),
};

/**
 * Returns the sentence about a message that overtook another one, if there is one.
 *
 * @param {import("./phenomena.js").Overtaking | undefined} is
 * @param {(later: string, first: string) => string} words
 */
const overtook = (is, words) => (is === undefined ? "" : ` ${words(is.later.message_kind, is.first.message_kind)}`);

/** The sentences by code. @type {Record<string, Said<Sentence>>} */
export const because = {
  "concurrent-sections": sentence(
    ({ lock, first, second, apart_us, overtaking }) =>
      `${names.en([first, second])} were in the critical section of lock ${lock} ${
        apart_us === undefined
          ? "at the same time: neither left before the other entered."
          : "one after the other, but neither knew that the other had left."
      }${overtook(overtaking, (later, earlier) => `The ${later} overtook the ${earlier}.`)}`,
    ({ lock, first, second, apart_us, overtaking }) =>
      `${names.de([first, second])} waren ${apart_us === undefined ? "gleichzeitig" : "nacheinander"} im kritischen Abschnitt der Sperre ${lock}${
        apart_us === undefined
          ? ": Keiner verließ ihn, bevor der andere ihn betrat."
          : ", doch keiner wusste, dass der andere ihn verlassen hatte."
      }${overtook(overtaking, (later, earlier) => `${later} hat ${earlier} überholt.`)}`,
    ({ lock, first, second, apart_us, overtaking }) =>
      `${names.cs([first, second])} byly ${apart_us === undefined ? "současně" : "po sobě"} v kritické sekci zámku ${lock}${
        apart_us === undefined
          ? ": žádný ji neopustil dřív, než druhý vstoupil."
          : ", ale žádný nevěděl, že ji ten druhý opustil."
      }${overtook(overtaking, (later, earlier) => `${later} předběhl ${earlier}.`)}`),
  "overlapping-sections": sentence(
    "By the machine’s clock, {second} entered the critical section of lock {lock} before {first} had left.",
    "Nach der Uhr der Maschine betrat {second} den kritischen Abschnitt der Sperre {lock}, bevor {first} ihn verlassen hatte.",
    "Podle hodin počítače vstoupil {second} do kritické sekce zámku {lock} dřív, než ji {first} opustil."),
  "token-not-greater": sentence(
    "The fencing token of {second} for lock {lock} is {later}, which is not greater than {earlier}, the token of {first} in an earlier entry.",
    "Das Fencing-Token von {second} für Sperre {lock} ist {later} und damit nicht größer als {earlier}, das Token von {first} bei einem früheren Eintritt.",
    "Fencing token uzlu {second} pro zámek {lock} je {later}, a není tedy větší než {earlier}, token uzlu {first} při dřívějším vstupu."),
  "granted-out-of-order": sentence(
    "{second} entered the critical section of lock {lock} before {first}, whose request happened before its own.",
    "{second} betrat den kritischen Abschnitt der Sperre {lock} vor {first}, obwohl dessen Anfrage der eigenen vorausging.",
    "{second} vstoupil do kritické sekce zámku {lock} dříve než {first}, jehož žádost předcházela jeho vlastní."),
  "larger-timestamp-first": sentence(
    "{second} entered the critical section of lock {lock} before {first}, whose waiting request has the smaller timestamp: ({smaller}, {first}) < ({larger}, {second}).",
    "{second} betrat den kritischen Abschnitt der Sperre {lock} vor {first}, dessen wartende Anfrage den kleineren Zeitstempel hat: ({smaller}, {first}) < ({larger}, {second}).",
    "{second} vstoupil do kritické sekce zámku {lock} dříve než {first}, jehož čekající žádost má menší časovou značku: ({smaller}, {first}) < ({larger}, {second})."),
  "later-request-first": sentence(
    "{second} entered the critical section of lock {lock} before {first}, which had requested it earlier by the machine’s clock.",
    "{second} betrat den kritischen Abschnitt der Sperre {lock} vor {first}, der ihn nach der Uhr der Maschine früher angefordert hatte.",
    "{second} vstoupil do kritické sekce zámku {lock} dříve než {first}, který o ni podle hodin počítače požádal dříve."),
  starvation: sentence(
    "{node} starves: other processes have entered the critical section {passed} times since its request for lock {lock} arrived.",
    "{node} verhungert: Andere Prozesse haben den kritischen Abschnitt {passed}-mal betreten, seit seine Anfrage für Sperre {lock} ankam.",
    "{node} hladoví: od doručení jeho žádosti o zámek {lock} vstoupily jiné procesy do kritické sekce již {passed}krát."),
  "nobody-enters": ofLock(
    ({ waiting, lasted_ms, died = null }) =>
      `${en.wait(listIn(waiting))}, and no process has been in a critical section for ${seconds(lasted_ms)}, although timers expire again and again.` +
      (died === null ? "" : ` ${name(died)} crashed in a critical section.`),
    ({ waiting, lasted_ms, died = null }) =>
      `${de.wait(listIn(waiting))}, und seit ${seconds(lasted_ms)} war kein Prozess in einem kritischen Abschnitt, obwohl immer wieder Wecker ablaufen.` +
      (died === null ? "" : ` ${name(died)} ist in einem kritischen Abschnitt abgestürzt.`),
    ({ waiting, lasted_ms, died = null }) =>
      `${cs.wait(listIn(waiting))} a už ${seconds(lasted_ms)} nebyl žádný proces v kritické sekci, ačkoli časovače opakovaně vypršely.` +
      (died === null ? "" : ` ${name(died)} v kritické sekci havaroval.`)),
  "second-token": ofLock(
    "{node} sent a token that it did not have: there are two tokens.",
    "{node} hat ein Token gesendet, das er nicht hatte: Es gibt zwei Token.",
    "{node} odeslal token, který neměl: existují dva tokeny."),
  "copied-token": ofLock(
    "The token in transit from {from} to {to} was duplicated: there are two tokens.",
    "Das Token auf dem Weg von {from} zu {to} wurde dupliziert: Es gibt zwei Token.",
    "Token na cestě od {from} k {to} byl zduplikován: existují dva tokeny."),
  "lost-token": ofLock(
    "The token was lost in transit from {from} to {to}.",
    "Das Token ging auf dem Weg von {from} zu {to} verloren.",
    "Token se na cestě od {from} k {to} ztratil."),
  "lost-write": sentence(
    ({ resource, node = null, value, expected, missing, blind }) =>
      blind === true
        ? `A write to ${resource} is lost for good: ${missing} were missing when ` +
          `${node === null ? "an external writer" : name(node)} wrote ${value} without first reading it.`
        : `A write to ${resource} is lost: ${node === null ? "an external writer" : name(node)} left the value ${value} instead of ${expected}, so ${missing} are missing.`,
    ({ resource, node = null, value, expected, missing, blind }) =>
      blind === true
        ? `Ein Schreibvorgang in ${resource} ist endgültig verloren: Es fehlten ${missing}, als ` +
          `${node === null ? "jemand von außen" : name(node)} ${value} schrieb, ohne vorher zu lesen.`
        : `Ein Schreibvorgang in ${resource} ist verloren: ${node === null ? "Jemand von außen" : name(node)} hinterließ ` +
          `den Wert ${value} statt ${expected}, es fehlen also ${missing}.`,
    ({ resource, node = null, value, expected, missing, blind }) =>
      blind === true
        ? `Zápis do ${resource} se ztratil nadobro: chybělo ${missing}, když ${node === null ? "někdo zvenčí" : name(node)} zapsal ${value} bez předchozího čtení.`
        : `Zápis do ${resource} se ztratil: ${node === null ? "někdo zvenčí" : name(node)} po sobě zanechal hodnotu ${value} místo ${expected}, takže chybí ${missing}.`),
  "unguarded-write": sentence(
    "{node} wrote to {resource} outside the critical section of lock {lock}.",
    "{node} schrieb in {resource}, ohne im kritischen Abschnitt der Sperre {lock} zu sein.",
    "{node} zapsal do {resource}, aniž byl v kritické sekci zámku {lock}."),
  "two-coordinators": ofLock(
    ({ first, second, term }) => `${names.en([first, second])} both consider themselves the coordinator of term ${term}.`,
    ({ first, second, term }) => `${names.de([first, second])} halten sich beide für den Koordinator der Amtszeit ${term}.`,
    ({ first, second, term }) => `${names.cs([first, second])} se oba mají za koordinátora období ${term}.`),
  "two-beliefs": ofLock(
    "In term {term}, {other} accepts {other_leader} as the coordinator, but {node} accepts {leader}.",
    "In der Amtszeit {term} hält {other} {other_leader} für den Koordinator, {node} dagegen {leader}.",
    "V období {term} má {other} za koordinátora {other_leader}, kdežto {node} {leader}."),
  "older-term": ofLock(
    "{node} accepted {leader} as the coordinator of term {term} after it had accepted one of term {after}.",
    "{node} hielt {leader} für den Koordinator der Amtszeit {term}, nachdem er schon einen der Amtszeit {after} gehabt hatte.",
    "{node} měl {leader} za koordinátora období {term}, když už předtím měl koordinátora období {after}."),
  disagreement: ofLock(
    ({ leader, term, node, takes = null }) =>
      `${name(leader)} is the coordinator of term ${term}, but ${name(node)} ` +
      `${takes === null ? "knows no coordinator" : `accepts ${name(takes)} instead`}, and no further step is possible.`,
    ({ leader, term, node, takes = null }) =>
      `${name(leader)} ist Koordinator der Amtszeit ${term}, aber ${name(node)} ` +
      `${takes === null ? "kennt keinen" : `hält ${name(takes)} dafür`}, und kein weiterer Schritt ist möglich.`,
    ({ leader, term, node, takes = null }) =>
      `${name(leader)} je koordinátorem období ${term}, ale ${name(node)} ` +
      `${takes === null ? "nezná žádného" : `má za něj ${name(takes)}`} a žádný další krok není možný.`),
  "nobody-elected": ofLock(
    "The election of term {term} is stuck: no further step is possible, and no coordinator was elected.",
    "Die Wahl zur Amtszeit {term} steckt fest: Kein weiterer Schritt ist möglich, und kein Koordinator wurde gewählt.",
    "Volba období {term} uvázla: žádný další krok není možný a žádný koordinátor nebyl zvolen."),
  "dead-coordinator": ofLock(
    ({ leader, term, node, suspects }) =>
      `${name(leader)} has crashed, but ${name(node)}, which ${suspects ? "suspects it" : "has called an election since"}, ` +
      `still accepts it as the coordinator of term ${term}. No further step is possible.`,
    ({ leader, term, node, suspects }) =>
      `${name(leader)} ist abgestürzt, aber ${name(node)} hält ihn weiter für den Koordinator der Amtszeit ${term}, obwohl er ` +
      `${suspects ? "ihn verdächtigt" : "seither eine Wahl ausgerufen hat"}. Kein weiterer Schritt ist möglich.`,
    ({ leader, term, node, suspects }) =>
      `${name(leader)} havaroval, ale ${name(node)} ho má stále za koordinátora období ${term}, ačkoli ` +
      `${suspects ? "ho podezírá" : "od té doby vyhlásil volbu"}. Žádný další krok není možný.`),
  "result-unknown": ofLock(
    "{node} called the election of term {term} but knows no coordinator, and no further step is possible.",
    "{node} hat die Wahl zur Amtszeit {term} ausgerufen, kennt aber keinen Koordinator, und kein weiterer Schritt ist möglich.",
    "{node} vyhlásil volbu období {term}, ale nezná žádného koordinátora a žádný další krok není možný."),
  cycle: sentence(
    ({ circle }) => circle &&
      `Deadlock: ${waitsOf(en, circle)}. All four conditions hold: mutual exclusion, hold and wait, no preemption, circular wait.`,
    ({ circle }) => circle &&
      `Verklemmung: ${waitsOf(de, circle)}. Alle vier Bedingungen gelten: gegenseitiger Ausschluss, Halten und Warten, kein Entzug, zyklisches Warten.`,
    ({ circle }) => circle &&
      `Uváznutí: ${waitsOf(cs, circle)}. Platí všechny čtyři podmínky: vzájemné vyloučení, držení a čekání, neodnímatelnost, kruhové čekání.`),
  "phantom-deadlock": sentence(
    ({ node, cycle, victim, gave_up }) =>
      `${name(node)} reports a deadlock of ${names.en(listIn(cycle))} that never existed, and ${name(victim)} must give up needlessly` +
      `${listIn(gave_up).length === 0 ? "" : `: ${names.en(gave_up)} had already given up`}.`,
    ({ node, cycle, victim, gave_up }) =>
      `${name(node)} meldet eine Verklemmung von ${names.de(listIn(cycle))}, die es nie gab, und ${name(victim)} muss umsonst aufgeben` +
      `${listIn(gave_up).length === 0 ? "" : `: ${names.de(gave_up)} ${gave_up.length === 1 ? "hatte" : "hatten"} schon aufgegeben`}.`,
    ({ node, cycle, victim, gave_up }) =>
      `${name(node)} hlásí uváznutí uzlů ${names.cs(listIn(cycle))}, které nikdy nenastalo, a ${name(victim)} se musí zbytečně vzdát` +
      `${listIn(gave_up).length === 0 ? "" : `: předtím se už ${gave_up.length === 1 ? "vzdal" : "vzdaly"} ${names.cs(gave_up)}`}.`),
  "late-report": sentence(
    ({ node, cycle, victim }) =>
      `${name(node)} reports a deadlock of ${names.en(listIn(cycle))} that was already broken, and ${name(victim)} must give up as well.`,
    ({ node, cycle, victim }) =>
      `${name(node)} meldet eine Verklemmung von ${names.de(listIn(cycle))}, die schon gelöst war, und auch ${name(victim)} muss aufgeben.`,
    ({ node, cycle, victim }) =>
      `${name(node)} hlásí uváznutí uzlů ${names.cs(listIn(cycle))}, které už bylo odstraněno, a vzdát se musí i ${name(victim)}.`),
  livelock: sentence(
    ({ aborts, nodes }) => `Livelock: requests of ${names.en(listIn(nodes))} were aborted ${aborts} times, and none was completed in the meantime.`,
    ({ aborts, nodes }) =>
      `Livelock: Anfragen von ${names.de(listIn(nodes))} wurden ${aborts}-mal abgebrochen, und keine wurde währenddessen fertig.`,
    ({ aborts, nodes }) => `Livelock: žádosti uzlů ${names.cs(listIn(nodes))} byly ${aborts}krát zrušeny a žádná mezitím nebyla dokončena.`),
  "starvation-by-aborts": sentence(
    "{node} starves: its request {request} was aborted {aborts} times while {passed} others were completed.",
    "{node} verhungert: seine Anfrage {request} wurde {aborts}-mal abgebrochen, während {passed} andere fertig wurden.",
    "{node} hladoví: jeho žádost {request} byla zrušena {aborts}krát, zatímco jiných bylo dokončeno {passed}."),
  "too-many": sentence(
    "{taken} units of lock {lock} were in use at the same time, but it has only {units}.",
    "{taken} Einheiten der Sperre {lock} waren gleichzeitig vergeben, aber es gibt nur {units}.",
    "Jednotek zámku {lock} bylo současně přiděleno {taken}, ale je jich jen {units}."),
  "two-values": sentence(
    "Two values were chosen in instance {instance}: “{first}”, and then “{second}”.",
    "In Instanz {instance} wurden zwei Werte gewählt: „{first}“, und dann „{second}“.",
    "V instanci {instance} byly vybrány dvě hodnoty: „{first}“ a pak „{second}“."),
  "not-proposed": sentence(
    "{node} learnt that “{value}” was chosen in instance {instance}, although it had not been proposed.",
    "{node} erfuhr, dass in Instanz {instance} „{value}“ gewählt ist, obwohl das nicht vorgeschlagen worden war.",
    "{node} se dozvěděl, že v instanci {instance} bylo vybráno „{value}“, ačkoli to nebylo navrženo."),
  "broken-promise": sentence(
    "{node} broke its promise: it accepted ballot {accepted} after it had promised ballot {promised}.",
    "{node} brach sein Versprechen: Er akzeptierte Ballot {accepted}, nachdem er Ballot {promised} versprochen hatte.",
    "{node} porušil slib: přijal hlasování {accepted}, ačkoli už slíbil {promised}."),
  "not-linearizable": sentence(
    ({ node, key, operation, response }) =>
      `Key ${key} is not linearizable: there is no order of the operations on it, each between its invocation and its response, ` +
      `in which ${name(node)} asks for “${partsOf(operation)}” and is answered “${partsOf(response)}”.`,
    ({ node, key, operation, response }) =>
      `Schlüssel ${key} ist nicht linearisierbar: Es gibt keine Reihenfolge der Operationen auf ihm, jede zwischen ihrem ` +
      `Aufruf und ihrer Antwort, in der ${name(node)} „${partsOf(operation)}“ verlangt und „${partsOf(response)}“ zur Antwort erhält.`,
    ({ node, key, operation, response }) =>
      `Klíč ${key} není linearizovatelný: neexistuje pořadí operací nad ním, každé mezi jejím vyvoláním a odpovědí, v němž ` +
      `${name(node)} žádá „${partsOf(operation)}“ a dostane odpověď „${partsOf(response)}“.`),
  "other-echo": sentence(
    "{node} asked for the echo of “{said}” and received “{heard}”.",
    "{node} bat um das Echo von „{said}“ und erhielt „{heard}“.",
    "{node} požádal o ozvěnu „{said}“ a dostal „{heard}“."),
  "same-id": sentence(
    "{node} received the ID {id}, which had already been assigned.",
    "{node} erhielt die ID {id}, die schon vergeben war.",
    "{node} dostal ID {id}, které už bylo přiděleno."),
  "unheard-value": sentence(
    "{node} has the value {value}, which was never broadcast.",
    "{node} hat den Wert {value}, der nie verbreitet wurde.",
    "{node} má hodnotu {value}, která nebyla nikdy rozeslána."),
  "forgotten-value": sentence(
    "{node} no longer has the value {value}, although it has not crashed in the meantime.",
    "{node} hat den Wert {value} nicht mehr, obwohl er inzwischen nicht abgestürzt ist.",
    "{node} už nemá hodnotu {value}, ačkoli mezitím nehavaroval."),
  duel: sentence(
    ({ instance, proposers, ballots }) =>
      `Livelock: ${names.en(listIn(proposers))} obstruct each other in instance ${instance}: ${ballots} ballots had enough ` +
      `promises, but no value is chosen.`,
    ({ instance, proposers, ballots }) =>
      `Livelock: ${names.de(listIn(proposers))} behindern einander in Instanz ${instance}: ${ballots} Ballots hatten genug ` +
      `Versprechen, aber kein Wert ist gewählt.`,
    ({ instance, proposers, ballots }) =>
      `Livelock: ${names.cs(listIn(proposers))} si navzájem překážejí v instanci ${instance}: ${ballots} hlasování mělo dost ` +
      `příslibů, ale žádná hodnota není vybrána.`),
  undecided: sentence(
    "No further step is possible, and no value was chosen in instance {instance}, although enough acceptors are live.",
    "Kein weiterer Schritt ist möglich, und in Instanz {instance} ist kein Wert gewählt, obwohl genug Akzeptoren laufen.",
    "Žádný další krok není možný a v instanci {instance} není vybrána žádná hodnota, ačkoli běží dost akceptorů."),
  failed: sentence(
    "The run ended early, and its outcome is unknown: {why}.",
    "Der Lauf endete vorzeitig, und sein Ausgang ist unbekannt: {why}.",
    "Běh skončil předčasně a jeho výsledek není znám: {why}."),
  slow: sentence(
    ({ node, lock, waited_ms }) =>
      `${name(node)} has been waiting for lock ${lock} for ${seconds(waited_ms)}, but the run is still active.`,
    ({ node, lock, waited_ms }) => `${name(node)} wartet seit ${seconds(waited_ms)} auf Sperre ${lock}, aber der Lauf ist noch aktiv.`,
    ({ node, lock, waited_ms }) => `${name(node)} čeká na zámek ${lock} už ${seconds(waited_ms)}, ale běh je stále aktivní.`),
  "delay-beyond-time-out": sentence(
    ({ parameter, value_ms, needed_ms, longest_delay_ms, bounded, messages, risk }) =>
      `${parameter} = ${value_ms} ms is too short: ${messages} messages of ${bounded ? "" : "mostly "}up to ${longest_delay_ms} ms ` +
      `need ${needed_ms} ms. ${risk === "safety" ? "Properties may be violated" : "There may be no progress"}.`,
    ({ parameter, value_ms, needed_ms, longest_delay_ms, bounded, messages, risk }) =>
      `${parameter} = ${value_ms} ms ist zu kurz: ${messages} Nachrichten von ${bounded ? "" : "meist "}bis zu ${longest_delay_ms} ms ` +
      `brauchen ${needed_ms} ms. ${risk === "safety" ? "Eigenschaften sind gefährdet" : "Vielleicht kein Fortschritt"}.`,
    ({ parameter, value_ms, needed_ms, longest_delay_ms, bounded, messages, risk }) =>
      `${parameter} = ${value_ms} ms nestačí: ${counted(messages, "zpráva", "zprávy", "zpráv")} po ${bounded ? "" : "většinou "}až ` +
      `${longest_delay_ms} ms potřebuje ${needed_ms} ms. ${risk === "safety" ? "Vlastnosti jsou ohroženy" : "Snad bez postupu"}.`),
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
    const { electing = [], undecided = [], cycle = [], is_recorded = false } = is;
    const open = electing.length > 0 ? words.electing(electing) : words.undecided(undecided);
    const { until, deliver, resume, release, timers: fire, heal } = is_recorded ? happeningIn(words) : words;
    const hands = [
      held > 0 && deliver(held),
      paused.length > 0 && resume(paused),
      in_section.length > 0 && release(in_section),
      timers.length > 0 && fire(timers),
      cut_off.length > 0 && heal(cut_off),
    ].filter((hand) => hand !== false);
    const said = `${nodes.length > 0 ? words.wait(nodes) : open}${until} ${hands.join(words.or)}.`;
    return cycle.length > 0 ? `${said} ${words.inACycle(waitsOf(words, cycle))}` : said;
  }),
};
