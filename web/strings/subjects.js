/** Strings for the subjects of a run: locks, resources, coordinators, agreement. */

import { circle, counted, names } from "./lists.js";
import { phrase, say } from "./say.js";

export const lock = {
  title: phrase("Lock {lock}", "Sperre {lock}", "Zámek {lock}"),
  free: say("FREE", "FREI", "VOLNO"),
  wanted: say("NO HOLDER", "KEIN INHABER", "BEZ DRŽITELE"),
  holds: say(/** @returns {string} */ (/** @type {number} */ count) => (count === 1 ? "HOLDS THE LOCK" : "HOLD THE LOCK"),
    (count) => (count === 1 ? "HÄLT DIE SPERRE" : "HALTEN DIE SPERRE"),
    (_) => "DRŽÍ ZÁMEK"),
  violated: say("IN THE CRITICAL SECTION", "IM KRITISCHEN ABSCHNITT", "V KRITICKÉ SEKCI"),
  unknown: say("…", "…", "…"),
  late: say("late holder:", "verspäteter Inhaber:", "opožděný držitel:"),
  lateTip: say("The lease was taken back, and its holder has not left yet.",
    "Die Lease wurde entzogen, und ihr Inhaber hat den Abschnitt noch nicht verlassen.",
    "Zámek byl po lhůtě odebrán a jeho držitel sekci ještě neopustil."),
  waiting: say("waiting:", "wartend:", "čeká:"),
  nobody: say("none", "keiner", "nikdo"),
  since: phrase("{seconds} s", "{seconds} s", "{seconds} s"),
  entries: say("Entries", "Eintritte", "Vstupy"),
  all: say("Locks", "Sperren", "Zámky"),
  choose: phrase("Lock {lock}: choose it for commands",
    "Sperre {lock}: für Befehle wählen",
    "Zámek {lock}: vybrat pro příkazy"),
  moreLocks: say((/** @type {number} */ count) => `and ${count} more, neither held nor requested`,
    (count) => `und ${count} weitere, weder gehalten noch angefordert`,
    (count) => `a ${counted(count, "další, který", "další, které", "dalších, které")} nikdo nedrží ani nežádá`),
  circle: say((/** @type {number[]} */ nodes) =>
      `They wait in a cycle: ${circle(nodes, (from, to) => `${from} for ${to}`)}.`,
    (nodes) => `Sie warten im Kreis: ${circle(nodes, (from, to) => `${from} auf ${to}`)}.`,
    (nodes) => `Čekají v kruhu: ${circle(nodes, (from, to) => `${from} na ${to}`)}.`),
  announceFree: say("The lock is free.", "Die Sperre ist frei.", "Zámek je volný."),
  announceWanted: say("No process holds the lock; some wait for it.",
    "Kein Prozess hält die Sperre; manche warten darauf.",
    "Zámek nedrží žádný proces; některé na něj čekají."),
  announceHeld: say((/** @type {number[]} */ holders) => `The lock is held by ${names.en(holders)}.`,
    (holders) => `Die Sperre wird gehalten von ${names.de(holders)}.`,
    (holders) => `Zámek drží ${names.cs(holders)}.`),
  announceViolated: say((/** @type {number[]} */ holders) => `Violated: ${names.en(holders)} hold the lock at the same time.`,
    (holders) => `Verletzt: ${names.de(holders)} halten die Sperre gleichzeitig.`,
    (holders) => `Porušeno: ${names.cs(holders)} drží zámek současně.`),
};

