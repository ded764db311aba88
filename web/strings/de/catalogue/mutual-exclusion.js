/** German: the algorithms of mutual exclusion, as they stand in the catalogue. */

const tokenHolder = { holder: { summary: "wer am Anfang das Token hat" } };
const regeneration =
  "wenn ein Prozess tot oder zurück ist, fragt der kleinste, der lebt, alle anderen, und hat keiner von ihnen das Token, " +
  "so macht er ein neues";

/** @type {import("../../../told.js").Catalogue} */
export const mutualExclusion = {
  bakery: {
    title: "Lamports Bäckerei",
    summary: "Zieh eine Nummer, größer als alle, die du siehst, und warte auf die mit kleineren.",
    messages: "pull: 6(N-1), beim Warten mehr; push: 8(N-1)",
    variants: {
      pull: { summary: "nach der Variablen eines anderen wird bei jedem Blick gefragt, beim Warten immer wieder" },
      push: {
        summary: "jede Änderung wird allen gesagt und ist vollzogen, wenn alle sie bestätigt haben",
      },
      "no-choosing": {
        summary: "wie pull, ohne auf die zu warten, die gerade eine Nummer ziehen",
        broken: "zwei können im Abschnitt sein: Einer zieht vielleicht spät eine kleine Nummer",
      },
    },
    parameters: {},
  },
  "carvalho-roucairol": {
    summary:
      "Wie Ricart–Agrawala, aber eine Erlaubnis gilt, bis sie zurückverlangt wird: Frag nur die, deren Erlaubnis fehlt.",
    variants: {
      original: {
        summary:
          "von jedem Paar hat am Anfang der kleinere die Erlaubnis; wer beim Warten eine hergibt, fragt wieder nach ihr",
      },
      "no-second-request": {
        summary: "wer beim Warten eine Erlaubnis hergibt, fragt nicht wieder nach ihr",
        broken: "Verklemmung: Die hergegebene Erlaubnis kommt nie zurück",
      },
      "both-hold": {
        summary: "von jedem Paar haben am Anfang beide die Erlaubnis",
        broken: "zwei können im Abschnitt sein: Keiner muss den anderen fragen",
      },
      "remove-dead": {
        summary:
          "wie original; wer für tot gehalten wird, dessen Erlaubnis gilt als gegeben, und wer nach einem Absturz zurück " +
          "ist, hat keine: Bis einer der beiden dem anderen geantwortet hat, muss jeder fragen",
      },
      "back-as-at-start": {
        summary:
          "wie remove-dead, aber wer nach einem Absturz zurück ist, glaubt die Erlaubnisse zu haben, die er am Anfang hatte",
        broken:
          "zwei können im Abschnitt sein: Andere haben diese Erlaubnisse einander gegeben oder als gegeben genommen",
      },
    },
    parameters: {},
  },
  centralised: {
    title: "Zentralisiert",
    summary: "Ein Koordinator gewährt den Abschnitt einem nach dem anderen; die übrigen stehen in einer Schlange.",
    messages: "3, oder 0 für den Koordinator",
    variants: {
      "arrival-order": { summary: "wer wartet, kommt dran, wie seine Anfrage den Koordinator erreicht hat" },
      "timestamp-order": {
        summary:
          "wer wartet, kommt nach der logischen Zeit seiner Anfrage dran; kommt sie an, nachdem eine jüngere gewährt war, " +
          "ist sie trotzdem zu spät",
      },
      lease: {
        summary:
          "wie arrival-order; wer nicht rechtzeitig gegangen ist, gilt als tot, und jeder Eintritt hat ein Fencing-Token",
      },
      "priority-order": {
        summary: "von denen, die warten, kommt der mit der kleinsten Nummer dran, wie lange die anderen auch schon warten",
        broken: "ein Prozess mit großer Nummer verhungert, solange die mit kleineren immer wieder fragen",
      },
      "no-exclusion": {
        summary: "niemand wird gefragt: Wer in den Abschnitt will, tritt ein",
        broken: "es gibt keinen gegenseitigen Ausschluss",
      },
    },
    parameters: {
      coordinator: { summary: "wer den Abschnitt gewährt" },
      lease: {
        summary:
          "mit einer Frist, nach welcher Zeit der Abschnitt zurückgenommen wird, in ms: länger, als zwei Nachrichten und ein " +
          "Aufenthalt dauern",
      },
    },
  },
  "centralised-failover": {
    title: "Zentralisiert, mit Nachfolger",
    summary:
      "Ein Koordinator gewährt den Abschnitt; schweigt er, wird ein anderer gewählt, der alle fragt, was sie haben.",
    messages:
      "3, oder 0 für den Koordinator, und 1 mehr, wenn gewartet werden muss; bei einem Wechsel 2(N-1) und eine Wahl",
    variants: {
      bully: { summary: "Koordinatoren werden mit dem Bully-Algorithmus gewählt" },
      "acknowledged-ring": { summary: "Koordinatoren werden in einem Ring gewählt, dessen Nachrichten bestätigt werden" },
    },
    parameters: {
      coordinator: { summary: "wer bis zur ersten Wahl den Abschnitt gewährt" },
      answer: {
        summary: "wie lange auf eine Antwort gewartet wird, auch bei der Wahl, in ms: länger, als zwei Nachrichten dauern",
      },
      patience: { summary: "nach welcher Zeit ein Klient, der wartet, noch einmal fragt, in ms" },
    },
  },
  "dijkstra-ring": {
    title: "Dijkstras Ring",
    summary:
      "Flags in einem Ring: Wer sich vom Vorgänger unterscheidet, darf hinein und kopiert dann dessen Flag; Prozess 0 zählt " +
      "stattdessen.",
    messages: "1, wenn alle hinein wollen; unbegrenzt, wenn niemand will",
    variants: {
      "message-passing": {
        summary: "jeder Prozess hat eine Kopie des Flags seines Vorgängers, das immer wieder gesagt wird",
      },
      composite: {
        summary: "das Flag des Vorgängers ansehen und das eigene ändern ist ein einziger Schritt: nicht über ein Netz",
      },
      "no-heir": {
        summary: "wie message-passing, aber wenn Prozess 0 stirbt, zählt niemand an seiner Stelle",
        broken:
          "Verklemmung: Ist Prozess 0 tot und sind alle Flags gleich, so hat niemand das Privileg; bis dahin können es zwei " +
          "haben",
      },
    },
    parameters: {
      k: {
        summary: "wie viele Zustände ein Flag hat; mit zu wenigen muss sich der Ring nicht stabilisieren",
      },
      period: { summary: "message-passing: nach welcher Zeit ein Flag noch einmal gesagt wird, in ms" },
      pause: { summary: "composite: wie lange ein Privileg ruht, das niemand will, in ms" },
    },
  },
  lamport: {
    summary:
      "Jeder führt eine Kopie derselben Schlange von Anfragen; hinein darf, wessen Anfrage die erste ist, wenn keine ältere " +
      "mehr kommen kann.",
    variants: {
      "any-later-message": {
        summary:
          "es genügt von jedem eine Nachricht beliebiger Art, die später ist als die eigene Anfrage: so im Aufsatz",
      },
      "explicit-ack": { summary: "jeder muss genau diese Anfrage bestätigt haben" },
      "postponed-ack": {
        summary:
          "wie explicit-ack; wer im Abschnitt ist, bestätigt beim Gehen. Mit release = request gilt ohne FIFO alles außer der " +
          "Reihenfolge",
      },
      "remove-dead": {
        summary:
          "wie any-later-message; wer für tot gehalten wird, auf den wartet niemand und dessen Anfrage zählt nicht, und wer nach einem " +
          "Absturz zurück ist, macht wieder mit: Bevor er fragt, erfährt er von den anderen, wie spät es ist und was sie wollen",
      },
      "asks-at-once": {
        summary: "wie remove-dead, aber wer nach einem Absturz zurück ist, fragt sofort, mit dem, was er weiß: nichts",
        broken: "zwei können im Abschnitt sein: In seiner leeren Schlange ist die eigene Anfrage die erste",
      },
      "no-ack": {
        summary: "niemand bestätigt; wessen Anfrage in der eigenen Schlange die erste ist, tritt sofort ein",
        broken: "zwei können im Abschnitt sein: Eine ältere Anfrage ist vielleicht noch unterwegs",
      },
      "no-ack-waiting": {
        summary:
          "niemand bestätigt; auf eine Nachricht beliebiger Art von jedem, später als die eigene Anfrage, wird trotzdem " +
          "gewartet",
        broken: "steckt fest: Wer nicht in den Abschnitt will, hat nichts zu sagen",
      },
    },
    parameters: {
      release: { summary: "was ein RELEASE entfernt: jede Anfrage seines Absenders (so im Aufsatz) oder die, die es nennt" },
    },
  },
  "le-lann": {
    summary: "Ein Token geht im Ring herum, ob gewollt oder nicht; wer es bekommt, darf hinein.",
    messages: "1, wenn alle hinein wollen; unbegrenzt, wenn niemand will; ein neues Token kostet bis zu 2N-1 mehr",
    variants: {
      original: { summary: "das Token ruht nur bei dem, der im Abschnitt ist; geht es verloren, ist alles aus" },
      "time-out": {
        summary:
          "wer das Token lange nicht gesehen hat, beansprucht, ein neues zu machen, und ein älteres gilt dann nicht mehr; und " +
          "Tote werden übergangen",
      },
      "two-tokens": {
        summary: "Misra 1983, ohne Wartezeiten: Zwei Token gehen herum, und jedes zeigt, wenn das andere verloren ist",
      },
      "no-generation": {
        summary: "wie time-out, aber ein Token ist wie das andere",
        broken: "zwei können im Abschnitt sein: Ein verloren geglaubtes Token, das wieder auftaucht, gilt",
      },
      "two-regenerators": {
        summary: "wie time-out, aber wer das Token vermisst, macht ein neues, ohne zu fragen",
        broken: "zwei können im Abschnitt sein: Mehrere vermissen das Token, und jeder macht eines",
      },
    },
    parameters: {
      ...tokenHolder,
      missing: {
        summary:
          "mit Wartezeit, nach welcher Zeit ohne Token es vermisst wird, in ms: länger, als 2N Nachrichten dauern und die " +
          "Aufenthalte aller anderen im Abschnitt",
      },
    },
  },
  maekawa: {
    summary: "Frag nur deine Gruppe; je zwei Gruppen schneiden sich, und niemand stimmt für zwei zugleich.",
    messages:
      "3(K-1) … 7(K-1), K ist die Größe einer Gruppe; succession: 2K mehr, wenn ein Arbiter stirbt; tree-quorums: " +
      "K = 1+log2(N), mehr für jeden Toten",
    variants: {
      corrected: {
        summary: "eine Anfrage, die bei ihrer Ankunft die beste ist, erfährt es, wenn eine bessere sie verdrängt (Sanders 1987)",
      },
      "version-1": {
        summary: "nur REQUEST, LOCKED und RELEASE: Keine Stimme wird zurückverlangt",
        broken: "Verklemmung: Manche haben Stimmen, auf die die anderen warten",
      },
      "version-2": {
        summary: "wie zuerst veröffentlicht: Nur wer fragt, erfährt, dass es eine bessere Anfrage gibt",
        broken: "Verklemmung: Eine Anfrage, die von einer besseren verdrängt wurde, weiß es nicht und behält ihre Stimmen",
      },
      "tree-quorums": {
        summary:
          "wie corrected, mit den Wegen eines binären Baums als Gruppen: Für einen Toten stehen dort zwei Wege unter ihm " +
          "(Agrawala und El Abbadi 1991)",
      },
      "half-trees": {
        summary: "wie tree-quorums, aber unter einem Toten genügt ein Weg",
        broken: "zwei können im Abschnitt sein: Ihre Wege schneiden sich nicht",
      },
      succession: {
        summary:
          "wie corrected, und an die Stelle eines toten Arbiters tritt der nächste Prozess, der fragt, wer dessen Stimme hat",
      },
      "forgetful-succession": {
        summary: "wie succession, aber der Neue beginnt mit der Stimme, wer immer sie hat",
        broken: "zwei können im Abschnitt sein: Der Tote hatte für einen gestimmt, und der Neue stimmt für einen anderen",
      },
    },
    parameters: {
      coterie: { summary: "die Gruppen" },
      failed: {
        summary:
          "in version-2, wem FAILED gesagt wird: dem, der fragt, wenn irgendeine bekannte Anfrage besser ist, oder wenn es die " +
          "ist, die die Stimme hat",
      },
    },
  },
  "naimi-trehel": {
    summary:
      "Eine Anfrage läuft durch einen Baum zu dem, der das Token als Letzter haben wird, und macht den, der fragt, zur neuen " +
      "Wurzel.",
    messages: "O(log N) im Mittel, 0, wenn das Token da ist",
    variants: {
      original: { summary: "der Aufsatz, ohne seine Reparatur von Ausfällen" },
      regeneration: { summary: `${regeneration}; wer wartet, fragt noch einmal` },
    },
    parameters: tokenHolder,
  },
  raymond: {
    summary:
      "Die Prozesse bilden einen Baum; Anfragen laufen auf das Privileg zu, und über dieselben Kanten kommt es zurück.",
    messages:
      "2 für jede Kante zwischen dem, der fragt, und dem Privileg; bridging: 1 mehr für jeden lebenden Nachbarn der Toten " +
      "außer einem",
    variants: {
      original: { summary: "wer das Privileg weitergibt, während andere warten, fragt wieder danach: der Aufsatz" },
      "no-further-request": {
        summary: "wer das Privileg weitergibt, fragt nicht wieder danach",
        broken: "steckt fest: Wer hinter dem wartet, der das Privileg bekam, ist vergessen",
      },
      misdirected: {
        summary: "HOLDER wird der letzte Nachbar, wer immer INITIALIZE gesandt hat",
        broken: "steckt fest: Anfragen gehen dorthin, wo das Privileg nicht ist",
      },
      recovery: {
        summary:
          "die Reparatur des Aufsatzes: Wer nach einem Absturz zurück ist, fragt seine Nachbarn nach dem, was er vergessen hat; " +
          "alle kennen den Baum und wer beginnt, ohne INITIALIZE",
      },
      "hasty-recovery": {
        summary: "wie recovery, aber wer zurück ist, handelt nach der ersten Antwort",
        broken:
          "zwei können im Abschnitt sein, oder manche warten für immer: Ein anderer Nachbar weiß, wo das Privileg ist",
      },
      bridging: {
        summary:
          "wer Nachbar von Toten ist, wird Nachbar von einem unter ihnen und sagt ihm, wie er steht, und der macht das Privileg " +
          "neu, wenn es verloren ist; alle kennen den Baum und wer beginnt, ohne INITIALIZE",
      },
      "hasty-bridging": {
        summary: "wie bridging, aber wem das Privileg fehlt, der macht es neu, ohne auf die anderen zu warten",
        broken: "zwei können im Abschnitt sein: Ein anderer Nachbar der Toten hat das Privileg oder weiß, wo es ist",
      },
    },
    parameters: {
      tree: { summary: "wer wessen Nachbar ist" },
      holder: { summary: "wer am Anfang das Privileg hat" },
    },
  },
  "replicated-lock": {
    title: "Replizierter Sperrdienst",
    summary:
      "Ein Anführer lässt jede Operation auf den Sperren von einer Mehrheit wählen; Sperren gelten eine Frist lang und haben " +
      "Fencing-Token.",
    messages: "4(N-1) + 3, oder 4(N-1) für den Anführer; mehr, wenn er wartet oder lange bleibt",
    variants: {
      leased: { summary: "eine Sperre gilt für die Dauer einer Frist und wird verlängert" },
      "adopts-nothing": {
        summary:
          "ein neuer Anführer beginnt mit dem, was er selbst angewandt hat, was immer seine Versprechen als akzeptiert nennen",
        broken: "was der Anführer davor gewährt hat, wird noch einmal gewährt",
      },
    },
    parameters: {
      leader: { summary: "wer zuerst führt" },
      lease: { summary: "wie lange eine Sperre ohne Verlängerung gilt, in ms" },
      retry: {
        summary:
          "wie lange ein Knoten wartet, bevor er noch einmal fragt, verlängert oder noch einmal sendet, in ms; ein Viertel der " +
          "Frist, wenn nichts angegeben ist",
        range: "0.001 … 1/4 von `lease`",
      },
    },
  },
  "ricart-agrawala": {
    summary:
      "Frag alle; tritt ein, wenn alle geantwortet haben. Wer im Abschnitt ist oder früher gefragt hat, antwortet später.",
    variants: {
      "lamport-clock": { summary: "jede Nachricht trägt die logische Uhr und stellt sie vor" },
      "sequence-numbers": {
        summary:
          "der Aufsatz: Eine Anfrage bekommt 1 + die höchste Nummer, die gesandt oder empfangen wurde, und ein REPLY trägt keine",
      },
      "remove-dead": {
        summary:
          "wie lamport-clock; wer für tot gehalten wird, wird nicht gefragt, und wer nach einem Absturz zurück ist, macht wieder " +
          "mit: Bevor er fragt, erfährt er von den anderen, wie spät es ist",
      },
      "asks-at-once": {
        summary: "wie remove-dead, aber wer nach einem Absturz zurück ist, fragt sofort, mit dem, was er weiß: nichts",
        broken: "zwei können im Abschnitt sein: Seine erste Anfrage gilt als älter als die, nach denen er nicht gefragt wurde",
      },
      modulo: { summary: "wie sequence-numbers, modulo 2N-1 gezählt und auf dem Kreis verglichen" },
      "modulo-too-small": {
        summary: "wie modulo, modulo 2N-2",
        broken: "zwei können im Abschnitt sein: Von zwei Nummern im Abstand N-1 gilt jede als die ältere",
      },
      "lamport-clock-modulo": {
        summary: "wie lamport-clock, modulo 2N-1 gezählt und auf dem Kreis verglichen",
        broken: "zwei können im Abschnitt sein: Uhren gehen weiter auseinander als den halben Kreis",
      },
      "reply-at-tie": {
        summary: "antwortet auf eine Anfrage mit derselben Zeit wie die eigene",
        broken: "zwei können im Abschnitt sein: Bei gleicher Zeit lässt jeder den anderen vor",
      },
      "defer-at-tie": {
        summary: "schiebt eine Anfrage mit derselben Zeit wie die eigene auf",
        broken: "Verklemmung: Bei gleicher Zeit wartet jeder auf den anderen",
      },
      "no-clock-update": {
        summary: "eine Anfrage bekommt 1 + die höchste gesandte Nummer: Was empfangen wird, zählt nicht",
        broken: "zwei können im Abschnitt sein: Wer geantwortet hat, fragt vielleicht später mit einer kleineren Nummer",
      },
      "no-timestamps": {
        summary: "eine Anfrage hat keine Zeit: Immer geht der kleinere Prozess vor",
        broken:
          "zwei können im Abschnitt sein: Wer geantwortet hat, fragt vielleicht später und geht doch vor; und der größte " +
          "verhungert",
      },
    },
    parameters: {},
  },
  "ricart-agrawala-token": {
    title: "Ricart–Agrawala mit Token",
    summary:
      "Ein Token, nach dem alle gefragt werden; es merkt sich, wessen Anfrage zuletzt erfüllt wurde, also weiß sein Inhaber, " +
      "wer wartet.",
    messages: "N, oder 0, wenn das Token da ist",
    variants: {
      "ring-order": {
        summary: "das Token geht an den Ersten nach seinem Inhaber, der wartet, Runde um Runde: der Aufsatz",
      },
      "longest-waiting": { summary: "das Token geht an die älteste Anfrage, die sein Inhaber kennt, in logischer Zeit" },
      regeneration: { summary: `wie ring-order; ${regeneration}` },
    },
    parameters: tokenHolder,
  },
  sanders: {
    summary:
      "Frag deine Request-Menge, sag deiner Inform-Menge, dass du gehst: Die Mengen machen den einen oder anderen Algorithmus " +
      "daraus.",
    messages: "bei wenig Andrang 2(N-1), 3(K-1) oder 3(N-1)/N, wie der Algorithmus, dessen Mengen es sind",
    variants: {
      "ricart-agrawala": { summary: "jeder fragt alle und informiert nur sich selbst" },
      maekawa: { summary: "jeder fragt und informiert seine Gruppe, nach der gegebenen Koterie" },
      centralised: { summary: "jeder fragt und informiert sich selbst und den Koordinator" },
      given: { summary: "die Mengen sind mit inform und request angegeben" },
    },
    parameters: {
      coterie: { summary: "in maekawa die Gruppen" },
      coordinator: { summary: "in centralised, wer gefragt wird" },
      inform: { summary: "in given die Inform-Mengen" },
      request: { summary: "in given die Request-Mengen" },
      check: {
        summary:
          "in given, ob Mengen abgelehnt werden, die die Bedingungen verletzen; mit denen können, zum Lehren, zwei im Abschnitt " +
          "sein",
      },
    },
  },
  "suzuki-kasami": {
    summary:
      "Ein Token, nach dem alle gefragt werden; es trägt die Schlange derer, die warten, und von jedem die Nummer des letzten " +
      "Eintritts.",
    messages: "N, oder 0, wenn das Token da ist",
    variants: {
      "fifo-queue": { summary: "der Nächste ist, wer am längsten in der Schlange wartet: der Aufsatz" },
      "lifo-queue": {
        summary: "der Nächste ist, wer zuletzt in die Schlange kam",
        broken: "verhungert: Andere können einen, der wartet, immer wieder überholen, für immer",
      },
      regeneration: { summary: `wie fifo-queue; ${regeneration}` },
      "hasty-regeneration": {
        summary: "wie regeneration, aber wer fragen soll, macht sofort ein neues Token",
        broken: "zwei können im Abschnitt sein: Das Token muss nicht bei dem gewesen sein, der gestorben ist",
      },
    },
    parameters: tokenHolder,
  },
};
