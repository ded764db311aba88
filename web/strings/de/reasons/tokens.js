/** German: the reasons of the algorithms in which who has the token, or the privilege, may enter. */

const askedForByAnybody = {
  "got-token": "Eingetreten: Das Token ist gekommen.",
  "had-token": "Eingetreten, ohne zu fragen: Das Token war hier.",
  "has-token-anew": "Eingetreten: Hier wurde das Token neu gemacht.",
  "nobody-waits": "Behielt das Token: Niemand wartet darauf.",
  regeneration: "Für eine neue Generation des Tokens:",
  "took-for-earlier-life": "Nahm das Token: Ein früheres Leben dieses Prozesses hat danach gefragt.",
  "unexpected-token": "Ignoriert: Ein Token kam, nach dem nicht gefragt war.",
};

const askedForByBroadcast = {
  ...askedForByAnybody,
  "no-token": "Ignoriert: Was kam, ist kein Token dieses Laufs.",
  "not-its-sender": "Ignoriert: Die Nachricht spricht von einem anderen Prozess als von ihrem Absender.",
  "noted-elsewhere": "Die Anfrage gemerkt: Das Token ist anderswo.",
  "noted-in-section": "Die Anfrage gemerkt: Dieser Prozess ist im Abschnitt.",
  outdated: "Ignoriert: Eine ebenso neue oder neuere Anfrage ist bekannt.",
};

