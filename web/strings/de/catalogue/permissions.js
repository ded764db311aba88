/** German: the algorithms in which others give permissions or votes, as they stand in the catalogue. */

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const permissions = {
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
  maekawa: {
    summary: "Frag nur deine Gruppe; je zwei Gruppen schneiden sich, und niemand stimmt für zwei zugleich.",
    messages:
      "3(K-1) … 7(K-1), K ist die Größe einer Gruppe; succession: 2K mehr, wenn ein Arbiter stirbt; tree-quorums: " +
      "K ist höchstens 1+⌊log₂N⌋, mehr für jeden Toten",
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
        broken: "zwei können im Abschnitt sein: Wer geantwortet hat, fragt vielleicht später und geht doch vor",
      },
    },
    parameters: {},
  },
  sanders: {
    summary:
      "Frag deine Request-Menge, sag deiner Inform-Menge, dass du gehst: Die Mengen machen den einen oder anderen Algorithmus " +
      "daraus.",
    messages:
      "bei wenig Andrang 2(N-1), 3(K-1) oder 3(N-1)/N, wie der Algorithmus, dessen Mengen es sind; remove-dead: 2 mehr für jeden, " +
      "der anstelle des Toten gefragt wird",
    variants: {
      "ricart-agrawala": { summary: "jeder fragt alle und informiert nur sich selbst" },
      maekawa: { summary: "jeder fragt und informiert seine Gruppe, nach der gegebenen Koterie" },
      centralised: { summary: "jeder fragt und informiert sich selbst und den Koordinator" },
      given: { summary: "die Mengen sind mit inform und request angegeben" },
      "remove-dead": {
        summary:
          "die Mengen des Algorithmus, den sets nennt; zwei, denen der gestorben ist, den beide informieren, fragen von da an " +
          "einander",
      },
      "asked-one-way": {
        summary: "wie remove-dead, aber wer so gefragt wird, fragt nicht zurück",
        broken:
          "zwei können im Abschnitt sein: Einer hat die Erlaubnis des Toten und weiß noch nicht, dass der gestorben ist",
      },
    },
    parameters: {
      coterie: { summary: "mit den Mengen von maekawa die Gruppen" },
      coordinator: { summary: "mit den Mengen von centralised, wer gefragt wird" },
      sets: { summary: "in remove-dead, wessen Mengen es am Anfang sind" },
      inform: { summary: "in given die Inform-Mengen" },
      request: { summary: "in given die Request-Mengen" },
      check: {
        summary:
          "in given, ob Mengen abgelehnt werden, die die Bedingungen verletzen; mit denen können, zum Lehren, zwei im Abschnitt " +
          "sein",
      },
    },
  },
};
