/** Čeština: všechny průběhy malého běhu, a jeden přehrávaný krok za krokem. */

import { byKind, groupsText, name, percent, settingsWith } from "../lists.js";

/** Jak se spoje chovají. */
const settings = settingsWith({
  delay: (delay) => `zpoždění ${delay} ms`,
  delays: (delays) => `zpoždění ${byKind(delays)}`,
  fifo: (fifo) => (fifo ? "po pořádku" : "v libovolném pořadí"),
  loss: (loss) => `${String(percent(loss)).replace(".", ",")} % se ztratí`,
  duplicate: (duplicate) => `${String(percent(duplicate)).replace(".", ",")} % se zdvojí`,
  hold: (hold) => (hold ? "všechny se zadrží" : "žádná se nezadrží"),
});

/** Co dělá pravidlo se zprávami. @type {Record<string, string>} */
const RULES = { drop: "se ztratí", hold: "se zadrží", duplicate: "se zdvojí", delay: "přijdou později" };

/** @type {typeof import("../en/schedules.js").schedules} */
export const schedules = {
  button: "Všechny průběhy …",
  tip: "Vyzkoušet každé pořadí, v jakém mohou zprávy dojít, a najít nejkratší cestu k porušení pravidla",
  title: "Všechny průběhy malého běhu",
  about:
    "Vyzkouší se každé pořadí, v jakém zprávy docházejí a klienti žádají a odcházejí, s tolika poruchami, kolik " +
    "dovolíte, dokud není porušeno pravidlo. Pokud není porušeno žádné, je to pro tuto konfiguraci dokázáno.",
  requests: "Žádostí na uzel",
  lose: "Ztracených zpráv",
  duplicate: "Kopií zpráv",
  pause: "Zastavení",
  corrupt: "Přepsaných stavů",
  crash: "Havárií",
  restart: "Kdo zhavaroval",
  never: "zůstane mrtvý",
  timers: "Časovače vyprší",
  timerPolicies: {
    patient: "když není nic na cestě",
    "any-time:1": "kdykoli, jednou",
    "any-time:2": "kdykoli, dvakrát",
  },
  anyStates: "Z libovolných stavů: algoritmy, které dospějí k pořádku samy",
  beginning: "Procesy začínají",
  beginnings: { usual: "jako obvykle", arbitrary: "v libovolných stavech" },
  contents: "Zpráv na spoj nejvýše",
  daemon: "Najednou se pohne",
  daemons: { central: "jeden", distributed: "libovolná množina", synchronous: "každý, kdo může" },
  start: "Vyzkoušet vše",
  end: "Přerušit",
  underWay: (states, depth, rate) => `stavů ${states}, hloubka ${depth}, ${rate} stavů za sekundu …`,
  holds: "PLATÍ",
  holdsText: (states, depth) => `Byly vyzkoušeny všechny průběhy: stavů ${states}, nejvýše ${depth} kroků od začátku.`,
  violated: "PORUŠENO",
  shouldBe: (rule) => `Mělo by platit: ${rule}.`,
  shortest: (choices) =>
    choices === 1 ? "Stačí k tomu jediný krok." : `Počet kroků nejkratšího průběhu, který to poruší: ${choices}.`,
  noSchedule: "Žádný průběh nemůže tento běh vyjádřit, proto je zde tabulka a nelze jej přehrát:",
  table: {
    title: "Konfigurace, jedna po druhé",
    after: "poté, co",
    underWay: "na cestě",
    privileges: "privilegia",
    again: (row) => `Poslední řádek je opět řádek ${row}: tak to jde stále dál.`,
  },
  unfinished: "NEDOKONČENO",
  unfinishedText: (states, because) =>
    `${because} (prohlédnuto stavů: ${states}). Nic z prohlédnutého pravidlo neporušuje.`,
  play: "Přehrát se skutečnými procesy",
  keep: "Uložit průběh",
  called: (algorithm, property) => `${algorithm}: ${property}`,
  open: {
    button: "Otevřít průběh …",
    tip: "Přehrát soubor se skutečnými procesy: nalezený, zaznamenaný nebo napsaný ručně. Lze jej na stránku i přetáhnout",
    refused: (file) => `${file} nelze přehrát`,
    tooLarge: "Má více než 1 MiB a víc server nepřijme: na příkazové řádce jej přehraje „interlock replay“.",
    noJson: (why) => `Není to JSON: ${why}.`,
    kinds: {
      events: "Obsahuje události běhu, ne průběh: ukáže je „Načíst události …“.",
      specification: "Říká, co je to za běh, ne co se v něm děje: není to průběh, ale tělo požadavku POST /runs.",
      exploration: "Je to výsledek prohledávání; průběhem je to, co má pod „schedule“, pokud to má.",
      states: "Obsahuje stavy běhu, z nichž není vidět, co se stalo: není to průběh.",
      other: "Není to průběh: tím je objekt se „specification“ a jejími „choices“.",
    },
  },
  properties: {
    "mutual-exclusion": "v sekci zámku jich nikdy není víc, než má jednotek",
    "nobody-stuck": "nikdo nečeká tam, kde se už nic nemůže stát",
    "way-out": "odevšad vede cesta tam, kde nikdo nečeká",
    "one-leader": "žádní dva nejsou považováni za koordinátora téhož období",
    "leader-known": "nakonec znají všichni téhož živého koordinátora, ledaže zemřel a nikdo od té doby volbu nevyhlásil",
    "one-value": "nejsou zvoleny dvě hodnoty",
    "promises-kept": "nikdo nepřijme starší číslo, než jaké slíbil",
    order: "žádná žádost není splněna, dokud čeká jiná, která se stala před ní",
    "one-privilege": "privilegium je právě jedno",
    closure: "je-li jednou privilegium právě jedno, zůstane to tak",
    convergence: "každý průběh dospěje k právě jednomu privilegiu",
    "bounded-bypass": "jakmile žádost dorazila, vstoupí před ní jiní nejvýše tolikrát, kolik jiných je",
    "starvation-free": "kdo chce zámek, jednou jej dostane, děje-li se vše, co se stále může stát",
  },
  replay: {
    title: "Tento běh sleduje průběh",
    position: (position, of) => `${position} z ${of}`,
    next: "dále:",
    over: "Průběh je u konce.",
    forked: "Běh svůj průběh opustil a žije sám.",
    differs: (choice) => `V kroku ${choice + 1} udělaly procesy něco jiného než model: průběh nepokračuje.`,
    step: "Další krok",
    toEnd: "Až do konce",
    fork: "Dál sám",
    forkTip: "Odtud zprávy docházejí, až přijde jejich čas, a vše lze dělat ručně",
  },
  choices: {
    acquire: ({ node, lock = 0 }) => `${name(node)} žádá o zámek ${lock}`,
    acquire_together: ({ node }) => `${name(node)} žádá o své zámky`,
    release: ({ node, lock = 0 }) => `${name(node)} opouští zámek ${lock}`,
    elect: ({ node }) => `${name(node)} vyhlašuje volbu`,
    propose: ({ node, value }) => `${name(node)} navrhuje „${value}“`,
    tell: ({ from, to }) => `${name(from)} něco říká ${name(to)}`,
    corrupt: ({ node, choice }) => `stav uzlu ${name(node)} je přepsán: ${choice}`,
    suspect: ({ node, whom }) => `${name(node)} považuje ${name(whom)} za mrtvý`,
    trust: ({ node, whom }) => `${name(node)} už nepovažuje ${name(whom)} za mrtvý`,
    put: ({ resource, value }) => `někdo zapisuje ${value} do ${resource}`,
    crash: ({ node }) => `${name(node)} havaruje`,
    restart: ({ node }) => `${name(node)} se vrací`,
    pause: ({ node }) => `${name(node)} stojí`,
    resume: ({ node }) => `${name(node)} pokračuje`,
    fire: ({ node }) => `vyprší časovač uzlu ${name(node)}`,
    deliver: (message) => `dojde zpráva ${message}`,
    lose: (message) => `ztratí se zpráva ${message}`,
    duplicate: (message) => `zkopíruje se zpráva ${message}`,
    hold: (message) => `zadrží se zpráva ${message}`,
    network: ({ default: all, link: { from = 0, to = 0, ...link } = {} }) => {
      if (all !== undefined) return `všechny spoje se mění: ${settings(all)}`;
      const which = `spoj z ${name(from)} do ${name(to)}`;
      return Object.keys(link).length === 0 ? `${which} je zase jako ostatní` : `${which} se mění: ${settings(link)}`;
    },
    partition: ({ groups, direction }) => `síť se rozdělí${direction === "forward" ? " jedním směrem" : ""}: ${groupsText(groups)}`,
    rule: ({ match: { from, to, message_kind } = {}, action }) => {
      const [what = "", ms] = action.split(":");
      const ends = [from === undefined ? "" : `od ${name(from)}`, to === undefined ? "" : `k ${name(to)}`];
      const which = ["zprávy", message_kind, ...ends].filter((word) => word).join(" ");
      return `platí pravidlo: ${which} ${RULES[what] ?? what}${ms === undefined ? "" : ` o ${ms} ms`}`;
    },
    remove: ({ partition, rule }) => (partition === undefined ? `pravidlo ${rule} už neplatí` : `rozdělení ${partition} je spojeno`),
    after: (span) => `čas plyne, ${span} ms`,
    start: ({ node }) => `proces uzlu ${name(node)} je tu`,
    begin: ({ node }) => `${name(node)} začíná`,
    relaunch: ({ node }) => `spouští se nový proces pro ${name(node)}`,
    die: ({ node }) => `proces uzlu ${name(node)} končí`,
    arrive: (message) => `zpráva ${message} dosáhne svého procesu`,
    forward: (message) => `zpráva ${message} se ručně uvolní`,
    heal: () => "vše, co bylo porušeno, se napraví",
    note: (words) => `zapíše se poznámka: „${words}“`,
    judge: () => "posoudí se, jak na tom běh je",
  },
};