export const resources = {
  account: say("Account", "Konto", "Účet"),
  expected: phrase("it should be {sum}", "es müssten {sum} sein", "má být {sum}"),
  hasRead: phrase("read {sum}", "las {sum}", "četl {sum}"),
  hasWritten: phrase("wrote {sum}", "schrieb {sum}", "zapsal {sum}"),
  deposits: say((/** @type {number} */ count) => (count === 1 ? "1 deposit" : `${count} deposits`),
    (count) => (count === 1 ? "1 Einzahlung" : `${count} Einzahlungen`),
    (count) => counted(count, "vklad", "vklady", "vkladů")),
  writes: say((/** @type {number} */ count) => (count === 1 ? "1 write" : `${count} writes`),
    (count) => (count === 1 ? "1 Schreibvorgang" : `${count} Schreibvorgänge`),
    (count) => counted(count, "zápis", "zápisy", "zápisů")),
  refused: say((/** @type {number} */ count) => (count === 1 ? "1 write refused" : `${count} writes refused`),
    (count) => `${count} abgelehnt`,
    (count) => counted(count, "zápis odmítnut", "zápisy odmítnuty", "zápisů odmítnuto")),
};

export const bank = {
  title: say("The banker's tables", "Die Tabellen des Bankiers", "Tabulky bankéře"),
  none: say("The state of the bank is unknown.", "Der Zustand der Bank ist unbekannt.", "Stav banky není znám."),
  has: say("has", "hat", "má"),
  claims: say("may claim", "höchstens", "nejvýše"),
  needs: say("still needs", "braucht noch", "ještě potřebuje"),
  free: say("free", "frei", "volno"),
  existing: say("of", "von", "z"),
  order: say("Safe order:", "Sichere Reihenfolge:", "Bezpečné pořadí:"),
  unsafe: say("There is no safe order: not all processes are certain to finish.",
    "Es gibt keine sichere Reihenfolge: Nicht alle Prozesse werden sicher fertig.",
    "Bezpečné pořadí neexistuje: ne všechny procesy jistě skončí."),
  asks: phrase("{process} requests {units}", "{process} fordert {units} an", "{process} žádá {units}"),
  answers: /** @type {Record<string, import("./say.js").Said<string>>} */ ({
    "above-claim": say("it must first release units.", "er muss erst Einheiten freigeben.", "musí nejdřív jednotky uvolnit."),
    "not-free": say("not enough units are free.", "so viele Einheiten sind nicht frei.", "tolik jednotek není volných."),
    unsafe: say("then no safe order would be left.",
      "dann bliebe keine sichere Reihenfolge.",
      "pak by nezbylo žádné bezpečné pořadí."),
  }),
};

export const leader = {
  title: say("Coordinator", "Koordinator", "Koordinátor"),
  none: say("NO COORDINATOR", "KEIN KOORDINATOR", "ŽÁDNÝ KOORDINÁTOR"),
  disagree: say("THEY DISAGREE", "UNEINIG", "NESHODA"),
  term: phrase("term {term}", "Amtszeit {term}", "období {term}"),
  who: say("Coordinator by node", "Koordinator je Knoten", "Koordinátor podle uzlů"),
  nobody: say("know no coordinator", "kennen keinen Koordinator", "neznají koordinátora"),
  announce: phrase("{leader} is the coordinator of term {term}.",
    "{leader} ist Koordinator der Amtszeit {term}.",
    "{leader} je koordinátorem období {term}."),
};

export const agreement = {
  tab: say("Agreement", "Einigung", "Dohoda"),
  instance: phrase("Instance {instance}", "Instanz {instance}", "Instance {instance}"),
  proposed: say("proposed:", "vorgeschlagen:", "navrženo:"),
  promised: say("promised", "versprochen", "slíbeno"),
  accepted: say("accepted", "akzeptiert", "přijato"),
  decided: say("learnt", "gelernt", "ví se"),
  none: say("Nothing has been proposed yet.", "Noch ist nichts vorgeschlagen.", "Zatím nebylo nic navrženo."),
  propose: phrase("What does {node} propose?", "Was schlägt {node} vor?", "Co navrhuje {node}?"),
  value: say("Value", "Wert", "Hodnota"),
  number: say("Instance", "Instanz", "Instance"),
};
