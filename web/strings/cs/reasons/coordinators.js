/** Czech: the reasons of the algorithms in which a coordinator grants the section. */

/** @type {import("../../../words/catalogue.js").Reasons} */
export const coordinators = {
  centralised: {
    "asks-again":
      "Odešel: kdo sekci dostal, žádá znovu, takže v ní není; jeho RELEASE se mohl opozdit nebo ztratit při havárii.",
    "given-back": "Vráceno: požádal o to dřívější život tohoto procesu.",
    granted: "Vstoupil: koordinátor to povolil.",
    "granted-first": "Povoleno: sekce se uvolnila a tato žádost je ve frontě první.",
    "granted-free": "Povoleno: v sekci nikdo nebyl.",
    "nobody-waits": "Nikdo nečeká: sekce je volná.",
    "not-for-coordinator": "Ignorováno: žádosti a uvolnění přijímá jen koordinátor a povoluje jen on.",
    outdated: "Ignorováno: odtamtud už přišla stejně nová nebo novější žádost.",
    queued: "Zařazeno do fronty: sekci má jiná žádost.",
    reclaimed: "Odebráno: tato žádost má sekci déle, než dovoluje její lhůta.",
    "unexpected-grant": "Ignorováno: na to, co se povoluje, tento proces nečeká.",
    "unexpected-release": "Ignorováno: to, co se uvolňuje, povoleno nebylo.",
  },
  "centralised-failover": {
    "all-answered": "Odteď povoluje: všichni odpověděli.",
    "asks-again": "Ptá se znovu, aby zjistil, zda koordinátor žije.",
    "asks-all": "Ptá se všech: stal se koordinátorem a neví, kdo je uvnitř.",
    buried: "Zapomíná žádost: toho, kdo ji podal, má detektor selhání za mrtvého.",
    "coordinator-silent": "Vyhlašuje volbu: koordinátor včas neodpověděl.",
    "coordinator-suspected": "Vyhlašuje volbu: detektor selhání má koordinátora za mrtvého.",
    election: "Ve volbě:",
    entered: "Vstoupil: koordinátor to povolil.",
    granted: "Povoleno: v sekci nikdo nebyl a tato žádost je ve frontě první.",
    "may-have-missed": "Zatím nic nepovoluje: sám měl výpadek a proces, který neodpověděl, možná zná pozdější období.",
    "other-term": "Ignorováno: z jiného období než koordinátorova.",
    queued: "Zařazeno do fronty: v sekci někdo je.",
    "queued-while-asking": "Zařazeno do fronty: povolovat se bude, až všichni řeknou, co mají.",
    serves: "Má tohoto za koordinátora, kterého se ptá.",
    "some-dead": "Odteď povoluje: kdo včas neodpověděl, je mrtvý.",
    "term-known": "Odteď povoluje: zná poslední období.",
    "term-taken": "Vyhlašuje volbu: jiný proces měl před havárií uložené období, které není starší.",
    unexpected: "Ignorováno: na nic takového se nečeká, nebo už ne.",
  },
};
