/** Czech: why a run does not stand well, and what rules were broken. */

import { sentences } from "../because.js";
import { counted, name, names } from "../lists.js";

export const because = sentences({
  concurrent: (lock, first, second) =>
    `${names.cs([first, second])} byly současně v sekci zámku ${lock}: žádný neodešel dřív, než druhý vstoupil.`,
  unaware: (lock, first, second) =>
    `${names.cs([first, second])} byly v sekci zámku ${lock} po sobě, ale žádný nevěděl, že ten druhý odešel.`,
  overlapping: (lock, first, second) =>
    `Podle hodin počítače vstoupil ${name(second)} do sekce zámku ${lock} dřív, než ji ${name(first)} opustil.`,
  tokenNotGreater: (lock, first, second, earlier, later) =>
    `Fencing token uzlu ${name(second)} pro zámek ${lock} je ${later}, a není tedy větší než ${earlier}, token uzlu ` +
    `${name(first)} při dřívějším vstupu.`,
  outOfOrder: (lock, first, second) =>
    `${name(second)} vstoupil do sekce zámku ${lock} dříve než ${name(first)}, jehož žádost předcházela jeho vlastní.`,
  starvation: (lock, node, passed) =>
    `${name(node)} hladoví: od doručení jeho žádosti vstoupili jiní do zámku ${lock} již ${passed}krát.`,
  nobodyEnters: (waits, ms, died) =>
    `${waits} a už ${(ms / 1000).toFixed(1)} s nikdo nebyl v žádné sekci, ačkoli čekací lhůty znovu a znovu vyprší.` +
    (died === null ? "" : ` ${name(died)} v jedné zemřel.`),
  ofLock: (lock) => `Zámek ${lock}:`,
  secondToken: (node) => `${name(node)} odeslal token, který neměl: jsou dva.`,
  copiedToken: (from, to) => `Token na cestě z ${name(from)} do ${name(to)} byl zkopírován: jsou dva.`,
  lostToken: (from, to) => `Token se na cestě z ${name(from)} do ${name(to)} ztratil.`,
  lostWrite: (resource, node, value, expected, missing) =>
    `Zápis do ${resource} se ztratil: když ${node === null ? "někdo" : name(node)} zapsal, bylo tam ${value}, a ne ${expected}: chybí ${missing}.`,
  lostForGood: (resource, node, value, missing) =>
    `Zápis do ${resource} se ztratil nadobro: chybělo ${missing}, když ${node === null ? "někdo" : name(node)} zapsal ${value} bez předchozího čtení.`,
  unguardedWrite: (resource, node, lock) =>
    `${name(node)} zapsal do ${resource}, aniž by byl v sekci zámku ${lock}.`,
  twoCoordinators: (first, second, term) =>
    `${names.cs([first, second])} se oba mají za koordinátora období ${term}.`,
  twoBeliefs: (term, node, leader, other, theirs) =>
    `V období ${term} má ${name(other)} za koordinátora ${name(theirs)} a ${name(node)} ${name(leader)}.`,
  olderTerm: (node, leader, term, after) =>
    `${name(node)} měl ${name(leader)} za koordinátora období ${term}, když už předtím měl koordinátora období ${after}.`,
  disagreement: (leader, term, node, takes) =>
    `${name(leader)} je koordinátorem období ${term}, ale ${name(node)} ` +
    `${takes === null ? "nezná žádného" : `má za něj ${name(takes)}`} a nic se už nehýbe.`,
  nobodyElected: (term) => `Volba období ${term} vyšuměla: nic se už nehýbe a nikdo nebyl zvolen.`,
  deadCoordinator: (leader, term, node, suspects) =>
    `${name(leader)} je mrtvý a ${name(node)} ho má stále za koordinátora období ${term}, ačkoli ` +
    `${suspects ? "ho považuje za mrtvého" : "od té doby vyhlásil volbu"}: nic se už nehýbe.`,
  resultUnknown: (term, node) =>
    `${name(node)} vyhlásil volbu období ${term} a nezná žádného koordinátora: nic se už nehýbe.`,
  deadlock: (waits) =>
    `Uváznutí: ${waits}. Platí všechny čtyři podmínky: výlučnost, držení a čekání, bez odebrání, čekání v kruhu.`,
  waitsFor: (node, lock, on) => `${name(node)} čeká na zámek ${lock}, který má ${name(on)}`,
  phantom: (node, circle, victim, gaveUp) =>
    `${name(node)} hlásí uváznutí uzlů ${names.cs(circle)}, které nikdy nebylo, a ${name(victim)} se má zbytečně vzdát` +
    `${gaveUp.length === 0 ? "" : `: mezitím se ${gaveUp.length === 1 ? "vzdal" : "vzdaly"} ${names.cs(gaveUp)}`}.`,
  late: (node, circle, victim) =>
    `${name(node)} hlásí uváznutí uzlů ${names.cs(circle)}, které už bylo rozpleteno, a vzdát se má i ${name(victim)}.`,
  livelock: (aborts, nodes) =>
    `Livelock: žádosti uzlů ${names.cs(nodes)} byly ${aborts}krát zrušeny a žádná mezitím nebyla dokončena.`,
  aborted: (node, request, aborts, passed) =>
    `${name(node)} hladoví: jeho žádost ${request} byla zrušena ${aborts}krát, zatímco jiných bylo dokončeno ${passed}.`,
  tooMany: (lock, units, taken) =>
    `Jednotek zámku ${lock} bylo současně přiděleno ${taken}, a je jich ${units}.`,
  twoValues: (instance, first, second) =>
    `V instanci ${instance} byly vybrány dvě hodnoty: „${first}“ a pak „${second}“.`,
  notProposed: (node, instance, value) =>
    `${name(node)} se dozvěděl, že v instanci ${instance} bylo vybráno „${value}“, což nikdo nenavrhl.`,
  brokenPromise: (node, promised, accepted) =>
    `${name(node)} porušil slib: přijal číslo ${accepted}, a slíbil ${promised}.`,
  notLinearizable: (node, key, operation, response) =>
    `Klíč ${key} není linearizovatelný: neexistuje pořadí toho, co se s ním dělo, každé mezi svým začátkem a koncem, v němž ` +
    `${name(node)} žádá „${operation}“ a dostane odpověď „${response}“.`,
  otherEcho: (node, said, heard) => `${name(node)} řekl „${said}“ a jako ozvěnu slyšel „${heard}“.`,
  sameId: (node, id) => `${name(node)} dostal jméno ${id}, které už bylo přiděleno.`,
  unheardValue: (node, value) => `${name(node)} má hodnotu ${value}, kterou nikdo nerozeslal.`,
  forgottenValue: (node, value) => `${name(node)} zapomněl hodnotu ${value}, kterou měl, ačkoli mezitím nezemřel.`,
  duel: (instance, proposers, ballots) =>
    `Livelock: ${names.cs(proposers)} si navzájem překážejí v instanci ${instance}: ${ballots} hlasování mělo dost ` +
    `příslibů, a nic není vybráno.`,
  undecided: (instance) =>
    `Nic se už nehýbe a v instanci ${instance} není nic vybráno, ačkoli žije dost akceptorů.`,
  wait: (nodes) => `${names.cs(nodes)} ${nodes.length === 1 ? "čeká" : "čekají"}`,
  forEver: "navždy: žádná zpráva není na cestě, žádný časovač neběží a nikdo není v sekci.",
  hopeless: "navždy: žádná zpráva není na cestě a žádný časovač neběží.",
  inside: (inside) => `V sekci: ${inside.map(({ node, lock }) => `${name(node)} v sekci zámku ${lock}`).join(", ")}.`,
  electing: (nodes) => `${names.cs(nodes)} ${nodes.length === 1 ? "čeká" : "čekají"} na konec volby`,
  undecidedYet: (instances) => `V instanci ${instances.join(", ")} ještě není nic vybráno`,
  failed: (why) => `Běh skončil předčasně a nikdo neví, jak by pokračoval: ${why}.`,
  dead: (nodes) => `${names.cs(nodes)} ${nodes.length === 1 ? "je mrtvý" : "jsou mrtvé"}.`,
  until: "a nic se samo nepohne:",
  inACycle: (waits) => `Čekají v kruhu: ${waits}.`,
  or: ", nebo ",
  deliver: (count) =>
    count === 1
      ? "doručte zadrženou zprávu"
      : `doručte jednu z ${counted(count, "zadržené zprávy", "zadržených zpráv", "zadržených zpráv")}`,
  resume: (nodes) => `nechte pokračovat ${names.cs(nodes)}`,
  release: (nodes) => `uvolněte zámek, který drží ${names.cs(nodes)}`,
  timers: (nodes) => `nechte vypršet časovač uzlu ${names.cs(nodes)}`,
  heal: (nodes) => `zrušte rozdělení sítě, které odřízlo ${names.cs(nodes)}`,
  slow: (node, lock, ms) =>
    `${name(node)} čeká na zámek ${lock} už ${(ms / 1000).toFixed(1)} s, ale něco se ještě hýbe.`,
  tooShort: ({ parameter, value_ms, needed_ms, longest_delay_ms, bounded, messages, risk }) =>
    `\`${parameter}\` je ${value_ms} ms a má být delší než ${needed_ms} ms: musí během něj po sobě dojít ` +
    `${counted(messages, "zpráva", "zprávy", "zpráv")} a každá může trvat ${bounded ? "" : "(až na jednu z tisíce) "}až ` +
    `${longest_delay_ms} ms. ` +
    (risk === "safety" ? "Pravidla mohou být porušena, ačkoli je algoritmus správný." : "Nemusí jít vpřed."),
});
