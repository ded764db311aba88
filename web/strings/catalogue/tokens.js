/**
 * Catalogue entries of the algorithms that pass a token or a privilege. Only German and Czech: the server provides the
 * English texts.
 */

import { both } from "../say.js";

const tokenHolder = {
  holder: { summary: both("wer am Anfang das Token hat", "kdo má na začátku token") },
};

const regeneration = both("wenn ein Prozess abgestürzt oder zurück ist, fragt der kleinste lebende alle anderen, und hat " +
  "keiner von ihnen das Token, so macht er ein neues",
  "když proces havaroval nebo je zpět, ptá se nejmenší z živých všech ostatních, a nemá-li token nikdo z nich, vytvoří nový");

const remembers = both("ein lebender Prozess muss immer das letzte Token kennen",
  "poslední token musí vždy znát některý živý proces");

export const tokens = {
  "dijkstra-ring": {
    title: both("Dijkstras Ring", "Dijkstrův kruh"),
    summary: both("Flags in einem Ring: Wer sich vom Vorgänger unterscheidet, darf hinein und kopiert dann dessen Flag; " +
      "Prozess 0 zählt stattdessen.",
      "Příznaky v kruhu: kdo se liší od předchůdce, smí dovnitř a pak jeho příznak opíše; proces 0 místo toho počítá."),
    messages: both("1, wenn alle hinein wollen; unbegrenzt, wenn niemand will",
      "1, chtějí-li všichni; bez omezení, nechce-li nikdo"),
    variants: {
      "message-passing": {
        summary: both("jeder Prozess hat eine Kopie des Flags seines Vorgängers; Flags werden immer wieder gesendet",
          "každý proces má kopii příznaku předchůdce; příznaky se posílají znovu a znovu"),
      },
      composite: {
        summary: both("das Flag des Vorgängers ansehen und das eigene ändern ist ein einziger Schritt: nicht über ein Netz",
          "podívat se na příznak předchůdce a změnit vlastní je jediný krok: po síti to nejde"),
      },
      "no-heir": {
        summary: both("wie message-passing, aber wenn Prozess 0 abstürzt, zählt niemand an seiner Stelle",
          "jako message-passing, ale když proces 0 havaruje, nikdo místo něj nepočítá"),
        broken: both("Verklemmung: Ist Prozess 0 abgestürzt und sind alle Flags gleich, so hat niemand das Privileg; bis " +
          "dahin können es zwei haben",
          "uváznutí: jakmile proces 0 havaroval a všechny příznaky jsou stejné, nemá privilegium nikdo; do té doby je mohou " +
          "mít dva"),
      },
    },
    parameters: {
      k: {
        summary: both("wie viele Zustände ein Flag hat; mit zu wenigen muss sich der Ring nicht stabilisieren",
          "kolik stavů má příznak; je-li jich málo, kruh se nemusí stabilizovat"),
      },
      period: {
        summary: both("message-passing: nach welcher Zeit ein Flag noch einmal gesendet wird, in ms",
          "message-passing: po jaké době se příznak pošle znovu, v ms"),
      },
      pause: {
        summary: both("composite: wie lange ein Privileg ruht, das niemand will, in ms",
          "composite: jak dlouho odpočívá privilegium, které nikdo nechce, v ms"),
      },
    },
  },
  "le-lann": {
    summary: both("Ein Token geht im Ring herum, ob gewollt oder nicht; wer es bekommt, darf hinein.",
      "Kruhem koluje token, ať ho kdo chce, nebo ne; kdo ho dostane, smí dovnitř."),
    messages: both("1, wenn alle hinein wollen; unbegrenzt, wenn niemand will; ein neues Token kostet bis zu 2N-1 mehr",
      "1, chtějí-li všichni; bez omezení, nechce-li nikdo; nový token stojí až 2N-1 zpráv navíc"),
    variants: {
      original: {
        summary: both("das Token ruht nur bei einem Prozess im kritischen Abschnitt; geht es verloren, tritt keiner mehr ein",
          "token odpočívá jen u procesu v kritické sekci; když se ztratí, už nevstoupí nikdo"),
      },
      "time-out": {
        summary: both("wer das Token lange nicht gesehen hat, beansprucht, ein neues zu machen, und ältere gelten dann nicht " +
          `mehr; abgestürzte Prozesse werden übergangen; ${remembers.de}`,
          "kdo token dlouho neviděl, činí si nárok vytvořit nový a starší proti němu neplatí; havarované procesy se " +
          `vynechávají; ${remembers.cs}`),
      },
      "two-tokens": {
        summary: both("Misra 1983, ohne Wartezeiten: Zwei Token gehen herum, und jedes zeigt, wenn das andere verloren ist",
          "Misra 1983, bez časových limitů: kolují dva tokeny a každý ukáže, když se druhý ztratil"),
      },
      "no-generation": {
        summary: both("wie time-out, aber ein Token ist wie das andere", "jako time-out, ale token je jako token"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Ein verloren geglaubtes Token, das wieder auftaucht, " +
          "gilt",
          "vzájemné vyloučení může být porušeno: token pokládaný za ztracený, který se zase objeví, platí"),
      },
      "two-regenerators": {
        summary: both("wie time-out, aber wer das Token vermisst, macht ein neues, ohne zu fragen",
          "jako time-out, ale kdo token postrádá, vytvoří nový bez ptaní"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Mehrere vermissen das Token, und jeder macht eines",
          "vzájemné vyloučení může být porušeno: token jich postrádá víc a každý vytvoří jeden"),
      },
    },
    parameters: {
      ...tokenHolder,
      missing: {
        summary: both("mit Wartezeit, nach welcher Zeit ohne Token es vermisst wird, in ms: länger, als 2N Nachrichten " +
          "dauern und die Aufenthalte aller anderen im kritischen Abschnitt",
          "s časovým limitem: po jaké době bez tokenu ho postrádá, v ms: delší, než trvá 2N zpráv a pobyty všech ostatních v " +
          "kritické sekci"),
      },
    },
  },
  "naimi-trehel": {
    summary: both("Eine Anfrage läuft durch einen Baum zu dem, der das Token als Letzter haben wird, und macht den, der fragt, " +
      "zur neuen Wurzel.",
      "Žádost jde stromem k tomu, kdo bude mít token poslední, a ze žadatele udělá nový kořen."),
    messages: both("O(log N) im Mittel, 0, wenn das Token da ist", "v průměru O(log N), 0, je-li token zde"),
    variants: {
      original: { summary: both("der Aufsatz, ohne seine Reparatur von Ausfällen", "článek, bez jeho oprav po selháních") },
      regeneration: {
        summary: both(`${regeneration.de}; wer wartet, fragt noch einmal; ${remembers.de}`,
          `${regeneration.cs}; kdo čeká, požádá znovu; ${remembers.cs}`),
      },
    },
    parameters: tokenHolder,
  },
  raymond: {
    summary: both("Die Prozesse bilden einen Baum; Anfragen laufen auf das Privileg zu, und über dieselben Kanten kommt es " +
      "zurück.",
      "Procesy tvoří strom; žádosti jdou k privilegiu a to se vrací po týchž hranách."),
    messages: both("2 für jede Kante zwischen dem, der fragt, und dem Privileg; bridging: 1 mehr für jeden lebenden Nachbarn " +
      "der abgestürzten Prozesse außer einem",
      "2 za každou hranu mezi žadatelem a privilegiem; bridging: 1 navíc za každého živého souseda havarovaných procesů " +
      "kromě jednoho"),
    variants: {
      original: {
        summary: both("wer das Privileg weitergibt, während andere warten, fragt wieder danach: der Aufsatz",
          "kdo privilegium předá, zatímco jiní čekají, požádá o ně znovu: článek"),
      },
      "no-further-request": {
        summary: both("wer das Privileg weitergibt, fragt nicht wieder danach", "kdo privilegium předá, znovu o ně nepožádá"),
        broken: both("steckt fest: Wer hinter dem wartet, der das Privileg bekam, ist vergessen",
          "uvázne: kdo čeká za tím, kdo privilegium dostal, je zapomenut"),
      },
      misdirected: {
        summary: both("HOLDER wird der letzte Nachbar, wer immer INITIALIZE gesandt hat",
          "HOLDER se stane poslední soused, ať INITIALIZE poslal kdokoli"),
        broken: both("steckt fest: Anfragen gehen dorthin, wo das Privileg nicht ist",
          "uvázne: žádosti jdou tam, kde privilegium není"),
      },
      recovery: {
        summary: both("die Reparatur des Aufsatzes: Wer nach einem Absturz zurück ist, fragt seine Nachbarn nach dem, was er " +
          "vergessen hat; alle kennen den Baum und wer beginnt, ohne INITIALIZE; bis alle geantwortet haben, darf kein Nachbar " +
          "abstürzen",
          "zotavení z článku: kdo je zpět po havárii, ptá se sousedů na to, co zapomněl; všichni znají strom i to, kdo začíná, " +
          "bez INITIALIZE; dokud neodpoví všichni, nesmí žádný soused havarovat"),
      },
      "hasty-recovery": {
        summary: both("wie recovery, aber wer zurück ist, handelt nach der ersten Antwort",
          "jako recovery, ale kdo je zpět, jedná podle první odpovědi"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden, oder manche warten für immer: Ein anderer Nachbar " +
          "weiß, wo das Privileg ist",
          "vzájemné vyloučení může být porušeno, nebo někteří čekají navždy: kde je privilegium, ví jiný soused"),
      },
      bridging: {
        summary: both("die Nachbarn abgestürzter Prozesse werden Nachbarn von einem unter ihnen und melden ihm ihren " +
          "Zustand; er macht das Privileg neu, wenn es verloren ist; alle kennen den Baum und wer beginnt, ohne INITIALIZE",
          "sousedé havarovaných procesů se stanou sousedy jednoho z nich a ohlásí mu svůj stav; ten privilegium vytvoří " +
          "znovu, ztratilo-li se; všichni znají strom i to, kdo začíná, bez INITIALIZE"),
      },
      "hasty-bridging": {
        summary: both("wie bridging, aber wem das Privileg fehlt, der macht es neu, ohne auf die anderen zu warten",
          "jako bridging, ale komu privilegium chybí, vytvoří je znovu a na ostatní nečeká"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Ein anderer Nachbar der abgestürzten Prozesse hat " +
          "das Privileg oder weiß, wo es ist",
          "vzájemné vyloučení může být porušeno: jiný soused havarovaných procesů privilegium má, nebo ví, kde je"),
      },
    },
    parameters: {
      tree: { summary: both("wer wessen Nachbar ist", "kdo je čí soused") },
      holder: { summary: both("wer am Anfang das Privileg hat", "kdo má na začátku privilegium") },
    },
  },
  "ricart-agrawala-token": {
    title: both("Ricart–Agrawala mit Token", "Ricart–Agrawala s tokenem"),
    summary: both("Ein Token, nach dem alle gefragt werden; es merkt sich, wessen Anfrage zuletzt erfüllt wurde, also weiß " +
      "sein Inhaber, wer wartet.",
      "Jeden token, o který se žádá u všech; pamatuje si, čí žádost byla splněna naposledy, takže jeho držitel ví, kdo čeká."),
    messages: both("N, oder 0, wenn das Token da ist", "N, nebo 0, je-li token zde"),
    variants: {
      "ring-order": {
        summary: both("das Token geht an den Ersten nach seinem Inhaber, der wartet, Runde um Runde: der Aufsatz",
          "token dostane první čekající po jeho držiteli, kolo za kolem: článek"),
      },
      "longest-waiting": {
        summary: both("das Token geht an die älteste Anfrage, die sein Inhaber kennt, in logischer Zeit",
          "token dostane nejstarší žádost, kterou jeho držitel zná, podle logického času"),
      },
      regeneration: {
        summary: both(`wie ring-order; ${regeneration.de}; ${remembers.de}`, `jako ring-order; ${regeneration.cs}; ${remembers.cs}`),
      },
    },
    parameters: tokenHolder,
  },
  "suzuki-kasami": {
    summary: both("Ein Token, nach dem alle gefragt werden; es trägt die Warteschlange derer, die warten, und von jedem die " +
      "Nummer des letzten Eintritts.",
      "Jeden token, o který se žádá u všech; nese frontu čekajících a číslo posledního vstupu každého procesu."),
    messages: both("N, oder 0, wenn das Token da ist", "N, nebo 0, je-li token zde"),
    variants: {
      "fifo-queue": {
        summary: both("der Nächste ist, wer am längsten in der Warteschlange wartet: der Aufsatz",
          "další je ten, kdo čeká ve frontě nejdéle: článek"),
      },
      "lifo-queue": {
        summary: both("der Nächste ist, wer zuletzt in die Warteschlange kam", "další je ten, kdo přišel do fronty poslední"),
        broken: both("verhungert: Andere können einen, der wartet, immer wieder überholen, für immer",
          "hladoví: čekajícího mohou jiní předbíhat znovu a znovu, navždy"),
      },
      regeneration: {
        summary: both(`wie fifo-queue; ${regeneration.de}; ${remembers.de}`, `jako fifo-queue; ${regeneration.cs}; ${remembers.cs}`),
      },
      "hasty-regeneration": {
        summary: both("wie regeneration, aber wer fragen soll, macht sofort ein neues Token",
          "jako regeneration, ale kdo se má ptát, vytvoří nový token hned"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Der abgestürzte Prozess muss das Token nicht gehabt " +
          "haben",
          "vzájemné vyloučení může být porušeno: havarovaný proces token mít nemusel"),
      },
    },
    parameters: tokenHolder,
  },
};
