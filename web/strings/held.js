/** Strings for held messages: the network holds all messages, and the user delivers each message. */

import { counted } from "./lists.js";
import { phrase, say } from "./say.js";

export const held = {
  title: say("MESSAGES HELD", "NACHRICHTEN WARTEN", "ZPRÁVY ZADRŽENY"),
  tip: say("Each message waits until you deliver it; timers and clients continue",
    "Jede Nachricht wartet, bis Sie sie zustellen; Timer und Clients laufen weiter",
    "Každá zpráva čeká, dokud ji nedoručíte; časovače a klienti běží dál"),
  count: say((/** @type {number} */ count) => (count === 1 ? "1 message waits" : `${count} messages wait`),
    (count) => (count === 1 ? "1 Nachricht wartet" : `${count} Nachrichten warten`),
    (count) => counted(count, "zpráva čeká", "zprávy čekají", "zpráv čeká")),
  next: phrase("Next: {message}", "Als Nächstes: {message}", "Další: {message}"),
  going: phrase("In transit: {message}", "Unterwegs: {message}", "Na cestě: {message}"),
  nothing: say("No message waits.", "Keine Nachricht wartet.", "Žádná zpráva nečeká."),
  everybody: say("all nodes", "alle Knoten", "všechny uzly"),
  can: {
    acquire: phrase("Can request (a): {who}.", "Anfordern (a) möglich: {who}.", "Žádat (a) může: {who}."),
    release: phrase("Can release (r): {who}.", "Freigeben (r) möglich: {who}.", "Uvolnit (r) může: {who}."),
    elect: phrase("Can call an election (e): {who}.",
      "Wahl ausrufen (e) möglich: {who}.",
      "Vyhlásit volbu (e) může: {who}."),
    propose: phrase("Can propose (v): {who}.", "Vorschlagen (v) möglich: {who}.", "Navrhnout hodnotu (v) může: {who}."),
    corrupt: phrase("Can be overwritten: {who}.", "Überschreiben möglich: {who}.", "Přepsat lze: {who}."),
    fire: phrase("A timer can fire (w): {who}.", "Timer kann ablaufen (w): {who}.", "Může vypršet časovač (w): {who}."),
  },
  actions: say({ deliver: "Deliver it", drop: "Drop it", duplicate: "Duplicate it" },
    { deliver: "Zustellen", drop: "Verwerfen", duplicate: "Duplizieren" },
    { deliver: "Doručit", drop: "Zahodit", duplicate: "Zdvojit" }),
  tips: {
    deliver: say("Deliver the next message to its receiver: PageDown, → or d",
      "Die nächste Nachricht dem Empfänger zustellen: Bild↓, → oder d",
      "Doručit další zprávu příjemci: PageDown, → nebo d"),
    drop: say("Drop the next message: x", "Die nächste Nachricht verwerfen: x", "Zahodit další zprávu: x"),
    duplicate: say("Duplicate the next message", "Die nächste Nachricht duplizieren", "Zdvojit další zprávu"),
  },
  all: say("Deliver all", "Alle zustellen", "Doručit všechny"),
  allTip: say("Deliver all waiting messages; messages sent later wait again",
    "Alle wartenden Nachrichten zustellen; später gesendete warten wieder",
    "Doručit všechny čekající zprávy; později poslané zase čekají"),
  run: say("Stop holding", "Nicht mehr festhalten", "Nezadržovat"),
  runTip: say("Deliver all messages, and hold none from now on: h",
    "Alle Nachrichten zustellen und von nun an keine festhalten: h",
    "Doručit všechny zprávy a dál žádné nezadržovat: h"),
};
