/** Czech: the space-time diagram. */

import { counted } from "./counted.js";

/** @type {typeof import("../en/diagram.js").diagram} */
export const diagram = {
  title: "Prostoročasový diagram",
  whole: "Diagram",
  wholeTip: "Celý běh jako prostoročasový diagram (t)",
  axis: "Uspořádat podle",
  axes: { time: "skutečného času", lamport: "Lamportova času", depth: "kauzální hloubky" },
  larger: "Přiblížit",
  smaller: "Oddálit",
  all: "Vše",
  nodes: "Uzly",
  laneUp: (node, place, of) => `${node} nahoru (řádek ${place} z ${of})`,
  laneDown: (node, place, of) => `${node} dolů (řádek ${place} z ${of})`,
  collapsed: (node) => `${node} jako tenká čára`,
  filter: {
    title: "Filtr",
    active: (parts) => `Filtr: ${parts.join(" · ")}`,
    node: "Jen to, co se týká uzlu",
    allNodes: "všechny uzly",
    kind: "Jen zprávy druhu",
    allKinds: "všechny druhy",
    request: "Jen to, co patří k žádosti",
    allRequests: "všechny žádosti",
    told: (node, number, lock) =>
      `${node}${number === undefined ? "" : ` žádost ${number}`}${lock === null ? "" : ` zámek ${lock}`}`,
    more: (count) => `a ještě ${counted(count, "další", "další", "dalších")}: přibližte`,
    tip: "Co se poslalo s žádostí, každý řetězec zpráv odtud až ke vstupu a co se poslalo při výstupu",
    left: "jen co propustí filtr",
    clear: "Zrušit filtr",
  },
  table: "Tabulka",
  violation: (count) => (count === 1 ? "Co vedlo k porušení" : `Co vedlo k ${count} porušením`),
  keys:
    "Klik nebo Enter: minulost a budoucnost kroku · ← → krok · Shift ← → posun · + − zvětšení · 0 vše · a osa · " +
    "v porušení · f filtr, c ho zruší · n uzly: Alt ↑ ↓ nebo tažení jména řádek přesune, klik ho sbalí · Shift + tažení nebo m, m: označit úsek · l tabulka · r druhý běh, b podle začátku či vstupu, , a . podle jiného vstupu · Esc zpět",
  second: {
    title: "Druhý běh",
    chosen: (name) => `Druhý běh: ${name}`,
    search: "Hledat v bězích",
    none: "Žádný",
    align: "Jak jsou oba běhy zarovnány",
    byEntry: "Zarovnat podle vstupu",
    byBegin: "Zarovnat podle začátku",
    entry: (n) => `vstup ${n}`,
    back: "Podle předchozího vstupu",
    on: "Podle dalšího vstupu",
    few: (name, count) => `${name} má jen ${counted(count, "vstup", "vstupy", "vstupů")}`,
    gone: "Druhý běh tu není",
    goneWhy: (run) => `Běh ${run} neexistuje: možná byl smazán. Klávesou r se vybere jiný.`,
  },
  part: {
    title: "Část běhu v záběru, podle události",
    told: (first, last, latest) => `události ${first} – ${last} z ${latest}`,
  },
  span: {
    begun: (at) => `Od ${at}: posuňte kurzor, m označí konec`,
    where: (from, to) => `${from} – ${to}`,
    noMessages: "žádná odeslaná zpráva",
    entries: (count) => counted(count, "vstup", "vstupy", "vstupů"),
    wait: (time) => `střední doba čekání ${time}`,
    keys: "Enter přiblíží, Esc zruší",
  },
  signs: {
    wanting: "čeká na zámek",
    section: "v sekci",
    crashed: "havaroval",
    lost: "ztraceno",
    held: "zadrženo",
    crossing: "předběhnuto",
  },
  columns: ["Událost", "Čas", "Uzel", "Co se stalo", "Lamportův čas", "kauzální hloubka", "Příčina"],
  cause: (kind, from, seq) => (seq === null ? `${kind} od ${from}` : `${kind} od ${from}, událost ${seq}`),
  rows: (count) => `${counted(count, "krok", "kroky", "kroků")} v záběru`,
  since: (seq) => `Lamportův čas a hloubka se počítají od události ${seq}`,
  tooMany: (shown, count) =>
    shown === 0
      ? `${counted(count, "krok", "kroky", "kroků")} v záběru: pro tabulku příliš mnoho. Přibližte.`
      : `Prvních ${shown} z ${counted(count, "kroku", "kroků", "kroků")} v záběru`,
};
