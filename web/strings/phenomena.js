/** Headlines of the phenomena that a run can show. There is a headline for each name of the server's closed list. */

import { name } from "./lists.js";
import { say } from "./say.js";
import { why } from "./waiting.js";

/**
 * @typedef {object} Shown What a headline names.
 * @property {readonly number[]} nodes The processes concerned.
 * @property {number | null} [missing] The amount that lost updates have removed.
 * @property {Overtaking | null} [overtaking] The messages of which the later one overtook the first one.
 */
/** @typedef {{ first: { message_kind: string }, later: { message_kind: string } }} Overtaking */
/** @typedef {(shown: Shown) => string} Headline */

/** Maximum number of processes that a headline names. */
const MOST_NAMED = 5;

/** @param {readonly string[]} names @param {string} sign */
const joined = (names, sign) => [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ["…"] : [])].join(sign);

/** Returns a function that names the processes with `sign` between them. @param {string} sign @returns {Headline} */
const between = (sign) => ({ nodes }) => joined(nodes.map(name), sign);
const beside = between(" · ");

/** Returns the processes of a cycle of waits: `P0 → P1 → P0`. @param {Shown} shown */
function cycle({ nodes }) {
  const first = nodes[0];
  return first === undefined ? "" : `${joined(nodes.map(name), " → ")} → ${name(first)}`;
}

/** Combines a headline in English, German and Czech. @param {Headline} en @param {Headline} de @param {Headline} cs */
const headline = (en, de, cs) => say(en, de, cs);

/**
 * Combines a headline that ends with the processes concerned.
 *
 * @param {string} en
 * @param {string} de
 * @param {string} cs
 * @param {Headline} [named] Names the processes. Default: beside each other.
 */
const of = (en, de, cs, named) => headline(after(en, named), after(de, named), after(cs, named));

/** @param {string} word @param {Headline} [named] @returns {Headline} */
const after = (word, named = beside) => (shown) => [word, named(shown)].filter((part) => part !== "").join(" ");

/**
 * Returns a headline that ends with the cause: which message overtook which one.
 *
 * @param {string} word
 * @param {(later: string, first: string) => string} overtook
 * @returns {Headline}
 */
const caused = (word, overtook) => (shown) => {
  const { first, later } = shown.overtaking ?? {};
  return `${after(word)(shown)}${first && later ? `: ${overtook(later.message_kind, first.message_kind)}` : ""}`;
};

/**
 * Combines a headline that ends with the wait of the first process for the others.
 *
 * @param {string} en
 * @param {string} de
 * @param {string} cs
 */
const waiting = (en, de, cs) => headline(wait(en, why.waits.en), wait(de, why.waits.de), wait(cs, why.waits.cs));

/** @param {string} word @param {(node: string, on: string) => string} waits @returns {Headline} */
const wait = (word, waits) => ({ nodes: [node = 0, ...on] }) =>
  on.length === 0 ? `${word} ${name(node)}` : `${word} · ${waits(name(node), joined(on.map(name), ", "))}`;

/** Combines a headline that names no process. @param {string} en @param {string} de @param {string} cs */
const alone = (en, de, cs) => headline(() => en, () => de, () => cs);

/** @param {string} locale @param {number | null} [missing] */
const amount = (locale, missing) => (missing ?? 0).toLocaleString(locale);

export const phenomena = {
  "two-in-section": headline(
    caused("TWO IN THE CRITICAL SECTION", (later, first) => `the ${later} overtook the ${first}`),
    caused("ZWEI IM KRITISCHEN ABSCHNITT", (later, first) => `${later} hat ${first} überholt`),
    caused("DVA V KRITICKÉ SEKCI", (later, first) => `${later} předběhl ${first}`)),
  "too-many-in-section": alone("TOO MANY IN THE SECTION", "ZU VIELE IM ABSCHNITT", "PŘÍLIŠ MNOHO V SEKCI"),
  "out-of-order": headline(
    after("OUT OF ORDER", between(" before ")),
    after("FALSCHE REIHENFOLGE", between(" vor ")),
    after("MIMO POŘADÍ", between(" před "))),
  deadlock: of("DEADLOCK", "VERKLEMMUNG", "UVÁZNUTÍ", cycle),
  "false-deadlock": of("FALSE DEADLOCK", "FALSCHE VERKLEMMUNG", "FALEŠNÉ UVÁZNUTÍ", cycle),
  livelock: of("LIVELOCK", "LIVELOCK", "LIVELOCK"),
  starvation: of("STARVATION", "VERHUNGERN", "HLADOVĚNÍ"),
  "nobody-enters": alone("NOBODY ENTERS", "NIEMAND TRITT EIN", "NIKDO NEVSTUPUJE"),
  "token-lost": alone("TOKEN LOST", "TOKEN VERLOREN", "TOKEN ZTRACEN"),
  "two-tokens": alone("TWO TOKENS", "ZWEI TOKEN", "DVA TOKENY"),
  "token-not-greater": of("FENCING TOKEN NOT GREATER", "FENCING-TOKEN NICHT GRÖSSER", "FENCING TOKEN NENÍ VĚTŠÍ"),
  "lost-update": headline(({ missing }) => `${amount("en-GB", missing)} MISSING`,
    ({ missing }) => `${amount("de", missing)} FEHLEN`,
    ({ missing }) => `CHYBÍ ${amount("cs", missing)}`),
  "unguarded-write": of("WRITE OUTSIDE THE SECTION", "SCHREIBEN AUSSERHALB DES ABSCHNITTS", "ZÁPIS MIMO SEKCI"),
  "two-coordinators": of("TWO COORDINATORS", "ZWEI KOORDINATOREN", "DVA KOORDINÁTOŘI"),
  "no-coordinator": of("NO COORDINATOR", "KEIN KOORDINATOR", "ŽÁDNÝ KOORDINÁTOR"),
  "two-values": alone("TWO VALUES CHOSEN", "ZWEI WERTE GEWÄHLT", "ZVOLENY DVĚ HODNOTY"),
  "unproposed-value": of("A VALUE THAT NOBODY PROPOSED", "EIN WERT, DEN NIEMAND VORSCHLUG", "HODNOTA, KTEROU NIKDO NENAVRHL"),
  "broken-promise": of("PROMISE BROKEN", "VERSPRECHEN GEBROCHEN", "PORUŠENÝ SLIB"),
  "no-value-chosen": headline((shown) => `NO VALUE CHOSEN${duel(": a duel", shown)}`,
    (shown) => `KEIN WERT GEWÄHLT${duel(": ein Duell", shown)}`,
    (shown) => `ŽÁDNÁ HODNOTA ZVOLENA${duel(": souboj", shown)}`),
  "wrong-answer": of("WRONG ANSWER", "FALSCHE ANTWORT", "NESPRÁVNÁ ODPOVĚĎ"),
  "message-lost": waiting("STUCK: MESSAGE LOST", "BLOCKIERT: NACHRICHT VERLOREN", "ZABLOKOVÁNO: ZPRÁVA ZTRACENA"),
  "process-crashed": waiting("STUCK: PROCESS CRASHED", "BLOCKIERT: PROZESS ABGESTÜRZT", "ZABLOKOVÁNO: PROCES HAVAROVAL"),
  standstill: of("STUCK", "BLOCKIERT", "ZABLOKOVÁNO"),
};

/** Returns the words for proposers that obstruct each other, if there are several. @param {string} words @param {Shown} shown */
const duel = (words, { nodes }) => (nodes.length > 1 ? `${words} ${joined(nodes.map(name), " · ")}` : "");
