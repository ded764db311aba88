/**
 * Catalogue entries of the algorithms that agree on values. Only German and Czech: the server provides the English
 * texts.
 */

import { both } from "../say.js";

export const agreement = {
  paxos: {
    summary: both("Ein Proposer bittet eine Mehrheit um Versprechen und dann um Zustimmung; was eine Mehrheit mit derselben Nummer " +
      "akzeptiert, ist gewählt.",
      "Navrhovatel žádá většinu o sliby a pak o přijetí; co většina přijme se stejným číslem, je zvoleno."),
    messages: both("kein Eintritt; 4 je Akzeptor, um einen Wert zu wählen, mit einem Proposer und einem Learner",
      "žádné vstupy; 4 na akceptora k volbě hodnoty, s jedním navrhovatelem a jedním, kdo se ji dozvídá"),
    variants: {
      "single-decree": {
        summary: both("wie im Aufsatz: Ein einziger Wert wird gewählt, ein für alle Mal",
          "jako v článku: zvolena je jediná hodnota, jednou provždy"),
      },
      "adopts-nothing": {
        summary: both("ein Proposer schlägt den eigenen Wert vor, was immer seine Versprechen als schon akzeptiert nennen",
          "navrhovatel navrhuje vlastní hodnotu, ať sliby uvádějí jako dříve přijaté cokoli"),
        broken: both("ein Wert wird gewählt, obwohl ein anderer es war", "je zvolena hodnota, ačkoli už byla zvolena jiná"),
      },
      "accepted-without-number": {
        summary: both("Akzeptoren nennen den Wert, den sie akzeptiert haben, ohne die Nummer des Vorschlags",
          "akceptoři oznamují přijatou hodnotu bez čísla návrhu"),
        broken: both("Zustimmungen zu verschiedenen Vorschlägen werden zusammengezählt, und Learner lernen verschiedene Werte",
          "přijetí různých návrhů se sečtou a různí se dozvědí různé hodnoty"),
      },
      "promise-forgotten": {
        summary: both("Versprechen und was akzeptiert wurde, stehen nicht in einem Speicher, der einen Absturz überlebt",
          "sliby a přijetí nejsou v paměti, která přežije havárii"),
        broken: both("ein Akzeptor, der zurückkommt, bricht sein Versprechen, und ein zweiter Wert wird gewählt",
          "akceptor, který se vrátí, poruší slib a je zvolena druhá hodnota"),
      },
    },
    parameters: {
      acceptors: { summary: both("wer verspricht und akzeptiert", "kdo slibuje a přijímá") },
      learners: { summary: both("wem gesagt wird, was akzeptiert wurde", "komu se oznamuje, co bylo přijato") },
      proposers: {
        summary: both("wer am Anfang vorschlägt, Knoten 3 den Wert `v3`; wen es von 0 und 1 gibt, wenn nichts angegeben ist",
          "kdo na začátku navrhuje, uzel 3 hodnotu `v3`; není-li dáno, kdo z 0 a 1 tu je"),
      },
      quorum: {
        summary: both("wie viele Akzeptoren genügen; weniger als eine Mehrheit wählt zwei Werte",
          "kolik akceptorů stačí; méně než většina zvolí dvě hodnoty"),
        range: both("majority, 1 … die Zahl der `acceptors`", "majority, 1 … počet `acceptors`"),
      },
      retry: {
        summary: both("wie lange ein Proposer wartet, bevor er eine höhere Nummer versucht, in ms; einer, der kein Learner " +
          "ist, wartet nur auf Versprechen",
          "jak dlouho navrhovatel čeká, než zkusí vyšší číslo, v ms; kdo se výsledek nedozvídá, čeká jen na sliby"),
      },
      "back-off": {
        summary: both("wie er wartet: ein- bis dreimal `retry`, zufällig, oder immer `retry`",
          "jak čeká: jednou až třikrát `retry`, náhodně, nebo vždy `retry`"),
      },
    },
  },
  "replicated-lock": {
    title: both("Replizierter Sperrdienst", "Replikovaná služba zámků"),
    summary: both("Ein Anführer lässt jede Operation auf den Sperren von einer Mehrheit wählen; Sperren gelten eine Frist lang " +
      "und haben Fencing-Token.",
      "Vůdce nechává každou operaci se zámky zvolit většinou; zámky jsou na lhůtu a mají fencing tokeny."),
    messages: both("4(N-1) + 3, oder 4(N-1) für den Anführer; mehr, wenn er wartet oder lange bleibt",
      "4(N-1) + 3, nebo 4(N-1) pro vůdce; více, čeká-li nebo zůstává-li dlouho"),
    variants: {
      leased: {
        summary: both("eine Sperre gilt für die Dauer einer Frist und wird verlängert",
          "zámek se drží po dobu lhůty a prodlužuje se"),
      },
      "adopts-nothing": {
        summary: both("ein neuer Anführer beginnt mit dem, was er selbst angewandt hat, was immer seine Versprechen als " +
          "akzeptiert nennen",
          "nový vůdce začne s tím, co sám provedl, ať sliby uvádějí jako přijaté cokoli"),
        broken: both("was der Anführer davor gewährt hat, wird noch einmal gewährt",
          "co povolil předchozí vůdce, povolí se znovu"),
      },
    },
    parameters: {
      leader: { summary: both("wer zuerst führt", "kdo vede jako první") },
      lease: {
        summary: both("wie lange eine Sperre ohne Verlängerung gilt, in ms", "jak dlouho se zámek drží bez prodloužení, v ms"),
      },
      retry: {
        summary: both("wie lange ein Knoten wartet, bevor er noch einmal fragt, verlängert oder noch einmal sendet, in ms; ein " +
          "Viertel der Frist, wenn nichts angegeben ist",
          "jak dlouho uzel čeká, než se znovu zeptá, prodlouží nebo pošle zprávu znovu, v ms; není-li dáno, čtvrtina lhůty"),
        range: both("0.001 … 1/4 von `lease`", "0.001 … 1/4 z `lease`"),
      },
    },
  },
};