/** @type {import("../../../words/catalogue.js").Reasons} */
export const tokens = {
  "dijkstra-ring": {
    corrupted: "Jemand hat das Flag und die Kopie überschrieben: Von hier muss der Ring zurückfinden.",
    "new-predecessor":
      "Jemand hat den Ring verlassen oder ist zurück: Von nun an kommen Flags von diesem Prozess.",
    "no-flag": "Ignoriert: Ein solches Flag gibt es nicht.",
    "not-predecessor": "Ignoriert: Flags kommen nur vom Vorgänger.",
    "passed-on-leaving":
      "Gab das Privileg dem Nächsten im Ring weiter: Dieser Prozess hat den Abschnitt verlassen.",
    "passed-unwanted": "Gab das Privileg dem Nächsten im Ring weiter: Dieser Prozess will nicht in den Abschnitt.",
    privileged: "Eingetreten: Dieser Prozess hat das Privileg, nach seinem Flag und der Kopie dessen vor ihm.",
    "said-again": "Noch einmal gesagt: Das letzte Mal kann verloren gegangen sein.",
  },
  "le-lann": {
    "better-claim":
      "Gab den Anspruch weiter: Dieser Prozess hat weder das Token noch einen besseren Anspruch.",
    "cut-out": "Übergeht einen Prozess des Rings: Er ist tot.",
    "dead-candidate": "Hielt den Anspruch auf: Wer ihn erhob, ist tot, und sonst hielte ihn niemand auf.",
    "got-token": "Eingetreten: Das Token kam, oder sonst kann es niemand haben.",
    "made-token":
      "Machte ein neues Token: Der Anspruch war einmal herum, also hat niemand eines, und niemand sonst macht eines.",
    met: "Hier sind sich die beiden Token begegnet: Sie bekommen die nächste Nummer.",
    "misses-token": "Beansprucht, ein neues Token zu machen: Lange ist keines vorbeigekommen.",
    "misses-token-and-makes-it": "Macht sofort ein neues Token: Lange ist keines vorbeigekommen.",
    "not-predecessor": "Ignoriert: Das Token kommt nur vom Vorgänger.",
    "old-token": "Ignoriert: Dieses Token galt als verloren, und ein neueres ist gemacht oder wird es gleich.",
    "passed-on-leaving": "Gab das Token dem Nächsten im Ring weiter: Dieser Prozess hat den Abschnitt verlassen.",
    "passed-unused":
      "Gab das Token weiter: Dieser Prozess ist nach einem Absturz zurück und weiß nicht, ob es ein altes ist.",
    "passed-unwanted": "Gab das Token dem Nächsten im Ring weiter: Dieser Prozess will nicht in den Abschnitt.",
    "ping-lost": "Machte ein neues PING: PONG war zweimal herum und ist ihm nicht begegnet.",
    "pong-lost": "Machte ein neues PONG: PING war zweimal herum und ist ihm nicht begegnet.",
    rests: "Behält das Token: Alle anderen sind tot.",
    "second-token": "Ignoriert: Das Token ist schon hier.",
    "taken-in": "Übergeht ihn nicht mehr: Er lebt.",
    "token-is-here": "Hielt den Anspruch auf: Das Token ist hier.",
    unexpected: "Ignoriert: In dieser Variante sagt das niemand.",
    "worse-claim": "Hielt den Anspruch auf: Es gibt einen besseren, oder das Token dazu ist schon gemacht.",
  },
  "naimi-trehel": {
    ...askedForByAnybody,
    "asked-father": "Nach dem Token gefragt.",
    "asks-when-resumed": "Wartet: Wo das Token ist, wird gerade herausgefunden.",
    "father-forgotten": "Wartet: Wo das Token ist, ging bei einem Absturz vergessen.",
    "nobody-elses": "Ignoriert: eine eigene Anfrage, eine des eigenen Vaters oder von niemandem in diesem Lauf.",
    "noted-as-next":
      "Als Nächsten gemerkt: Dieser Prozess ist der letzte derer, die warten oder im Abschnitt sind.",
    "noted-early": "Gemerkt: Dort hat die neue Generation begonnen, hier noch nicht.",
    "passed-to-father": "Die Anfrage weitergegeben.",
    "sent-idle": "Sandte das Token: Hier will niemand in den Abschnitt.",
    "sent-to-next": "Sandte das Token beim Gehen: Der Empfänger ist der Nächste.",
  },
  raymond: {
    advised: "Sagte einem Nachbarn, der zurück ist, was hier von ihm bekannt ist.",
    "already-asked": "Wartet weiter: Nach dem Privileg ist schon gefragt.",
    "asked-holder": "Nach dem Privileg gefragt: Hier wartet der Erste der Schlange.",
    "cannot-advise": "Ignoriert: Dieser Prozess weiß selbst nichts, oder in dieser Variante gibt niemand Rat.",
    "centre-of-gap": "Ein Nachbar ist gestorben: Die um ihn sind nun Nachbarn dieses Prozesses.",
    "first-in-own-queue": "Eingetreten: Das Privileg ist hier, und dieser Prozess ist der erste seiner Schlange.",
    "found-privilege":
      "Die Toten haben das Privileg nicht: Ein Nachbar an ihrer Stelle hat es oder kennt den Weg.",
    "holder-unknown": "Wartet weiter: Wo das Privileg ist, hat er noch nicht gehört.",
    "joined-centre":
      "Ein Nachbar ist gestorben: Dem, der nun an seiner Stelle Nachbar ist, gesagt, wie es hier steht.",
    "learnt-direction": "Erfuhr, wo das Privileg ist.",
    "made-anew": "Machte das Privileg neu: Alle um die Toten hielten sie für den Weg dorthin.",
    "not-neighbour": "Ignoriert: kein Nachbar im Baum.",
    "not-neighbour-yet":
      "Aufgehoben, bis Tode gemeldet sind: Solange jene leben, ist der Absender kein Nachbar.",
    "noted-in-recovery": "Gemerkt, bis alle Nachbarn Rat gegeben haben.",
    "passed-to-first": "Gab das Privileg weiter: Der Nachbar ist der Erste der Schlange.",
    "queued-in-section": "Die Anfrage eingereiht: Dieser Prozess ist im Abschnitt.",
    recovered: "Weiß wieder, wo das Privileg ist und wer hier danach fragt.",
    "said-before-death": "Ignoriert: Der Absender ist seitdem gestorben.",
    "unexpected-advice": "Ignoriert: Rat ist nicht nötig.",
    "unexpected-initialize": "Ignoriert: Wo das Privileg ist, ist bekannt.",
    "unexpected-privilege": "Ignoriert: Dort war nach dem Privileg nicht gefragt.",
    "waits-already": "Ignoriert: Jener Nachbar wartet schon.",
  },
  "ricart-agrawala-token": {
    ...askedForByBroadcast,
    "passed-in-ring": "Gab das Token weiter: Von denen, die warten, ist dieser der erste nach dem Inhaber.",
    "passed-to-longest-waiting": "Gab das Token weiter: Niemand wartet länger.",
  },
  "suzuki-kasami": {
    ...askedForByBroadcast,
    "passed-to-first": "Gab das Token weiter: Dieser Prozess ist der erste der Schlange im Token.",
  },
  // What follows when a new generation of the token is made: the server has no sentences for these.
  regeneration: {
    joins: "Sagt allen, dass er zurück ist, und macht mit, sobald es alle wissen.",
    welcomed: "Zur Kenntnis genommen: Ein Prozess ist nach einem Absturz zurück.",
    "answers-later": "Antwortet, wenn alle wissen, dass er zurück ist.",
    "asked-all":
      "Alle gefragt, die leben: Einer von ihnen ist tot oder zurück, und das Token kann verloren sein.",
    answered: "Sagte, was er hat, und gibt kein Token weiter, bis es weitergeht.",
    refused: "Abgelehnt: Hier ist eine spätere Generation bekannt.",
    "made-token": "Machte ein Token: Niemand, der lebt, hat eines.",
    "found-token": "Machte kein Token: Es gibt eines.",
    resumed: "Macht weiter: Wo das Token ist, ist bekannt.",
    "old-token": "Ignoriert: Ein Token dieser Generation gilt hier nicht.",
    "old-request": "Ignoriert: Wer wartet, fragt in der neuen Generation noch einmal.",
    "of-the-dead": "Ignoriert: Wer gefragt hat, ist tot, und andere fragen an seiner Stelle.",
    "not-asked": "Ignoriert: Es gehört zu keiner offenen Frage.",
    "kept-until-resumed": "Behielt das Token: Es bleibt hier, bis bekannt ist, wer mitmacht.",
  },
};
