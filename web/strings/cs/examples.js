/** Czech: the examples, by name. */

/** @type {import("../../words/catalogue.js").ExampleWords} */
export const examples = {
  "cash-machines": {
    title: "Dva bankomaty, jeden účet",
    about:
      "Dva bankomaty vloží po 10 000 na účet, na kterém je 1 000. Se zámkem čte zůstatek a zapisuje nový vždy jen jeden: na " +
      "konci 21 000.",
  },
  "cash-machines-unprotected": {
    title: "Dva bankomaty bez zámku",
    about:
      "Tytéž dva bankomaty a nikdo nečeká: oba čtou 1 000, oba zapíší 11 000. Jeden vklad je ztracen a monitory to hlásí.",
  },
  "files-one-by-one": {
    title: "Adresář se čtyřmi soubory, zamykanými po jednom",
    about:
      "Každý soubor má vlastní zámek: instanci algoritmu s vlastním tokenem. Kdo pracuje s jedním souborem, u jiného nikomu " +
      "nepřekáží.",
  },
  "files-together": {
    title: "Adresář se čtyřmi soubory, zamykanými najednou",
    about:
      "Každý klient si před prací vezme zámky všech čtyř souborů, ve vzestupném pořadí: nikdo nemůže čekat v kruhu.",
  },
  directory: {
    title: "Adresář a jeho čtyři soubory",
    about:
      "Zámek 0 patří adresáři, ostatní jeho souborům. Kdo chce soubor, vezme adresář, pak soubor a adresář vrátí; tu a tam " +
      "někdo vezme adresář se vším, co v něm je, a čeká, až budou soubory volné. Nikdo nečeká v kruhu a žádný řádek přidaný do " +
      "souboru se neztratí.",
  },
  "ricart-agrawala": {
    title: "Ricart–Agrawala, jak je nakreslen v přednášce",
    about:
      "P1 je v sekci. P3 žádá s ⟨42,3⟩ a P5 o něco později s ⟨49,5⟩. P1 oba odkládá, P5 odpoví P3 hned a P3 odkládá P5. Když P1 " +
      "odejde, vstoupí P3 a po něm P5. (P3 a P5 už do té doby ostatním mnoho řekli, a tak jejich hodiny ukazují 41 a 48.)",
  },
  "lamport-without-fifo": {
    title: "Lamport bez kanálů, které zachovávají pořadí",
    about:
      "P0 a P1 žádají. REQUEST od P0 je pomalý a jeho ACK ho předběhne. P1 bere ACK jako znamení, že P0 předtím o nic nežádal, " +
      "a vstoupí, zatímco P0 je uvnitř.",
  },
  "maekawa-deadlock": {
    title: "Maekawova první verze: každý dva hlasy",
    about:
      "P0, P1 a P2 ze sedmi žádají a každý dostane dva ze tří hlasů, které potřebuje: od P0 a P2, od P1 a P3, od P4 a P5. Nikdo " +
      "hlas nevrátí a čekají v kruhu navždy.",
  },
  "suzuki-kasami-lost-token": {
    title: "Suzuki–Kasami: token se ztratí",
    about:
      "P0 má token a dostane ho P2. Na cestě od P2 k P3 se ztratí. P3 čeká navždy a stejně každý, kdo žádá po něm: nový nikdo " +
      "vytvořit nemůže.",
  },
  "lease-fenced": {
    title: "Opožděný držitel s fencing tokenem",
    about:
      "P1 je v sekci a na čtyři sekundy je zastaven. Jeho lhůta skončí a vstoupí P2 s dalším fencing tokenem a vloží peníze. " +
      "Pak P1 pokračuje a zapisuje, co spočítal ze starého zůstatku: jeho token je starší a účet ho odmítne. Nic se neztratilo.",
  },
  "lease-unfenced": {
    title: "Opožděný držitel bez fencing tokenu",
    about: "Totéž s účtem, který na žádný token nehledí: P1 přepíše, co vložil P2, a jeden vklad je ztracen.",
  },
  bully: {
    title: "Bully: P3 si všimne, že P7 je mrtvý",
    about:
      "Osm procesů a P7 je jejich koordinátor. Zemře, P3 si toho všimne a ptá se všech nad sebou; ti odpoví a sami se ptají; P6 " +
      "odpověď nedostane a je novým koordinátorem. Pak se P7 vrátí a ujme se vedení.",
  },
  "ring-best": {
    title: "Kruh, začínají všichni: nejlepší pořadí",
    about:
      "Osm procesů vyhlásí volbu současně. Každý ELECT narazí hned po prvním kroku na větší číslo; jen ten od P7 oběhne kruh: je " +
      "jich 2N-1 = 15 a pak kruh oběhne COORD.",
  },
  "ring-worst": {
    title: "Kruh, začínají všichni: nejhorší pořadí",
    about: "Týchž osm obráceně: každý ELECT jde dál, dokud nedojde k P7. Je jich 1+2+…+8 = 36.",
  },
  "ring-dead-successor": {
    title: "Kruh s potvrzováním: mrtvý následník se přeskočí",
    about:
      "P7 je mrtvý a P3 vyhlásí volbu. Každý ELECT se potvrzuje zprávou OK; P6 od P7 nic neslyší a pošle svůj ELECT místo toho " +
      "k P0. Zvolen je P6.",
  },
  failover: {
    title: "Koordinátor zámku zemře",
    about:
      "Pět procesů má společný zámek, který povoluje P0. Po šesti sekundách je P0 mrtvý: kdo čeká, všimne si toho a vyhlásí " +
      "volbu, nový koordinátor se ostatních zeptá, co mají a chtějí, a pokračuje se, dokud každý klient nevstoupil šestkrát.",
  },
  "two-coordinators": {
    title: "Bully: dva koordinátoři",
    about:
      "P7 je mrtvý a P3 si toho všimne. Zpráva letí dvě sekundy a tak dlouho nikdo nečeká: P3 má mlčení těch nad sebou za smrt " +
      "a prohlásí se koordinátorem, a stejně tak P4, P5 a P6, tři z nich pro totéž období.",
  },
  philosophers: {
    title: "Pět filosofů a všechny čtyři podmínky",
    about:
      "Každý vezme levou vidličku a pak chce pravou, kterou má soused: čekají v kruhu. V čase 9 s P0 svou vidličku odloží a " +
      "najedí se jeden po druhém.",
  },
  "philosophers-ordered": {
    title: "Pět filosofů, kteří berou nejdřív vidličku s menším číslem",
    about: "Nikdo nečeká v kruhu: poslední filosof bere vidličky obráceně.",
  },
  "philosophers-together": {
    title: "Pět filosofů, kteří berou obě vidličky najednou",
    about: "Nikdo nemá jednu vidličku a nečeká na druhou: jsou tu obě, nebo žádná.",
  },
  "philosophers-give-way": {
    title: "Pět filosofů, kteří vidličku vracejí",
    about: "Nikdo netrvá na svém: kdo nemůže dostat druhou vidličku, odloží první a po náhodné době to zkusí znovu.",
  },
  "philosophers-shared": {
    title: "Pět filosofů, kteří se o vidličky dělí",
    about: "Žádná vidlička není jen pro jednoho: s prostředky, které lze sdílet, nečeká vůbec nikdo.",
  },
  corridor: {
    title: "Dva lidé v chodbě",
    about:
      "Každý zabere jednu stranu, druhou najde obsazenou, ustoupí a zkusí to znovu po stejné době jako ten druhý: livelock. V " +
      "čase 22 s P1 zaváhá o něco déle než obvykle a projdou kolem sebe.",
  },
  "corridor-random": {
    title: "Dva lidé v chodbě, kteří váhají",
    about: "Každý to zkusí znovu po náhodné době: brzy kolem sebe projdou.",
  },
  "priority-starvation": {
    title: "Tři stanice a poslední hladoví",
    about:
      "Všechny chtějí vysílat, znovu a znovu, a z čekajících jde první ta s nejmenším číslem. P0 a P1 se střídají a P2 čeká, " +
      "dokud něco chtějí: hladovění, a ne uváznutí. Na řadu přijde, až budou mít ostatní dost.",
  },
  "distributed-deadlock": {
    title: "Kruh, který žádné místo nevidí",
    about:
      "P0 čeká na místě P1 a P1 na místě P0: ani jeden lokální graf nemá kruh. P2, koordinátor, oba spojí a řekne P1, aby se " +
      "vzdal; P0 pokračuje.",
  },
  "phantom-deadlock": {
    title: "Uváznutí, které nikdy nebylo",
    about:
      "P0 čeká na P1 a jeho místo to hlásí. P1 vrátí, co chce P0, a o něco později žádá o to, co má P0: žádný kruh. Ale zpráva o " +
      "tom, že P1 vrátil, jde déle než ta, že žádá: koordinátor vidí obě čekání zároveň a P1 se musí zbytečně vzdát.",
  },
  probes: {
    title: "Sondy, které se vrátí",
    about:
      "Čtyři čekají v kruhu, každý na dalšího. Kdo je blokován, pošle po kruhu sondu; vrátí se jen sonda nejvyššího čísla a vzdá " +
      "se P3. Pak všichni jeden po druhém vrátí, co mají, a P3, který požádal znovu, dostane, co chce.",
  },
  "wait-die": {
    title: "Wait-die: mladý zemře",
    about:
      "P0 a P1 mají každý to, co chce druhý. P0 je starší a čeká; P1 je mladší, zemře, vrátí, co má, a požádá znovu se svou " +
      "původní časovou značkou. Zemře ještě jednou, a když P0 skončí, dostane obojí.",
  },
  "wound-wait": {
    title: "Wound-wait: starý zraní",
    about:
      "Titíž dva. P0 je starší a nečeká: zraní P1, který vrátí, co má, a požádá znovu se svou původní časovou značkou. Teď žádá " +
      "mladší o to, co má starší, a čeká.",
  },
  banker: {
    title: "Bankéř z přednášky",
    about:
      "Bankéř, P0, ukazuje, co kdo má a co kdo ještě potřebuje. V čase 2000 žádá P1 (v přednášce P2) o další jednotku prostředku " +
      "2 a dostane ji: všichni mohou ještě skončit, v pořadí P3, P4, P0, P2, P1. V čase 3000 o jednu žádá i P4 a musí čekat: pak " +
      "by si nikdo nemohl být jist, že skončí. Když skončí P3, dostane ji.",
  },
  paxos: {
    title: "Paxos, příklad I",
    about:
      "P0 navrhuje v, P1 až P3 slíbí a přijmou a P4 se to dozví, jakmile přijali dva: třetí přijde pozdě, než aby na tom záleželo.",
  },
  "paxos-promises": {
    title: "Paxos, příklad II: sliby",
    about: "P0 prosadí v1. P1 přijde později s v2: ze slibů se dozví o v1 a žádá také o v1.",
  },
  "paxos-ignored-prepare": {
    title: "Paxos, příklad II: starší PREPARE se ignoruje",
    about:
      "P0 navrhuje o něco později než P1, ale s nižším číslem, a PREPARE od P1 dorazí první: ten od P0 se ignoruje a P0 to zkusí " +
      "znovu až po chvíli.",
  },
  "paxos-ignored-accept": {
    title: "Paxos, příklad II: starší ACCEPT se ignoruje",
    about:
      "P0 má své sliby, ale než jeho ACCEPT dorazí, slíbí všichni P1 vyšší číslo: ACCEPT se ignoruje a zvolena je v2.",
  },
  "paxos-two-values": {
    title: "Paxos, jak je vytištěn: zvoleny jsou dvě hodnoty",
    about:
      "P0 prosadí v1. P1 přijde později s v2 a podle tištěného textu nehledí na to, co mu sliby říkají: žádá o v2, s vyšším " +
      "číslem, a zvolena je i v2.",
  },
  "paxos-duel": {
    title: "Dva navrhovatelé v souboji",
    about:
      "P0 a P1 navrhují střídavě. Každému je jeho číslo slíbeno dřív, než dorazí ACCEPT toho druhého, který se pak ignoruje, a " +
      "oba to po stejné době zkusí znovu: nikdy není nic zvoleno. V čase 12 s se P1 na chvíli odmlčí a zvolena je v0.",
  },
};
