/** Czech: time that is held, and a lecture that goes on message by message. */

import { counted } from "./counted.js";

/** @type {typeof import("../en/held.js").held} */
export const held = {
  title: "ČAS STOJÍ",
  tip: "Každá zpráva čeká, dokud ji nepustíte; časovače a klienti běží dál sami",
  count: (count) => counted(count, "zpráva čeká", "zprávy čekají", "zpráv čeká"),
  next: (message) => `Další: ${message}`,
  going: (message) => `Na cestě: ${message}`,
  nothing: "Žádná zpráva nečeká.",
  everybody: "všichni",
  can: {
    acquire: (who) => `Žádat (a) smí: ${who}.`,
    release: (who) => `Uvolnit (r) smí: ${who}.`,
    elect: (who) => `Vyhlásit volbu (e) smí: ${who}.`,
    propose: (who) => `Navrhnout hodnotu (v) smí: ${who}.`,
    corrupt: (who) => `Přepsat lze: ${who}.`,
    fire: (who) => `Může vypršet časovač (w): ${who}.`,
  },
  actions: { deliver: "Doručit", drop: "Ztratit", duplicate: "Kopírovat" },
  tips: {
    deliver: "Předat další zprávu příjemci: PageDown, → nebo d",
    drop: "Ztratit další zprávu: x",
    duplicate: "Udělat z další zprávy druhou",
  },
  all: "Pustit všechny",
  allTip: "Doručit všechny čekající zprávy; co se pošle potom, zase čeká",
  run: "Pustit čas",
  runTip: "Pustit všechny a dál nic nezadržovat: h",
};
