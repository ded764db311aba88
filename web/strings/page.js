/** Strings of the frame of the page: header, cursor, errors. */

import { counted } from "./lists.js";
import { phrase, say } from "./say.js";

export const header = {
  toStage: say("To the stage", "Zur Bühne", "Na scénu"),
  noRuns: say("no run yet", "noch kein Lauf", "zatím žádný běh"),
  about: say((/** @type {number} */ nodes, /** @type {string} */ goal) => `${nodes} processes ${goal}, by messages alone`,
    (nodes, goal) => `${nodes} Prozesse ${goal}, nur durch Nachrichten`,
    (nodes, goal) => `${counted(nodes, "proces", "procesy", "procesů")} ${goal} jen pomocí zpráv`),
  goals: {
    lock: say("share 1 lock", "teilen sich 1 Sperre", "sdílí 1 zámek"),
    locks: say((/** @type {number} */ locks) => `share ${locks} locks`,
      (locks) => `teilen sich ${locks} Sperren`,
      (locks) => `sdílí ${counted(locks, "zámek", "zámky", "zámků")}`),
    leader: say("elect a coordinator", "wählen einen Koordinator", "volí koordinátora"),
    agreement: say("agree on a value", "einigen sich auf einen Wert", "volí jednu hodnotu"),
  },
  newRun: say("New run", "Neuer Lauf", "Nový běh"),
  more: say("More (M)", "Mehr (M)", "Více (M)"),
  stop: say("Stop", "Beenden", "Ukončit"),
  stopTitle: say("Stop this run?", "Diesen Lauf beenden?", "Ukončit tento běh?"),
  stopText: say("All its processes end. Its events remain and can be read.",
    "Alle seine Prozesse enden. Seine Ereignisse bleiben lesbar.",
    "Všechny jeho procesy skončí. Jeho události zůstanou a lze je číst."),
  heal: say("Heal", "Beheben", "Napravit"),
  healTip: say("Remove all faults and resume paused nodes",
    "Alle Fehler entfernen und angehaltene Knoten fortsetzen",
    "Odstranit všechny poruchy a nechat pozastavené uzly pokračovat"),
  theme: say("Theme", "Farben", "Barvy"),
  themes: say({ auto: "Auto", light: "Light", dark: "Dark", contrast: "High contrast" },
    { auto: "Auto", light: "Hell", dark: "Dunkel", contrast: "Starker Kontrast" },
    { auto: "Auto", light: "Světlé", dark: "Tmavé", contrast: "Vysoký kontrast" }),
  language: say("Language", "Sprache", "Jazyk"),
  big: say("Large print", "Große Schrift", "Velké písmo"),
  help: say("Keys", "Tasten", "Klávesy"),
  cancel: say("Cancel", "Abbrechen", "Zrušit"),
  close: say("Close", "Schließen", "Zavřít"),
};

export const load = {
  button: say("Load events …", "Ereignisse laden …", "Načíst události …"),
  tip: say("Show the events of a run or a simulation: a file with one JSON event per line",
    "Die Ereignisse eines Laufs oder einer Simulation zeigen: eine Datei mit einem JSON-Ereignis je Zeile",
    "Ukázat události běhu nebo simulace: soubor s jednou událostí JSON na řádek"),
  loading: phrase("Loading … {percent}%", "Lädt … {percent} %", "Načítá se … {percent} %"),
};

export const connection = say({ opening: "OPENING", live: "LIVE", disconnected: "DISCONNECTED", ended: "ENDED", loaded: "LOADED" },
  { opening: "WIRD GEÖFFNET", live: "LIVE", disconnected: "GETRENNT", ended: "BEENDET", loaded: "GELADEN" },
  { opening: "OTEVÍRÁ SE", live: "ŽIVĚ", disconnected: "ODPOJENO", ended: "SKONČENO", loaded: "NAČTENO" });

export const connectionTip = {
  opening: say("The run is loading.", "Der Lauf wird geladen.", "Běh se načítá."),
  live: say("You see the current state.", "Sie sehen den aktuellen Zustand.", "Vidíte aktuální stav."),
  disconnected: say("You see the last known state. Reconnecting …",
    "Sie sehen den zuletzt bekannten Zustand. Neuer Versuch …",
    "Vidíte poslední známý stav. Nový pokus …"),
  ended: say("The run has ended; its events can be read.",
    "Der Lauf ist beendet; seine Ereignisse können gelesen werden.",
    "Běh skončil; jeho události lze číst."),
  loaded: say("These events were loaded: no processes run here.",
    "Diese Ereignisse wurden geladen: hier laufen keine Prozesse.",
    "Tyto události byly načteny: žádné procesy zde neběží."),
};

export const runStatus = say({ running: "running", stopped: "stopped", failed: "failed", loaded: "loaded" },
  { running: "läuft", stopped: "beendet", failed: "gescheitert", loaded: "geladen" },
  { running: "běží", stopped: "ukončen", failed: "selhal", loaded: "načten" });

