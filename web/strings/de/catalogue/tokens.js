/** German: the algorithms in which who has the token, or the privilege, may enter, as they stand in the catalogue. */

const tokenHolder = { holder: { summary: "wer am Anfang das Token hat" } };
const regeneration =
  "wenn ein Prozess tot oder zurück ist, fragt der kleinste, der lebt, alle anderen, und hat keiner von ihnen das Token, " +
  "so macht er ein neues";

const remembers = "ein lebender Prozess muss immer das letzte Token kennen";

/** @type {import("../../../words/catalogue.js").Catalogue} */
export const tokens = {
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
  "le-lann": {
    summary: "Ein Token geht im Ring herum, ob gewollt oder nicht; wer es bekommt, darf hinein.",
    messages: "1, wenn alle hinein wollen; unbegrenzt, wenn niemand will; ein neues Token kostet bis zu 2N-1 mehr",
    variants: {
      original: { summary: "das Token ruht nur bei dem, der im Abschnitt ist; geht es verloren, ist alles aus" },
      "time-out": {
        summary:
          "wer das Token lange nicht gesehen hat, beansprucht, ein neues zu machen, und ein älteres gilt dann nicht mehr; und " +
          `Tote werden übergangen; ${remembers}`,
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
  "naimi-trehel": {
    summary:
      "Eine Anfrage läuft durch einen Baum zu dem, der das Token als Letzter haben wird, und macht den, der fragt, zur neuen " +
      "Wurzel.",
    messages: "O(log N) im Mittel, 0, wenn das Token da ist",
    variants: {
      original: { summary: "der Aufsatz, ohne seine Reparatur von Ausfällen" },
      regeneration: { summary: `${regeneration}; wer wartet, fragt noch einmal; ${remembers}` },
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
          "alle kennen den Baum und wer beginnt, ohne INITIALIZE; bis alle geantwortet haben, darf kein Nachbar abstürzen",
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
      regeneration: { summary: `wie ring-order; ${regeneration}; ${remembers}` },
    },
    parameters: tokenHolder,
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
      regeneration: { summary: `wie fifo-queue; ${regeneration}; ${remembers}` },
      "hasty-regeneration": {
        summary: "wie regeneration, aber wer fragen soll, macht sofort ein neues Token",
        broken: "zwei können im Abschnitt sein: Das Token muss nicht bei dem gewesen sein, der gestorben ist",
      },
    },
    parameters: tokenHolder,
  },
};
