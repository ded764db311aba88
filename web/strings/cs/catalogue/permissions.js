/** Czech: the algorithms in which others give permissions or votes, as they stand in the catalogue. */

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const permissions = {
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
  maekawa: {
    summary: "Ptej se jen svého okrsku; každé dva okrsky se protínají a nikdo nehlasuje pro dva najednou.",
    messages:
      "3(K-1) … 7(K-1), K je velikost okrsku; succession: 2K navíc, když zemře arbitr; tree-quorums: K je " +
      "nejvýše 1+⌊log₂N⌋, více za každého mrtvého",
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
        broken: "v sekci mohou být dva: kdo odpověděl, může žádat později, a přece mít přednost",
      },
    },
    parameters: {},
  },
  sanders: {
    summary:
      "Ptej se své množiny request a při odchodu dej vědět množině inform: podle množin je to ten či onen algoritmus.",
    messages:
      "při malém zájmu 2(N-1), 3(K-1) nebo 3(N-1)/N, podle algoritmu, čí množiny to jsou; remove-dead: o 2 víc za každého, kdo je " +
      "dotázán místo mrtvého",
    variants: {
      "ricart-agrawala": { summary: "každý se ptá všech a dává vědět jen sobě" },
      maekawa: { summary: "každý se ptá svého okrsku z dané koterie a dává mu vědět" },
      centralised: { summary: "každý se ptá sebe a koordinátora a oběma dává vědět" },
      given: { summary: "množiny jsou dány parametry inform a request" },
      "remove-dead": {
        summary:
          "množiny algoritmu, který jmenuje sets; dva, kterým zemřel ten, jemuž oba dávají vědět, se od té doby ptají jeden druhého",
      },
      "asked-one-way": {
        summary: "jako remove-dead, ale kdo je takto dotázán, sám se nezeptá",
        broken: "v sekci mohou být dva: jeden má svolení mrtvého a ještě neví, že zemřel",
      },
    },
    parameters: {
      coterie: { summary: "s množinami maekawa volební okrsky" },
      coordinator: { summary: "s množinami centralised, koho se ptát" },
      sets: { summary: "v remove-dead, čí množiny to na začátku jsou" },
      inform: { summary: "v given množiny inform" },
      request: { summary: "v given množiny request" },
      check: {
        summary:
          "v given, zda se odmítnou množiny, které porušují podmínky; s takovými, pro výuku, mohou být v sekci dva",
      },
    },
  },
};
