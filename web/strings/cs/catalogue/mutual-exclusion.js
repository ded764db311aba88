/** Czech: the algorithms of mutual exclusion, as they stand in the catalogue. */

const tokenHolder = { holder: { summary: "kdo má na začátku token" } };
const regeneration =
  "když je proces mrtvý nebo zpět, ptá se nejmenší z živých všech ostatních, a nemá-li token nikdo z nich, vytvoří nový";

/** @type {import("../../../told.js").Catalogue} */
export const mutualExclusion = {
  bakery: {
    title: "Lamportova pekárna",
    summary: "Vezmi si číslo větší než všechna, která vidíš, a čekej na ty s menšími.",
    messages: "pull: 6(N-1), při čekání více; push: 8(N-1)",
    variants: {
      pull: { summary: "na proměnnou druhého se ptá při každém pohledu, při čekání znovu a znovu" },
      push: { summary: "každá změna se řekne všem a je hotova, když ji všichni potvrdili" },
      "no-choosing": {
        summary: "jako pull, bez čekání na ty, kdo si právě berou číslo",
        broken: "v sekci mohou být dva: někdo si může malé číslo vzít pozdě",
      },
    },
    parameters: {},
  },
  "carvalho-roucairol": {
    summary:
      "Jako Ricart–Agrawala, ale povolení platí, dokud o ně druhý nepožádá zpět: ptej se jen těch, jejichž povolení chybí.",
    variants: {
      original: {
        summary: "z každé dvojice má na začátku povolení menší; kdo je při čekání dá, požádá o ně znovu",
      },
      "no-second-request": {
        summary: "kdo při čekání povolení dá, znovu o ně nepožádá",
        broken: "uváznutí: povolení, které dal, se nikdy nevrátí",
      },
      "both-hold": {
        summary: "z každé dvojice mají na začátku povolení oba",
        broken: "v sekci mohou být dva: ani jeden se nemusí druhého ptát",
      },
      "remove-dead": {
        summary:
          "jako original; kdo je pokládán za mrtvého, jeho povolení se bere za dané, a kdo je zpět po havárii, nemá žádné: " +
          "dokud jeden z dvojice druhému neodpoví, musí se ptát každý",
      },
      "back-as-at-start": {
        summary: "jako remove-dead, ale kdo je zpět po havárii, má za to, že má povolení, která měl na začátku",
        broken: "v sekci mohou být dva: ostatní si tato povolení mezi sebou dali, nebo je vzali za daná",
      },
    },
    parameters: {},
  },
  centralised: {
    title: "Centralizovaný",
    summary: "Koordinátor povoluje sekci vždy jen jednomu a ostatní má ve frontě.",
    messages: "3, nebo 0 pro koordinátora",
    variants: {
      "arrival-order": { summary: "čekající přicházejí na řadu, jak jejich žádosti došly ke koordinátorovi" },
      "timestamp-order": {
        summary:
          "čekající přicházejí na řadu podle logického času žádostí; která dojde až po povolení mladší, jde přesto pozdě",
      },
      lease: {
        summary: "jako arrival-order; kdo včas neodešel, je pokládán za mrtvého, a každý vstup má fencing token",
      },
      "priority-order": {
        summary: "z čekajících přichází na řadu ten s nejmenším číslem, ať ostatní čekají jakkoli dlouho",
        broken: "proces s velkým číslem hladoví, dokud ti s menšími žádají znovu a znovu",
      },
      "no-exclusion": {
        summary: "nikdo se neptá: kdo chce do sekce, vstoupí",
        broken: "vzájemné vyloučení není žádné",
      },
    },
    parameters: {
      coordinator: { summary: "kdo sekci povoluje" },
      lease: {
        summary: "se lhůtou: po jaké době se sekce odebere, v ms: delší, než trvají dvě zprávy a pobyt v sekci",
      },
    },
  },
  "centralised-failover": {
    title: "Centralizovaný s nástupcem",
    summary: "Koordinátor povoluje sekci; když mlčí, zvolí se jiný a ten se všech zeptá, co mají.",
    messages: "3, nebo 0 pro koordinátora, a 1 navíc, je-li třeba čekat; při změně 2(N-1) a volba",
    variants: {
      bully: { summary: "koordinátor se volí algoritmem bully" },
      "acknowledged-ring": { summary: "koordinátor se volí v kruhu, jehož zprávy se potvrzují" },
    },
    parameters: {
      coordinator: { summary: "kdo povoluje sekci do první volby" },
      answer: { summary: "jak dlouho se čeká na odpověď, i při volbě, v ms: déle, než trvají dvě zprávy" },
      patience: { summary: "po jaké době se čekající klient zeptá znovu, v ms" },
    },
  },
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
  lamport: {
    summary:
      "Každý má kopii téže fronty žádostí; vstoupí ten, jehož žádost je první, když už žádná starší nemůže přijít.",
    variants: {
      "any-later-message": {
        summary: "stačí od každého zpráva jakéhokoli druhu pozdější než vlastní žádost: tak je to v článku",
      },
      "explicit-ack": { summary: "každý musí potvrdit právě tuto žádost" },
      "postponed-ack": {
        summary: "jako explicit-ack; kdo je v sekci, potvrdí při odchodu. S release = request platí bez FIFO vše kromě pořadí",
      },
      "remove-dead": {
        summary:
          "jako any-later-message; na toho, kdo je pokládán za mrtvého, se nečeká a jeho žádost neplatí, a kdo je zpět po " +
          "havárii, zapojí se znovu: než požádá, dozví se od ostatních, kolik je hodin a oč žádají",
      },
      "asks-at-once": {
        summary: "jako remove-dead, ale kdo je zpět po havárii, požádá hned, s tím, co ví: s ničím",
        broken: "v sekci mohou být dva: v jeho prázdné frontě je vlastní žádost první",
      },
      "no-ack": {
        summary: "nikdo nepotvrzuje; čí žádost je ve vlastní frontě první, vstoupí hned",
        broken: "v sekci mohou být dva: starší žádost může být ještě na cestě",
      },
      "no-ack-waiting": {
        summary: "nikdo nepotvrzuje; na zprávu jakéhokoli druhu od každého, pozdější než vlastní žádost, se přesto čeká",
        broken: "uvázne: kdo do sekce nechce, nemá co říci",
      },
    },
    parameters: {
      release: { summary: "co RELEASE odebírá: každou žádost svého odesílatele (tak v článku), nebo tu, kterou uvádí" },
    },
  },
  "le-lann": {
    summary: "Kruhem koluje token, ať ho kdo chce, nebo ne; kdo ho dostane, smí dovnitř.",
    messages: "1, chtějí-li všichni; bez omezení, nechce-li nikdo; nový token stojí až 2N-1 zpráv navíc",
    variants: {
      original: { summary: "token odpočívá jen u toho, kdo je v sekci; když se ztratí, je konec" },
      "time-out": {
        summary:
          "kdo token dlouho neviděl, činí si nárok vytvořit nový a starší proti němu neplatí; a mrtví se vynechávají",
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
  maekawa: {
    summary: "Ptej se jen svého okrsku; každé dva okrsky se protínají a nikdo nehlasuje pro dva najednou.",
    messages:
      "3(K-1) … 7(K-1), K je velikost okrsku; succession: 2K navíc, když zemře arbitr; tree-quorums: K = 1+log2(N), více za " +
      "každého mrtvého",
    variants: {
      corrected: {
        summary: "žádost, která je při příchodu nejlepší, se dozví, když ji vytlačí lepší (Sanders 1987)",
      },
      "version-1": {
        summary: "jen REQUEST, LOCKED a RELEASE: o hlas se nikdy nežádá zpět",
        broken: "uváznutí: někteří mají hlasy, na které ostatní čekají",
      },
      "version-2": {
        summary: "jak bylo poprvé vydáno: že je známa lepší žádost, se dozví jen ten, kdo žádá",
        broken: "uváznutí: žádost vytlačená lepší o tom neví a své hlasy si nechá",
      },
      "tree-quorums": {
        summary:
          "jako corrected, s cestami binárním stromem místo okrsků: za mrtvého tam jsou dvě cesty pod ním " +
          "(Agrawala a El Abbadi 1991)",
      },
      "half-trees": {
        summary: "jako tree-quorums, ale pod mrtvým stačí jedna cesta",
        broken: "v sekci mohou být dva: jejich cesty se neprotínají",
      },
      succession: {
        summary: "jako corrected a místo mrtvého arbitra převezme další proces, který se ptá, kdo má jeho hlas",
      },
      "forgetful-succession": {
        summary: "jako succession, ale nový arbitr začne se svým hlasem, ať ho má kdokoli",
        broken: "v sekci mohou být dva: dřívější arbitr hlasoval pro jednoho a nový hlasuje pro druhého",
      },
    },
    parameters: {
      coterie: { summary: "volební okrsky" },
      failed: {
        summary:
          "ve version-2, komu se řekne FAILED: tomu, kdo žádá, je-li lepší kterákoli známá žádost, nebo je-li lepší ta, která " +
          "má hlas",
      },
    },
  },
  "naimi-trehel": {
    summary: "Žádost jde stromem k tomu, kdo bude mít token poslední, a ze žadatele udělá nový kořen.",
    messages: "v průměru O(log N), 0, je-li token zde",
    variants: {
      original: { summary: "článek, bez jeho oprav po selháních" },
      regeneration: { summary: `${regeneration}; kdo čeká, požádá znovu` },
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
          "bez INITIALIZE",
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
  "replicated-lock": {
    title: "Replikovaná služba zámků",
    summary: "Vůdce nechává každou operaci se zámky zvolit většinou; zámky jsou na lhůtu a mají fencing tokeny.",
    messages: "4(N-1) + 3, nebo 4(N-1) pro vůdce; více, čeká-li nebo zůstává-li dlouho",
    variants: {
      leased: { summary: "zámek se drží po dobu lhůty a prodlužuje se" },
      "adopts-nothing": {
        summary: "nový vůdce začne s tím, co sám provedl, ať sliby uvádějí jako přijaté cokoli",
        broken: "co povolil předchozí vůdce, povolí se znovu",
      },
    },
    parameters: {
      leader: { summary: "kdo vede jako první" },
      lease: { summary: "jak dlouho se zámek drží bez prodloužení, v ms" },
      retry: {
        summary:
          "jak dlouho uzel čeká, než se znovu zeptá, prodlouží nebo pošle zprávu znovu, v ms; není-li dáno, čtvrtina lhůty",
        range: "0.001 … 1/4 z `lease`",
      },
    },
  },
  "ricart-agrawala": {
    summary: "Zeptej se všech; vstup, až všichni odpoví. Kdo je v sekci nebo požádal dřív, odpoví později.",
    variants: {
      "lamport-clock": { summary: "každá zpráva nese logické hodiny a posouvá je" },
      "sequence-numbers": {
        summary: "článek: žádost dostane 1 + nejvyšší číslo, které bylo posláno nebo přijato, a REPLY žádné nenese",
      },
      "remove-dead": {
        summary:
          "jako lamport-clock; kdo je pokládán za mrtvého, toho se neptá, a kdo je zpět po havárii, zapojí se znovu: než " +
          "požádá, dozví se od ostatních, kolik je hodin",
      },
      "asks-at-once": {
        summary: "jako remove-dead, ale kdo je zpět po havárii, požádá hned, s tím, co ví: s ničím",
        broken: "v sekci mohou být dva: jeho první žádost platí za starší než ty, na které nebyl tázán",
      },
      modulo: { summary: "jako sequence-numbers, čísla jsou modulo 2N-1 a porovnávají se na kruhu" },
      "modulo-too-small": {
        summary: "jako modulo, modulo 2N-2",
        broken: "v sekci mohou být dva: ze dvou čísel vzdálených o N-1 platí každé za starší",
      },
      "lamport-clock-modulo": {
        summary: "jako lamport-clock, čísla jsou modulo 2N-1 a porovnávají se na kruhu",
        broken: "v sekci mohou být dva: hodiny se rozejdou o víc než polovinu kruhu",
      },
      "reply-at-tie": {
        summary: "odpoví na žádost se stejným časem, jako má vlastní",
        broken: "v sekci mohou být dva: při stejném čase dá každý přednost druhému",
      },
      "defer-at-tie": {
        summary: "odloží žádost se stejným časem, jako má vlastní",
        broken: "uváznutí: při stejném čase čeká každý na druhého",
      },
      "no-clock-update": {
        summary: "žádost dostane 1 + nejvyšší poslané číslo: co bylo přijato, se nepočítá",
        broken: "v sekci mohou být dva: kdo odpověděl, může později žádat s menším číslem",
      },
      "no-timestamps": {
        summary: "žádost nemá čas: přednost má vždy menší proces",
        broken: "v sekci mohou být dva: kdo odpověděl, může žádat později, a přece mít přednost; a největší hladoví",
      },
    },
    parameters: {},
  },
  "ricart-agrawala-token": {
    title: "Ricart–Agrawala s tokenem",
    summary:
      "Jeden token, o který se žádá u všech; pamatuje si, čí žádost byla splněna naposledy, takže jeho držitel ví, kdo čeká.",
    messages: "N, nebo 0, je-li token zde",
    variants: {
      "ring-order": { summary: "token dostane první čekající po jeho držiteli, kolo za kolem: článek" },
      "longest-waiting": { summary: "token dostane nejstarší žádost, kterou jeho držitel zná, podle logického času" },
      regeneration: { summary: `jako ring-order; ${regeneration}` },
    },
    parameters: tokenHolder,
  },
  sanders: {
    summary:
      "Ptej se své množiny request a při odchodu dej vědět množině inform: podle množin je to ten či onen algoritmus.",
    messages: "při malém zájmu 2(N-1), 3(K-1) nebo 3(N-1)/N, podle algoritmu, čí množiny to jsou",
    variants: {
      "ricart-agrawala": { summary: "každý se ptá všech a dává vědět jen sobě" },
      maekawa: { summary: "každý se ptá svého okrsku z dané koterie a dává mu vědět" },
      centralised: { summary: "každý se ptá sebe a koordinátora a oběma dává vědět" },
      given: { summary: "množiny jsou dány parametry inform a request" },
    },
    parameters: {
      coterie: { summary: "v maekawa volební okrsky" },
      coordinator: { summary: "v centralised, koho se ptát" },
      inform: { summary: "v given množiny inform" },
      request: { summary: "v given množiny request" },
      check: {
        summary:
          "v given, zda se odmítnou množiny, které porušují podmínky; s takovými, pro výuku, mohou být v sekci dva",
      },
    },
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
      regeneration: { summary: `jako fifo-queue; ${regeneration}` },
      "hasty-regeneration": {
        summary: "jako regeneration, ale kdo se má ptát, vytvoří nový token hned",
        broken: "v sekci mohou být dva: ten, kdo zemřel, token mít nemusel",
      },
    },
    parameters: tokenHolder,
  },
};
