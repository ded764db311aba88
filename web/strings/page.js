/** The frame of the page: header, cursor, errors. */

import { say } from "./say.js";

export const header = {
  toStage: say("To the stage", "Zur Bühne", "Na scénu"),
  run: say("Run", "Lauf", "Běh"),
  noRuns: say("no run yet", "noch kein Lauf", "zatím žádný běh"),
  newRun: say("New run", "Neuer Lauf", "Nový běh"),
  stop: say("Stop", "Beenden", "Ukončit"),
  stopTitle: say("Stop this run?", "Diesen Lauf beenden?", "Ukončit tento běh?"),
  stopText: say("All its processes end. Its events stay and can be read.",
    "Alle seine Prozesse enden. Seine Ereignisse bleiben und können gelesen werden.",
    "Všechny jeho procesy skončí. Jeho události zůstanou a lze je číst."),
  heal: say("Heal", "Heilen", "Vyléčit"),
  healTip: say("Take all faults away and let paused nodes go on",
    "Alle Fehler aufheben und angehaltene Knoten weiterlaufen lassen",
    "Odstranit všechny poruchy a nechat pozastavené uzly pokračovat"),
  theme: say("Theme", "Farben", "Barvy"),
  themes: say({ auto: "Auto", light: "Light", dark: "Dark", contrast: "High contrast" },
    { auto: "Auto", light: "Hell", dark: "Dunkel", contrast: "Starker Kontrast" },
    { auto: "Auto", light: "Světlé", dark: "Tmavé", contrast: "Vysoký kontrast" }),
  language: say("Language", "Sprache", "Jazyk"),
  big: say("Big print", "Große Schrift", "Velké písmo"),
  help: say("Keys", "Tasten", "Klávesy"),
  cancel: say("Cancel", "Abbrechen", "Zrušit"),
  close: say("Close", "Schließen", "Zavřít"),
};

export const load = {
  button: say("Load events …", "Ereignisse laden …", "Načíst události …"),
  tip: say("Show the events of a run or a simulation: a file with one JSON event a line",
    "Die Ereignisse eines Laufs oder einer Simulation zeigen: eine Datei mit einem JSON-Ereignis je Zeile",
    "Ukázat události běhu nebo simulace: soubor s jednou událostí JSON na řádek"),
  loading: say((/** @type {number} */ percent) => `Loading … ${percent} %`,
    (percent) => `Lädt … ${percent} %`,
    (percent) => `Načítá se … ${percent} %`),
};

export const connection = say({ opening: "OPENING", live: "LIVE", disconnected: "DISCONNECTED", ended: "ENDED", loaded: "LOADED" },
  { opening: "WIRD GEÖFFNET", live: "LIVE", disconnected: "GETRENNT", ended: "BEENDET", loaded: "GELADEN" },
  { opening: "OTEVÍRÁ SE", live: "ŽIVĚ", disconnected: "ODPOJENO", ended: "SKONČENO", loaded: "NAČTENO" });

export const connectionTip = {
  opening: say("The run is being fetched.", "Der Lauf wird geholt.", "Běh se načítá."),
  live: say("What you see is now.", "Was zu sehen ist, ist jetzt.", "Co vidíte, platí teď."),
  disconnected: say("What you see is the last that was known. Trying again …",
    "Zu sehen ist, was zuletzt bekannt war. Neuer Versuch …",
    "Vidíte poslední známý stav. Nový pokus …"),
  ended: say("The run has ended; its events can be read.",
    "Der Lauf ist beendet; seine Ereignisse können gelesen werden.",
    "Běh skončil; jeho události lze číst."),
  loaded: say("These events were loaded: nothing here is alive.",
    "Diese Ereignisse wurden geladen: hier lebt nichts.",
    "Tyto události byly načteny: nic zde neběží."),
};

export const runStatus = say({ running: "running", stopped: "stopped", failed: "failed", loaded: "loaded" },
  { running: "läuft", stopped: "beendet", failed: "gescheitert", loaded: "geladen" },
  { running: "běží", stopped: "ukončen", failed: "selhal", loaded: "načten" });

export const cursor = {
  first: say("To the beginning", "An den Anfang", "Na začátek"),
  back: say("A step back", "Einen Schritt zurück", "O krok zpět"),
  on: say("A step on", "Einen Schritt weiter", "O krok dál"),
  live: say("To the end, and on with the run", "Ans Ende, und mit dem Lauf weiter", "Na konec a dál s během"),
  play: say("Play", "Abspielen", "Přehrát"),
  playTip: say("Play from here", "Von hier an abspielen", "Přehrávat odtud"),
  pause: say("Pause", "Pause", "Pauza"),
  pauseTip: say("Stand still here", "Hier anhalten", "Zastavit zde"),
  slider: say("Where in the run", "Wo im Lauf", "Kde v běhu"),
  speed: say("How many times as fast as it happened",
    "Wievielmal so schnell, wie es geschah",
    "Kolikrát rychleji, než se to stalo"),
  fork: say("Go on from here", "Von hier aus weiter", "Odtud dál"),
  forkTip: say("Begin another run that did the same up to here, and lives by itself from then on: F",
    "Einen anderen Lauf beginnen, der bis hierher dasselbe tat und von da an für sich lebt: F",
    "Začít jiný běh, který až sem udělal totéž a odtud žije sám: F"),
  now: say((/** @type {string} */ when) => `NOW · ${when}`, (when) => `JETZT · ${when}`, (when) => `NYNÍ · ${when}`),
  past: say((/** @type {string} */ when) => `PAST · ${when}`,
    (when) => `VERGANGEN · ${when}`,
    (when) => `MINULOST · ${when}`),
};

export const past = {
  text: say((/** @type {number} */ seq) => `The past: this is the state after event ${seq}.`,
    (seq) => `Vergangenheit: der Zustand nach Ereignis ${seq}.`,
    (seq) => `Minulost: stav po události ${seq}.`),
  now: say("Back to now", "Zurück zum Jetzt", "Zpět do přítomnosti"),
};

export const empty = {
  title: say("No run is open", "Kein Lauf ist geöffnet", "Žádný běh není otevřen"),
  text: say("Start one: real processes on one network.",
    "Starten Sie einen: echte Prozesse in einem Netz.",
    "Spusťte jej: skutečné procesy v jedné síti."),
};

export const examples = {
  title: say("Examples", "Beispiele", "Příklady"),
  tip: say("A click starts it.", "Ein Klick startet es.", "Spustí se kliknutím."),
  own: say("A run of your own", "Ein eigener Lauf", "Vlastní běh"),
};

export const help = {
  title: say("Keys", "Tasten", "Klávesy"),
  reference: say("The API, as a reference", "Die API zum Nachschlagen", "Referenční popis API"),
};

export const toast = {
  failed: say("That did not work", "Das ging nicht", "To se nepovedlo"),
  unreachable: say("The server cannot be reached.", "Der Server ist nicht erreichbar.", "Server není dostupný."),
  allowed: say("possible:", "möglich:", "možné:"),
  absent: {
    title: say("This could not be fetched from the server",
      "Das ließ sich nicht vom Server holen",
      "Tohle se nepodařilo načíst ze serveru"),
    text: say("The server may be gone. The page goes on as it was.",
      "Vielleicht ist er nicht mehr da. Die Seite bleibt, wie sie war.",
      "Možná už neběží. Stránka zůstává, jak byla."),
  },
};
