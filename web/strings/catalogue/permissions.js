/**
 * Catalogue entries of the algorithms that ask for permissions or votes. Only German and Czech: the server provides the
 * English texts.
 */

import { both } from "../say.js";

export const permissions = {
  bakery: {
    title: both("Lamports Bäckerei", "Lamportova pekárna"),
    summary: both("Zieh eine Nummer, größer als alle, die du siehst, und warte auf die mit kleineren.",
      "Vezmi si číslo větší než všechna, která vidíš, a čekej na ty s menšími."),
    messages: both("pull: 6(N-1), beim Warten mehr; push: 8(N-1)", "pull: 6(N-1), při čekání více; push: 8(N-1)"),
    variants: {
      pull: {
        summary: both("nach der Variablen eines anderen wird bei jedem Blick gefragt, beim Warten immer wieder",
          "na proměnnou druhého se ptá při každém pohledu, při čekání znovu a znovu"),
      },
      push: {
        summary: both("ein Prozess meldet jede Änderung allen; sie ist vollzogen, wenn alle sie bestätigt haben",
          "proces oznámí každou změnu všem; je hotova, když ji všichni potvrdili"),
      },
      "no-choosing": {
        summary: both("wie pull, ohne auf die zu warten, die gerade eine Nummer ziehen",
          "jako pull, bez čekání na ty, kdo si právě berou číslo"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Einer zieht vielleicht spät eine kleine Nummer",
          "vzájemné vyloučení může být porušeno: někdo si může malé číslo vzít pozdě"),
      },
    },
    parameters: {},
  },
  "carvalho-roucairol": {
    summary: both("Wie Ricart–Agrawala, aber eine Erlaubnis gilt, bis sie zurückverlangt wird: Frag nur die, deren Erlaubnis " +
      "fehlt.",
      "Jako Ricart–Agrawala, ale povolení platí, dokud o ně druhý nepožádá zpět: ptej se jen těch, jejichž povolení chybí."),
    variants: {
      original: {
        summary: both("von jedem Paar hat am Anfang der kleinere die Erlaubnis; wer beim Warten eine hergibt, fragt wieder " +
          "nach ihr",
          "z každé dvojice má na začátku povolení menší; kdo je při čekání dá, požádá o ně znovu"),
      },
      "no-second-request": {
        summary: both("wer beim Warten eine Erlaubnis hergibt, fragt nicht wieder nach ihr",
          "kdo při čekání povolení dá, znovu o ně nepožádá"),
        broken: both("Verklemmung: Die hergegebene Erlaubnis kommt nie zurück",
          "uváznutí: povolení, které dal, se nikdy nevrátí"),
      },
      "both-hold": {
        summary: both("von jedem Paar haben am Anfang beide die Erlaubnis", "z každé dvojice mají na začátku povolení oba"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Keiner muss den anderen fragen",
          "vzájemné vyloučení může být porušeno: ani jeden se nemusí druhého ptát"),
      },
      "remove-dead": {
        summary: both("wie original; die Erlaubnis eines verdächtigten Prozesses gilt als gegeben, und wer nach einem " +
          "Absturz zurück ist, hat keine: Bis einer der beiden dem anderen geantwortet hat, muss jeder fragen",
          "jako original; povolení podezíraného procesu se bere za dané, a kdo je zpět po havárii, nemá žádné: dokud jeden z " +
          "dvojice druhému neodpoví, musí se ptát každý"),
      },
      "back-as-at-start": {
        summary: both("wie remove-dead, aber wer nach einem Absturz zurück ist, glaubt die Erlaubnisse zu haben, die er am " +
          "Anfang hatte",
          "jako remove-dead, ale kdo je zpět po havárii, má za to, že má povolení, která měl na začátku"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Andere haben diese Erlaubnisse einander gegeben oder " +
          "als gegeben genommen",
          "vzájemné vyloučení může být porušeno: ostatní si tato povolení mezi sebou dali, nebo je vzali za daná"),
      },
    },
    parameters: {},
  },
  lamport: {
    summary: both("Jeder führt eine Kopie derselben Warteschlange von Anfragen; hinein darf, wessen Anfrage die erste ist, " +
      "wenn keine ältere mehr kommen kann.",
      "Každý má kopii téže fronty žádostí; vstoupí ten, jehož žádost je první, když už žádná starší nemůže přijít."),
    variants: {
      "any-later-message": {
        summary: both("es genügt von jedem eine Nachricht beliebiger Art, die später ist als die eigene Anfrage: so im Aufsatz",
          "stačí od každého zpráva jakéhokoli druhu pozdější než vlastní žádost: tak je to v článku"),
      },
      "explicit-ack": {
        summary: both("jeder muss genau diese Anfrage bestätigt haben", "každý musí potvrdit právě tuto žádost"),
      },
      "postponed-ack": {
        summary: both("wie explicit-ack; wer im kritischen Abschnitt ist, bestätigt beim Gehen. Mit release = request gilt " +
          "ohne FIFO alles außer der Reihenfolge",
          "jako explicit-ack; kdo je v kritické sekci, potvrdí při odchodu. S release = request platí bez FIFO vše kromě " +
          "pořadí"),
      },
      "remove-dead": {
        summary: both("wie any-later-message; auf einen verdächtigten Prozess wird nicht gewartet, und seine Anfrage zählt " +
          "nicht; wer nach einem Absturz zurück ist, macht wieder mit: Zuerst erfährt er die Uhren und Anfragen der anderen",
          "jako any-later-message; na podezíraný proces se nečeká a jeho žádost neplatí; kdo je zpět po havárii, zapojí se " +
          "znovu: nejdřív se dozví hodiny a žádosti ostatních"),
      },
      "asks-at-once": {
        summary: both("wie remove-dead, aber ein Prozess, der nach einem Absturz zurück ist, fragt sofort, obwohl er noch nichts weiß",
          "jako remove-dead, ale proces, který je zpět po havárii, požádá hned, ačkoli ještě nic neví"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: In seiner leeren Warteschlange ist die eigene " +
          "Anfrage die erste",
          "vzájemné vyloučení může být porušeno: v jeho prázdné frontě je vlastní žádost první"),
      },
      "no-ack": {
        summary: both("niemand bestätigt; wessen Anfrage in der eigenen Warteschlange die erste ist, tritt sofort ein",
          "nikdo nepotvrzuje; čí žádost je ve vlastní frontě první, vstoupí hned"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Eine ältere Anfrage ist vielleicht noch unterwegs",
          "vzájemné vyloučení může být porušeno: starší žádost může být ještě na cestě"),
      },
      "no-ack-waiting": {
        summary: both("niemand bestätigt; auf eine Nachricht beliebiger Art von jedem, später als die eigene Anfrage, wird " +
          "trotzdem gewartet",
          "nikdo nepotvrzuje; na zprávu jakéhokoli druhu od každého, pozdější než vlastní žádost, se přesto čeká"),
        broken: both("steckt fest: Ein Prozess, der nicht in den kritischen Abschnitt will, sendet keine Nachricht",
          "uvázne: proces, který do kritické sekce nechce, neposílá žádnou zprávu"),
      },
    },
    parameters: {
      release: {
        summary: both("was ein RELEASE entfernt: jede Anfrage seines Absenders (so im Aufsatz) oder die, die es nennt",
          "co RELEASE odebírá: každou žádost svého odesílatele (tak v článku), nebo tu, kterou uvádí"),
      },
    },
  },
  maekawa: {
    summary: both("Frag nur deine Gruppe; je zwei Gruppen schneiden sich, und niemand stimmt für zwei zugleich.",
      "Ptej se jen svého okrsku; každé dva okrsky se protínají a nikdo nehlasuje pro dva najednou."),
    messages: both("3(K-1) … 7(K-1), K ist die Größe einer Gruppe; succession: 2K mehr, wenn ein Arbiter abstürzt; " +
      "tree-quorums: K ist höchstens 1+⌊log₂N⌋, mehr für jeden abgestürzten Prozess",
      "3(K-1) … 7(K-1), K je velikost okrsku; succession: 2K navíc, když havaruje arbitr; tree-quorums: K je nejvýše " +
      "1+⌊log₂N⌋, více za každý havarovaný proces"),
    variants: {
      corrected: {
        summary: both("eine Anfrage, die bei ihrer Ankunft die beste ist, erfährt es, wenn eine bessere sie verdrängt (Sanders " +
          "1987)",
          "žádost, která je při příchodu nejlepší, se dozví, když ji vytlačí lepší (Sanders 1987)"),
      },
      "version-1": {
        summary: both("nur REQUEST, LOCKED und RELEASE: Keine Stimme wird zurückverlangt",
          "jen REQUEST, LOCKED a RELEASE: o hlas se nikdy nežádá zpět"),
        broken: both("Verklemmung: Manche haben Stimmen, auf die die anderen warten",
          "uváznutí: někteří mají hlasy, na které ostatní čekají"),
      },
      "version-2": {
        summary: both("wie zuerst veröffentlicht: Nur wer fragt, erfährt, dass es eine bessere Anfrage gibt",
          "jak bylo poprvé vydáno: že je známa lepší žádost, se dozví jen ten, kdo žádá"),
        broken: both("Verklemmung: Eine Anfrage, die von einer besseren verdrängt wurde, weiß es nicht und behält ihre Stimmen",
          "uváznutí: žádost vytlačená lepší o tom neví a své hlasy si nechá"),
      },
      "tree-quorums": {
        summary: both("wie corrected, mit den Wegen eines binären Baums als Gruppen: Einen abgestürzten Prozess ersetzen " +
          "zwei Wege unter ihm (Agrawala und El Abbadi 1991)",
          "jako corrected, s cestami binárním stromem místo okrsků: havarovaný proces nahradí dvě cesty pod ním (Agrawala a " +
          "El Abbadi 1991)"),
      },
      "half-trees": {
        summary: both("wie tree-quorums, aber unter einem abgestürzten Prozess genügt ein Weg",
          "jako tree-quorums, ale pod havarovaným procesem stačí jedna cesta"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Ihre Wege schneiden sich nicht",
          "vzájemné vyloučení může být porušeno: jejich cesty se neprotínají"),
      },
      succession: {
        summary: both("wie corrected, und an die Stelle eines abgestürzten Arbiters tritt der nächste Prozess, der fragt, " +
          "wer dessen Stimme hat",
          "jako corrected a místo havarovaného arbitra převezme další proces, který se ptá, kdo má jeho hlas"),
      },
      "forgetful-succession": {
        summary: both("wie succession, aber der Neue beginnt mit der Stimme, wer immer sie hat",
          "jako succession, ale nový arbitr začne se svým hlasem, ať ho má kdokoli"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Der frühere Arbiter hatte für einen gestimmt, und " +
          "der neue stimmt für einen anderen",
          "vzájemné vyloučení může být porušeno: dřívější arbitr hlasoval pro jednoho a nový hlasuje pro druhého"),
      },
    },
    parameters: {
      coterie: { summary: both("die Gruppen", "volební okrsky") },
      failed: {
        summary: both("in version-2, wann eine neue Anfrage FAILED bekommt: wenn irgendeine bekannte Anfrage besser ist, " +
          "oder nur, wenn die besser ist, die die Stimme hat",
          "ve version-2, kdy nová žádost dostane FAILED: je-li lepší kterákoli známá žádost, nebo jen je-li lepší ta, která " +
          "má hlas"),
      },
    },
  },
  "ricart-agrawala": {
    summary: both("Frag alle; tritt ein, wenn alle geantwortet haben. Wer im kritischen Abschnitt ist oder früher gefragt " +
      "hat, antwortet später.",
      "Zeptej se všech; vstup, až všichni odpoví. Kdo je v kritické sekci nebo požádal dřív, odpoví později."),
    variants: {
      "lamport-clock": {
        summary: both("jede Nachricht trägt die logische Uhr und stellt sie vor",
          "každá zpráva nese logické hodiny a posouvá je"),
      },
      "sequence-numbers": {
        summary: both("der Aufsatz: Eine Anfrage bekommt 1 + die höchste Nummer, die gesandt oder empfangen wurde, und ein " +
          "REPLY trägt keine",
          "článek: žádost dostane 1 + nejvyšší číslo, které bylo posláno nebo přijato, a REPLY žádné nenese"),
      },
      "remove-dead": {
        summary: both("wie lamport-clock; ein verdächtigter Prozess wird nicht gefragt, und wer nach einem Absturz zurück " +
          "ist, macht wieder mit: Zuerst erfährt er die Uhren der anderen",
          "jako lamport-clock; podezíraného procesu se nikdo neptá, a kdo je zpět po havárii, zapojí se znovu: nejdřív se " +
          "dozví hodiny ostatních"),
      },
      "asks-at-once": {
        summary: both("wie remove-dead, aber ein Prozess, der nach einem Absturz zurück ist, fragt sofort, obwohl er noch nichts weiß",
          "jako remove-dead, ale proces, který je zpět po havárii, požádá hned, ačkoli ještě nic neví"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Seine erste Anfrage gilt als älter als die, nach " +
          "denen er nicht gefragt wurde",
          "vzájemné vyloučení může být porušeno: jeho první žádost platí za starší než ty, na které nebyl tázán"),
      },
      modulo: {
        summary: both("wie sequence-numbers, modulo 2N-1 gezählt und auf dem Kreis verglichen",
          "jako sequence-numbers, čísla jsou modulo 2N-1 a porovnávají se na kruhu"),
      },
      "modulo-too-small": {
        summary: both("wie modulo, modulo 2N-2", "jako modulo, modulo 2N-2"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Von zwei Nummern im Abstand N-1 gilt jede als die " +
          "ältere",
          "vzájemné vyloučení může být porušeno: ze dvou čísel vzdálených o N-1 platí každé za starší"),
      },
      "lamport-clock-modulo": {
        summary: both("wie lamport-clock, modulo 2N-1 gezählt und auf dem Kreis verglichen",
          "jako lamport-clock, čísla jsou modulo 2N-1 a porovnávají se na kruhu"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Uhren gehen weiter auseinander als den halben Kreis",
          "vzájemné vyloučení může být porušeno: hodiny se rozejdou o víc než polovinu kruhu"),
      },
      "reply-at-tie": {
        summary: both("antwortet auf eine Anfrage mit derselben Zeit wie die eigene",
          "odpoví na žádost se stejným časem, jako má vlastní"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Bei gleicher Zeit lässt jeder den anderen vor",
          "vzájemné vyloučení může být porušeno: při stejném čase dá každý přednost druhému"),
      },
      "defer-at-tie": {
        summary: both("schiebt eine Anfrage mit derselben Zeit wie die eigene auf",
          "odloží žádost se stejným časem, jako má vlastní"),
        broken: both("Verklemmung: Bei gleicher Zeit wartet jeder auf den anderen",
          "uváznutí: při stejném čase čeká každý na druhého"),
      },
      "no-clock-update": {
        summary: both("eine Anfrage bekommt 1 + die höchste gesandte Nummer: Was empfangen wird, zählt nicht",
          "žádost dostane 1 + nejvyšší poslané číslo: co bylo přijato, se nepočítá"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Wer geantwortet hat, fragt vielleicht später mit " +
          "einer kleineren Nummer",
          "vzájemné vyloučení může být porušeno: kdo odpověděl, může později žádat s menším číslem"),
      },
      "no-timestamps": {
        summary: both("eine Anfrage hat keine Zeit: Immer geht der kleinere Prozess vor",
          "žádost nemá čas: přednost má vždy menší proces"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Wer geantwortet hat, fragt vielleicht später und " +
          "geht doch vor",
          "vzájemné vyloučení může být porušeno: kdo odpověděl, může žádat později, a přece mít přednost"),
      },
    },
    parameters: {},
  },
  sanders: {
    summary: both("Frag deine Request-Menge, sag deiner Inform-Menge, dass du gehst: Die Mengen machen den einen oder anderen " +
      "Algorithmus daraus.",
      "Ptej se své množiny request a při odchodu dej vědět množině inform: podle množin je to ten či onen algoritmus."),
    messages: both("bei wenig Andrang 2(N-1), 3(K-1) oder 3(N-1)/N, wie der Algorithmus, dessen Mengen es sind; remove-dead: " +
      "2 mehr für jeden, der anstelle eines abgestürzten Prozesses gefragt wird",
      "při malém zájmu 2(N-1), 3(K-1) nebo 3(N-1)/N, podle algoritmu, čí množiny to jsou; remove-dead: o 2 víc za každého, " +
      "kdo je dotázán místo havarovaného procesu"),
    variants: {
      "ricart-agrawala": {
        summary: both("jeder fragt alle und informiert nur sich selbst", "každý se ptá všech a dává vědět jen sobě"),
      },
      maekawa: {
        summary: both("jeder fragt und informiert seine Gruppe, nach der gegebenen Koterie",
          "každý se ptá svého okrsku z dané koterie a dává mu vědět"),
      },
      centralised: {
        summary: both("jeder fragt und informiert sich selbst und den Koordinator",
          "každý se ptá sebe a koordinátora a oběma dává vědět"),
      },
      given: {
        summary: both("die Mengen sind mit inform und request angegeben", "množiny jsou dány parametry inform a request"),
      },
      "remove-dead": {
        summary: both("die Mengen des Algorithmus, den sets nennt; ist der Prozess abgestürzt, den zwei andere beide " +
          "informieren, fragen die beiden von da an einander",
          "množiny algoritmu, který jmenuje sets; když havaruje proces, jemuž dva jiné oba dávají vědět, ptají se ty dva od " +
          "té doby jeden druhého"),
      },
      "asked-one-way": {
        summary: both("wie remove-dead, aber wer so gefragt wird, fragt nicht zurück",
          "jako remove-dead, ale kdo je takto dotázán, sám se nezeptá"),
        broken: both("der gegenseitige Ausschluss kann verletzt werden: Einer hat die Erlaubnis des abgestürzten Prozesses " +
          "und weiß noch nichts vom Absturz",
          "vzájemné vyloučení může být porušeno: jeden má svolení havarovaného procesu a o havárii ještě neví"),
      },
    },
    parameters: {
      coterie: { summary: both("mit den Mengen von maekawa die Gruppen", "s množinami maekawa volební okrsky") },
      coordinator: { summary: both("mit den Mengen von centralised, wer gefragt wird", "s množinami centralised, koho se ptát") },
      sets: { summary: both("in remove-dead, wessen Mengen es am Anfang sind", "v remove-dead, čí množiny to na začátku jsou") },
      inform: { summary: both("in given die Inform-Mengen", "v given množiny inform") },
      request: { summary: both("in given die Request-Mengen", "v given množiny request") },
      check: {
        summary: both("in given, ob Mengen abgelehnt werden, die die Bedingungen verletzen; mit solchen kann, zum Lehren, " +
          "der gegenseitige Ausschluss verletzt werden",
          "v given, zda se odmítnou množiny, které porušují podmínky; s takovými, pro výuku, může být vzájemné vyloučení " +
          "porušeno"),
      },
    },
  },
};
