/** Reasons given by the algorithms with a coordinator. Only German and Czech: the server provides the English texts. */

import { both } from "../say.js";

export const coordinators = {
  centralised: {
    "asks-again": both("Verlassen: Der Prozess, der den kritischen Abschnitt hatte, fragt wieder, hat ihn also verlassen; sein RELEASE " +
      "kann verspätet oder bei einem Absturz verloren gegangen sein.",
      "Opuštěno: proces, který měl kritickou sekci, žádá znovu, takže ji opustil; jeho RELEASE se mohl opozdit nebo " +
      "ztratit při havárii."),
    "given-back": both("Zurückgegeben: Danach hat eine frühere Inkarnation dieses Prozesses gefragt.",
      "Vráceno: požádal o to dřívější inkarnace tohoto procesu."),
    granted: both("Eingetreten: Der Koordinator hat es gewährt.", "Vstoupil: koordinátor to povolil."),
    "granted-first": both("Gewährt: Der kritische Abschnitt ist frei geworden, und diese Anfrage ist die erste der " +
      "Warteschlange.",
      "Povoleno: kritická sekce se uvolnila a tato žádost je ve frontě první."),
    "granted-free": both("Gewährt: Der kritische Abschnitt war frei.", "Povoleno: kritická sekce byla volná."),
    "nobody-waits": both("Niemand wartet: Der kritische Abschnitt ist frei.", "Nikdo nečeká: kritická sekce je volná."),
    "not-for-coordinator": both("Ignoriert: Nur der Koordinator nimmt Anfragen und Freigaben, und nur er gewährt.",
      "Ignorováno: žádosti a uvolnění přijímá jen koordinátor a povoluje jen on."),
    outdated: both("Ignoriert: Von dort wurde schon eine ebenso neue oder neuere Anfrage gesehen.",
      "Ignorováno: odtamtud už přišla stejně nová nebo novější žádost."),
    queued: both("Eingereiht: Eine andere Anfrage hat den kritischen Abschnitt.",
      "Zařazeno do fronty: kritickou sekci má jiná žádost."),
    reclaimed: both("Zurückgenommen: Diese Anfrage hat den kritischen Abschnitt länger, als ihre Frist erlaubt.",
      "Odebráno: tato žádost má kritickou sekci déle, než dovoluje její lhůta."),
    "unexpected-grant": both("Ignoriert: Gewährt wird etwas, worauf dieser Prozess nicht wartet.",
      "Ignorováno: na to, co se povoluje, tento proces nečeká."),
    "unexpected-release": both("Ignoriert: Freigegeben wird etwas, was nicht gewährt war.",
      "Ignorováno: to, co se uvolňuje, povoleno nebylo."),
  },
  "centralised-failover": {
    "all-answered": both("Gewährt von nun an: Alle haben geantwortet.", "Odteď povoluje: všichni odpověděli."),
    "asks-again": both("Fragt noch einmal, um zu sehen, ob der Koordinator lebt.",
      "Ptá se znovu, aby zjistil, zda koordinátor žije."),
    "asks-all": both("Fragt alle: Er ist Koordinator geworden und weiß nicht, wer drin ist.",
      "Ptá se všech: stal se koordinátorem a neví, kdo je uvnitř."),
    buried: both("Vergisst eine Anfrage: Der Ausfalldetektor verdächtigt ihren Absender.",
      "Zapomíná žádost: detektor selhání podezírá jejího odesílatele."),
    "coordinator-silent": both("Ruft eine Wahl aus: Der Koordinator hat nicht rechtzeitig geantwortet.",
      "Vyhlašuje volbu: koordinátor včas neodpověděl."),
    "coordinator-suspected": both("Ruft eine Wahl aus: Der Ausfalldetektor verdächtigt den Koordinator.",
      "Vyhlašuje volbu: detektor selhání podezírá koordinátora."),
    election: both("In der Wahl:", "Ve volbě:"),
    entered: both("Eingetreten: Der Koordinator hat es gewährt.", "Vstoupil: koordinátor to povolil."),
    granted: both("Gewährt: Der kritische Abschnitt war frei, und dies ist die erste Anfrage der Warteschlange.",
      "Povoleno: kritická sekce byla volná a tato žádost je ve frontě první."),
    "may-have-missed": both("Gewährt noch nichts: Er war ausgefallen, und ein Prozess, der nicht geantwortet hat, kennt " +
      "vielleicht eine spätere Amtszeit.",
      "Zatím nic nepovoluje: sám měl výpadek a proces, který neodpověděl, možná zná pozdější období."),
    "other-term": both("Ignoriert: aus einer anderen Amtszeit als der des Koordinators.",
      "Ignorováno: z jiného období než koordinátorova."),
    queued: both("Eingereiht: Ein Prozess ist im kritischen Abschnitt.",
      "Zařazeno do fronty: v kritické sekci je některý proces."),
    "queued-while-asking": both("Eingereiht: Gewährt wird erst, wenn alle gemeldet haben, was sie haben.",
      "Zařazeno do fronty: povolovat se bude, až všichni ohlásí, co mají."),
    serves: both("Hält diesen für den Koordinator, den er fragt.", "Má tohoto za koordinátora, kterého se ptá."),
    "some-dead": both("Gewährt von nun an: Wer nicht rechtzeitig geantwortet hat, ist abgestürzt.",
      "Odteď povoluje: kdo včas neodpověděl, havaroval."),
    "term-known": both("Gewährt von nun an: Er kennt die letzte Amtszeit.", "Odteď povoluje: zná poslední období."),
    "term-taken": both("Ruft eine Wahl aus: Ein anderer Prozess hatte vor seinem Absturz eine Amtszeit gespeichert, die nicht " +
      "älter ist.",
      "Vyhlašuje volbu: jiný proces měl před havárií uložené období, které není starší."),
    unexpected: both("Ignoriert: Auf eine solche Nachricht wartet dieser Prozess nicht, oder nicht mehr.",
      "Ignorováno: na takovou zprávu tento proces nečeká, nebo už ne."),
  },
};