export const cursor = {
  first: say("To the start", "An den Anfang", "Na začátek"),
  back: say("One step back", "Einen Schritt zurück", "O krok zpět"),
  on: say("One step forward", "Einen Schritt weiter", "O krok vpřed"),
  live: say("To the end, and follow the run", "Ans Ende, und dem Lauf folgen", "Na konec a dál sledovat běh"),
  play: say("Play", "Abspielen", "Přehrát"),
  playTip: say("Play from here", "Von hier an abspielen", "Přehrávat odtud"),
  pause: say("Pause", "Pause", "Pauza"),
  pauseTip: say("Pause here", "Hier anhalten", "Pozastavit zde"),
  slider: say("Position in the run", "Position im Lauf", "Pozice v běhu"),
  speed: say("Playback speed", "Abspielgeschwindigkeit", "Rychlost přehrávání"),
  pace: say("Time of a message from now on", "Dauer einer Nachricht von jetzt an", "Doba zprávy od této chvíle"),
  paces: {
    slow: say("slow", "langsam", "pomalu"),
    lecture: say("lecture", "Vortrag", "přednáška"),
    real: say("real", "echt", "skutečně"),
    own: say("as set", "wie eingestellt", "jak nastaveno"),
  },
  fork: say("Fork here", "Hier abzweigen", "Odbočit zde"),
  forkTip: say("Start another run with the same history up to here, which then continues on its own: F",
    "Einen anderen Lauf mit derselben Vorgeschichte bis hierher starten, der dann für sich weiterläuft: F",
    "Spustit jiný běh, který má až sem stejnou minulost a odtud pokračuje sám: F"),
  now: phrase("NOW · {when}", "JETZT · {when}", "NYNÍ · {when}"),
  late: phrase("CATCHING UP, {seconds} s behind · {when}",
    "HOLT AUF, {seconds} s zurück · {when}",
    "DOHÁNÍ, {seconds} s pozadu · {when}"),
  past: phrase("PAST · {when}", "VERGANGEN · {when}", "MINULOST · {when}"),
};

export const past = {
  refused: say("The page shows the past", "Die Seite zeigt die Vergangenheit", "Stránka ukazuje minulost"),
  why: say("An action applies to the present.",
    "Eine Aktion gilt der Gegenwart.",
    "Akce platí pro přítomnost."),
  now: say("Back to now", "Zurück zur Gegenwart", "Zpět do přítomnosti"),
};

export const welcome = {
  title: say("Five processes, one lock.", "Fünf Prozesse, eine Sperre.", "Pět procesů, jeden zámek."),
  text: say("Each asks the others by message.", "Jeder fragt die anderen per Nachricht.", "Každý se ptá ostatních zprávou."),
  hint: say("Press → to follow one request.",
    "Drücken Sie →, um einer Anforderung zu folgen.",
    "Stiskněte → a sledujte jednu žádost."),
};

export const empty = {
  title: say("No run is open", "Kein Lauf ist geöffnet", "Žádný běh není otevřen"),
  text: say("Start one: real processes on one network.",
    "Starten Sie einen: echte Prozesse in einem Netz.",
    "Spusťte jej: skutečné procesy v jedné síti."),
};

export const examples = {
  title: say("Examples", "Beispiele", "Příklady"),
  tip: say("A click shows its title card.", "Ein Klick zeigt seine Titelkarte.", "Kliknutí ukáže jeho úvodní kartu."),
  begin: say("Begin: →", "Beginnen: →", "Začít: →"),
  own: say("A run of your own", "Ein eigener Lauf", "Vlastní běh"),
};

export const help = {
  title: say("Keys", "Tasten", "Klávesy"),
  diagram: say("Also in the large diagram", "Außerdem im großen Diagramm", "Navíc ve velkém diagramu"),
  guide: say("The guide, with search", "Das Handbuch, mit Suche (englisch)", "Příručka s vyhledáváním (anglicky)"),
  reference: say("The API, as a reference", "Die API zum Nachschlagen", "Referenční popis API"),
};

export const toast = {
  failed: say("That did not work", "Das hat nicht funktioniert", "To se nepovedlo"),
  unreachable: say("The server cannot be reached.", "Der Server ist nicht erreichbar.", "Server není dostupný."),
  allowed: say("possible:", "möglich:", "možné:"),
  absent: {
    title: say("This could not be fetched from the server",
      "Das ließ sich nicht vom Server holen",
      "Tohle se nepodařilo načíst ze serveru"),
    text: say("The server may have stopped. The page stays as it was.",
      "Vielleicht läuft er nicht mehr. Die Seite bleibt, wie sie war.",
      "Možná už neběží. Stránka zůstává, jak byla."),
  },
};
