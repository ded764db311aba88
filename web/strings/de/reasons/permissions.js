/** German: the reasons of the algorithms in which others give permissions or votes. */

const carvalhoRoucairolAndRicartAgrawala = {
  "deferred-in-section": "Aufgeschoben: Dieser Prozess ist im Abschnitt.",
  "deferred-younger": "Aufgeschoben: Die eigene Anfrage ist älter.",
  "not-its-sender": "Ignoriert: Die Anfrage soll von einem anderen Prozess sein als von ihrem Absender.",
  "of-an-earlier-life": "Ignoriert: Das hat ein früheres Leben des Prozesses gesagt.",
  "replied-idle": "Geantwortet: Dieser Prozess will nicht in den Abschnitt.",
  "replied-older": "Geantwortet: Die andere Anfrage ist älter als die eigene.",
  "to-another-life": "Ignoriert: Es galt einem anderen Leben dieses Prozesses.",
};

/** @type {import("../../../words/catalogue.js").Reasons} */
export const permissions = {
  bakery: {
    before: "Wartet weiter: Nach den Nummern ist jener Prozess vor diesem dran.",
    drew: "Zog eine Nummer: um eins größer als die größte, die er sah.",
    "nobody-before": "Eingetreten: Nach den Nummern ist niemand vor diesem Prozess dran.",
    "read-again": "Jener Prozess lebt: Seine Variablen zählen wieder.",
    "reads-as-zero": "Jener Prozess ist tot: Seine Nummer gilt als 0, und er zieht keine.",
    "still-choosing": "Wartet weiter: Jener Prozess zieht gerade eine Nummer.",
    "still-leaving": "Wartet weiter: Noch wissen nicht alle, dass er den Abschnitt verlassen hat.",
    unexpected: "Ignoriert: Von dort fehlt keine solche Antwort.",
    "wrote-before-death": "Ignoriert: Der Absender ist seitdem gestorben, seine Variablen gelten als 0.",
  },
  "carvalho-roucairol": {
    ...carvalhoRoucairolAndRicartAgrawala,
    "all-permissions": "Eingetreten: Die Erlaubnisse aller Paare sind hier, nur die mit den Toten nicht.",
    "asked-again": "Noch einmal gefragt: Er braucht die Erlaubnis, die er gerade hergegeben hat.",
    "asked-who-is-back": "Gefragt: Der Prozess lebt wieder, also braucht es seine Erlaubnis.",
    removed: "Braucht von dort keine Erlaubnis: Der Prozess ist tot.",
    "to-another-request": "Ignoriert: Die Erlaubnis galt einer anderen Anfrage dieses Prozesses.",
    "unexpected-reply": "Ignoriert: Die Erlaubnis dieses Paares ist schon hier.",
  },
  lamport: {
    acknowledged: "Bestätigt: Die Anfrage steht hier in der Schlange.",
    "everyone-acknowledged": "Eingetreten: Die eigene Anfrage ist die erste, und alle haben sie bestätigt.",
    "everyone-later":
      "Eingetreten: Die eigene Anfrage ist die erste, und von jedem, der nicht tot ist, kam eine spätere Nachricht.",
    "first-here": "Eingetreten: Die eigene Anfrage ist hier die erste, was immer andere wissen mögen.",
    joins: "Macht nach einem Absturz wieder mit und fragt die anderen zuerst nach ihren Uhren und Anfragen.",
    "joins-first": "Fragt später: Noch haben nicht alle gesagt, wie spät es ist und was sie wollen.",
    "nobody-joins": "Ignoriert: In dieser Variante macht niemand wieder mit.",
    "not-heard-from-all":
      "Wartet weiter: Die eigene Anfrage ist die erste, aber so viele können noch eine ältere senden.",
    "not-its-sender": "Ignoriert: Die Nachricht spricht von einem anderen Prozess als von ihrem Absender.",
    "nothing-to-release":
      "Nichts zu entfernen: Von dem, der geht, steht keine Anfrage in der Schlange, oder nicht die, die er nennt.",
    "older-first": "Wartet weiter: Eine ältere Anfrage steht vorn.",
    "outdated-request":
      "Nicht eingereiht: Von dort wurde schon eine neuere Anfrage bekannt, diese ist also erledigt.",
    "postponed-in-section": "Die Bestätigung aufgeschoben: Dieser Prozess ist im Abschnitt.",
    removed: "Wartet auf nichts von dort: Der Prozess ist tot oder in einem anderen Leben.",
    "to-another-life": "Ignoriert: Es galt einem anderen Leben dieses Prozesses.",
    "unexpected-ack": "Ignoriert: Von dort fehlte keine Bestätigung (eine Kopie, oder für eine frühere Anfrage).",
    "unexpected-welcome": "Ignoriert: Von dort fehlte keine Antwort.",
    welcomed: "Sagte, wie spät es ist und was hier gewollt wird: Ein Prozess ist nach einem Absturz zurück.",
  },
  maekawa: {
    "all-voted": "Eingetreten: Die ganze Gruppe hat für diesen Prozess gestimmt.",
    "failed-better-known": "Sagte einer Anfrage, dass sie warten muss: Es gibt eine bessere.",
    "formed-quorum":
      "Fragt die auf einem Weg des Baums, der durch niemanden führt, der tot ist, oder um die Toten herum.",
    "given-up": "Seine Stimmen und Anfragen gelten nicht mehr: Jener Prozess ist tot.",
    "inquired-before-locked": "Die Stimme, die zurückverlangt wird, ist noch nicht angekommen.",
    "inquired-for-better": "Verlangt die Stimme von der Anfrage zurück, die sie hat: Eine bessere ist gekommen.",
    "kept-in-section": "Behält eine Stimme, die zurückverlangt wird: Dieser Prozess ist im Abschnitt.",
    "kept-undecided":
      "Behält eine Stimme, die zurückverlangt wird, fürs Erste: Noch ist ihm keine andere verweigert.",
    "new-arbiter": "Fragt von nun an einen anderen nach der Stimme dieses Platzes.",
    "no-quorum": "Fragt niemanden: Für ein Quorum sind zu viele gestorben.",
    "nobody-waits": "Niemand wartet auf die Stimme.",
    "not-in-set": "Ignoriert: kein Mitglied der eigenen Gruppe.",
    "not-its-arbiter": "Ignoriert: An diesem Platz vergibt ein anderer die Stimme.",
    outdated: "Ignoriert: Die Nachricht betrifft eine Anfrage, die erledigt ist oder die es nie gab.",
    "queued-behind": "Eingereiht: Die Stimme wurde schon zurückverlangt, oder das geschieht nie.",
    rebuilt: "Weiß wieder, wer die Stimme dieses Platzes hat und wer auf sie wartet.",
    "relinquished-as-failed": "Gab eine Stimme zurück: Eine andere ist ihm vorerst verweigert.",
    "said-before-death": "Ignoriert: Der Absender ist seitdem gestorben.",
    "still-rebuilding":
      "Stimmt für niemanden: Noch haben nicht alle gesagt, was sie von dem haben, der an diesem Platz war.",
    "took-over": "Nimmt den Platz eines Toten ein und fragt die, die ihn fragen, was sie wissen.",
    "voted-best": "Gestimmt: Die Stimme kam zurück, und dies ist die beste Anfrage, die auf sie wartet.",
    "voted-free": "Gestimmt: Dieser Prozess hatte seine Stimme.",
    withdrawn: "Eine Anfrage wird zurückgezogen: Ihr Absender fragt andere.",
  },
  "ricart-agrawala": {
    ...carvalhoRoucairolAndRicartAgrawala,
    "deferred-at-tie": "Aufgeschoben: Die andere Anfrage hat dieselbe Zeit wie die eigene.",
    "everyone-replied": "Eingetreten: Jeder hat geantwortet oder ist tot.",
    joins: "Macht nach einem Absturz wieder mit und fragt die anderen zuerst nach ihren Uhren.",
    "joins-first": "Fragt später: Noch haben nicht alle gesagt, wie spät es ist.",
    "late-reply":
      "Ignoriert: Nach der Uhr des Absenders ging die Antwort ab, ehe gefragt war: Sie gilt einer früheren Anfrage.",
    "no-such-number": "Ignoriert: Eine solche Nummer gibt es nicht, denn gezählt wird modulo einer anderen.",
    "nobody-joins": "Ignoriert: In dieser Variante macht niemand wieder mit.",
    removed: "Wartet auf keine Antwort von dort: Der Prozess ist tot oder in einem anderen Leben.",
    "replied-at-tie": "Geantwortet: Die andere Anfrage hat dieselbe Zeit wie die eigene.",
    "unexpected-reply":
      "Ignoriert: Von dort fehlte keine Antwort (eine Kopie, oder auf eine Anfrage aus einem früheren Leben).",
    welcomed: "Sagte, wie spät es ist: Ein Prozess ist nach einem Absturz zurück.",
  },
  sanders: {
    "all-granted": "Eingetreten: Die ganze Request-Menge hat es erlaubt.",
    "asked-instead":
      "Fragt einen anderen: Der, auf den beide bauten, ist tot, also müssen die beiden einander fragen.",
    "failed-older-known": "Sagte einer Anfrage, dass sie warten muss: Es gibt eine ältere.",
    "granted-uninformed": "Erlaubt: Wer fragt, wird diesen Prozess nicht informieren, also darf er es auch anderen erlauben.",
    "granted-until-informed": "Erlaubt, und keinem anderen, bis dieser Prozess erfährt, dass der eine gegangen ist.",
    "inquired-before-grant": "Die Erlaubnis, die zurückverlangt wird, ist noch nicht angekommen.",
    "inquired-for-older": "Verlangt die Erlaubnis von der Anfrage zurück, die sie hat: Eine ältere ist gekommen.",
    "kept-in-section": "Behält eine Erlaubnis, die zurückverlangt wird: Dieser Prozess ist im Abschnitt.",
    "kept-undecided":
      "Behält eine Erlaubnis, die zurückverlangt wird, fürs Erste: Noch ist ihm keine andere verweigert.",
    "nobody-waits": "Niemand wartet auf eine Erlaubnis.",
    "not-in-request-set": "Ignoriert: kein Mitglied der eigenen Request-Menge.",
    outdated: "Ignoriert: Die Nachricht betrifft eine Anfrage, die erledigt ist oder die es nie gab.",
    "queued-behind": "Eingereiht: Die Erlaubnis ist schon zurückverlangt.",
    removed: "Aus den Mengen genommen: Jener Prozess ist tot.",
    "said-before-death": "Ignoriert: Der Absender ist seitdem gestorben.",
    "stays-out": "Macht nicht mit: Nach einem Absturz weiß dieser Prozess nicht mehr, wem er was erlaubt hatte.",
    "yielded-as-failed": "Gab eine Erlaubnis zurück: Eine andere ist ihm vorerst verweigert.",
  },
};
