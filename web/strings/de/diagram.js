/** German: the space-time diagram. */

/** @type {typeof import("../en/diagram.js").diagram} */
export const diagram = {
  title: "Raum-Zeit-Diagramm",
  whole: "Diagramm",
  wholeTip: "Der ganze Lauf als Raum-Zeit-Diagramm (t)",
  axis: "Geordnet nach",
  axes: { time: "Echtzeit", lamport: "Lamport-Zeit", depth: "kausaler Tiefe" },
  larger: "Vergrößern",
  smaller: "Verkleinern",
  all: "Alles",
  nodes: "Knoten",
  laneUp: (node, place, of) => `${node} nach oben (Zeile ${place} von ${of})`,
  laneDown: (node, place, of) => `${node} nach unten (Zeile ${place} von ${of})`,
  collapsed: (node) => `${node} als dünne Linie`,
  filter: {
    title: "Filter",
    active: (parts) => `Filter: ${parts.join(" · ")}`,
    node: "Nur was den Knoten berührt",
    allNodes: "alle Knoten",
    kind: "Nur Nachrichten der Art",
    allKinds: "alle Arten",
    request: "Nur was zur Anfrage gehört",
    allRequests: "alle Anfragen",
    told: (node, number, lock) =>
      `${node}${number === undefined ? "" : ` Anfrage ${number}`}${lock === null ? "" : ` Sperre ${lock}`}`,
    more: (count) => `und ${count} weitere: bitte vergrößern`,
    tip: "Was mit der Anfrage gesendet wurde, jede Kette von Nachrichten von dort bis zum Eintritt und was beim Austritt gesendet wurde",
    left: "nur was der Filter übrig lässt",
    clear: "Filter aufheben",
  },
  table: "Tabelle",
  violation: (count) => (count === 1 ? "Was zur Verletzung führte" : `Was zu den ${count} Verletzungen führte`),
  keys:
    "Klick oder Enter: Vergangenheit und Zukunft eines Schritts · ← → ein Schritt · Umschalt ← → verschieben · + − Zoom · " +
    "0 alles · a Achse · v Verletzung · f Filter, c hebt ihn auf · n Knoten: Alt ↑ ↓ oder Ziehen am Namen verschiebt eine Zeile, Klick klappt sie zu · Umschalt-Ziehen oder m, m: Spanne markieren · l Tabelle · r zweiter Lauf, b am Anfang oder Eintritt, , und . an einem anderen Eintritt · Esc zurück",
  second: {
    title: "Zweiter Lauf",
    chosen: (name) => `Zweiter Lauf: ${name}`,
    search: "Läufe durchsuchen",
    none: "Keiner",
    align: "Wie die beiden Läufe ausgerichtet sind",
    byEntry: "Ausgerichtet am Eintritt",
    byBegin: "Ausgerichtet am Anfang",
    entry: (n) => `Eintritt ${n}`,
    back: "Am Eintritt davor",
    on: "Am nächsten Eintritt",
    few: (name, count) => (count === 1 ? `${name} hat nur 1 Eintritt` : `${name} hat nur ${count} Eintritte`),
    gone: "Der zweite Lauf ist nicht da",
    goneWhy: (run) => `Es gibt keinen Lauf ${run}: Vielleicht wurde er gelöscht. Mit r wird ein anderer gewählt.`,
  },
  part: {
    title: "Teil des Laufs im Bild, nach Ereignis",
    told: (first, last, latest) => `Ereignisse ${first} – ${last} von ${latest}`,
  },
  span: {
    begun: (at) => `Ab ${at}: den Cursor bewegen, m setzt das Ende`,
    where: (from, to) => `${from} – ${to}`,
    noMessages: "keine Nachricht gesendet",
    entries: (count) => (count === 1 ? "1 Eintritt" : `${count} Eintritte`),
    wait: (time) => `mittlere Wartezeit ${time}`,
    keys: "Enter vergrößert, Esc hebt auf",
  },
  signs: {
    wanting: "wartet auf die Sperre",
    section: "im Abschnitt",
    crashed: "abgestürzt",
    lost: "verloren",
    held: "festgehalten",
    crossing: "überholt",
  },
  columns: ["Ereignis", "Zeit", "Knoten", "Was geschah", "Lamport-Zeit", "kausale Tiefe", "Ursache"],
  cause: (kind, from, seq) => (seq === null ? `${kind} von ${from}` : `${kind} von ${from}, Ereignis ${seq}`),
  rows: (count) => (count === 1 ? "1 Schritt im Bild" : `${count} Schritte im Bild`),
  since: (seq) => `Lamport-Zeit und Tiefe sind ab Ereignis ${seq} gezählt`,
  tooMany: (shown, count) =>
    shown === 0
      ? `${count} Schritte im Bild: zu viele für eine Tabelle. Bitte vergrößern.`
      : `Die ersten ${shown} von ${count} Schritten im Bild`,
};
