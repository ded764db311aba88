/** Czech: the algorithms in which who has the token, or the privilege, may enter, as they stand in the catalogue. */

const tokenHolder = { holder: { summary: "kdo má na začátku token" } };
const regeneration =
  "když je proces mrtvý nebo zpět, ptá se nejmenší z živých všech ostatních, a nemá-li token nikdo z nich, vytvoří nový";

const remembers = "poslední token musí vždy znát některý živý proces";

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const tokens = {
  "dijkstra-ring": {
    title: "Dijkstrův kruh",
    summary: "Příznaky v kruhu: kdo se liší od předchůdce, smí dovnitř a pak jeho příznak opíše; proces 0 místo toho počítá.",
    messages: "1, chtějí-li všichni; bez omezení, nechce-li nikdo",
    variants: {
      "message-passing": { summary: "každý proces má kopii příznaku předchůdce, který se říká znovu a znovu" },
      composite: {
        summary: "podívat se na příznak předchůdce a změnit vlastní je jediný krok: po síti to nejde",
      },
      "no-heir": {
        summary: "jako message-passing, ale když proces 0 zemře, nikdo místo něj nepočítá",
        broken:
          "uváznutí: jakmile je proces 0 mrtvý a všechny příznaky stejné, nemá privilegium nikdo; do té doby je mohou mít dva",
      },
    },
    parameters: {
      k: { summary: "kolik stavů má příznak; je-li jich málo, kruh se nemusí stabilizovat" },
      period: { summary: "message-passing: po jaké době se příznak řekne znovu, v ms" },
      pause: { summary: "composite: jak dlouho odpočívá privilegium, které nikdo nechce, v ms" },
    },
  },
  "le-lann": {
    summary: "Kruhem koluje token, ať ho kdo chce, nebo ne; kdo ho dostane, smí dovnitř.",
    messages: "1, chtějí-li všichni; bez omezení, nechce-li nikdo; nový token stojí až 2N-1 zpráv navíc",
    variants: {
      original: { summary: "token odpočívá jen u toho, kdo je v sekci; když se ztratí, je konec" },
      "time-out": {
        summary:
          "kdo token dlouho neviděl, činí si nárok vytvořit nový a starší proti němu neplatí; a mrtví se vynechávají; " +
          remembers,
      },
      "two-tokens": {
        summary: "Misra 1983, bez časových limitů: kolují dva tokeny a každý ukáže, když se druhý ztratil",
      },
      "no-generation": {
        summary: "jako time-out, ale token je jako token",
        broken: "v sekci mohou být dva: token pokládaný za ztracený, který se zase objeví, platí",
      },
      "two-regenerators": {
        summary: "jako time-out, ale kdo token postrádá, vytvoří nový bez ptaní",
        broken: "v sekci mohou být dva: token jich postrádá víc a každý vytvoří jeden",
      },
    },
    parameters: {
      ...tokenHolder,
      missing: {
        summary:
          "s časovým limitem: po jaké době bez tokenu ho postrádá, v ms: delší, než trvá 2N zpráv a pobyty všech ostatních " +
          "v sekci",
      },
    },
  },
  "naimi-trehel": {
    summary: "Žádost jde stromem k tomu, kdo bude mít token poslední, a ze žadatele udělá nový kořen.",
    messages: "v průměru O(log N), 0, je-li token zde",
    variants: {
      original: { summary: "článek, bez jeho oprav po selháních" },
      regeneration: { summary: `${regeneration}; kdo čeká, požádá znovu; ${remembers}` },
    },
    parameters: tokenHolder,
  },
  raymond: {
    summary: "Procesy tvoří strom; žádosti jdou k privilegiu a to se vrací po týchž hranách.",
    messages:
      "2 za každou hranu mezi žadatelem a privilegiem; bridging: 1 navíc za každého živého souseda mrtvých kromě jednoho",
    variants: {
      original: { summary: "kdo privilegium předá, zatímco jiní čekají, požádá o ně znovu: článek" },
      "no-further-request": {
        summary: "kdo privilegium předá, znovu o ně nepožádá",
        broken: "uvázne: kdo čeká za tím, kdo privilegium dostal, je zapomenut",
      },
      misdirected: {
        summary: "HOLDER se stane poslední soused, ať INITIALIZE poslal kdokoli",
        broken: "uvázne: žádosti jdou tam, kde privilegium není",
      },
      recovery: {
        summary:
          "zotavení z článku: kdo je zpět po havárii, ptá se sousedů na to, co zapomněl; všichni znají strom i to, kdo začíná, " +
          "bez INITIALIZE; dokud neodpoví všichni, nesmí žádný soused havarovat",
      },
      "hasty-recovery": {
        summary: "jako recovery, ale kdo je zpět, jedná podle první odpovědi",
        broken: "v sekci mohou být dva, nebo někteří čekají navždy: kde je privilegium, ví jiný soused",
      },
      bridging: {
        summary:
          "kdo je kolem mrtvých, stane se sousedem jednoho z nich a řekne mu, jak na tom je, a ten privilegium vytvoří znovu, " +
          "ztratilo-li se; všichni znají strom i to, kdo začíná, bez INITIALIZE",
      },
      "hasty-bridging": {
        summary: "jako bridging, ale komu privilegium chybí, vytvoří je znovu a na ostatní nečeká",
        broken: "v sekci mohou být dva: jiný soused mrtvých privilegium má, nebo ví, kde je",
      },
    },
    parameters: {
      tree: { summary: "kdo je čí soused" },
      holder: { summary: "kdo má na začátku privilegium" },
    },
  },
  "ricart-agrawala-token": {
    title: "Ricart–Agrawala s tokenem",
    summary:
      "Jeden token, o který se žádá u všech; pamatuje si, čí žádost byla splněna naposledy, takže jeho držitel ví, kdo čeká.",
    messages: "N, nebo 0, je-li token zde",
    variants: {
      "ring-order": { summary: "token dostane první čekající po jeho držiteli, kolo za kolem: článek" },
      "longest-waiting": { summary: "token dostane nejstarší žádost, kterou jeho držitel zná, podle logického času" },
      regeneration: { summary: `jako ring-order; ${regeneration}; ${remembers}` },
    },
    parameters: tokenHolder,
  },
  "suzuki-kasami": {
    summary: "Jeden token, o který se žádá u všech; nese frontu čekajících a číslo posledního vstupu každého procesu.",
    messages: "N, nebo 0, je-li token zde",
    variants: {
      "fifo-queue": { summary: "další je ten, kdo čeká ve frontě nejdéle: článek" },
      "lifo-queue": {
        summary: "další je ten, kdo přišel do fronty poslední",
        broken: "hladoví: čekajícího mohou jiní předbíhat znovu a znovu, navždy",
      },
      regeneration: { summary: `jako fifo-queue; ${regeneration}; ${remembers}` },
      "hasty-regeneration": {
        summary: "jako regeneration, ale kdo se má ptát, vytvoří nový token hned",
        broken: "v sekci mohou být dva: ten, kdo zemřel, token mít nemusel",
      },
    },
    parameters: tokenHolder,
  },
};
