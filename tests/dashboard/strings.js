// Lists texts of the server whose German or Czech translation is missing or has different placeholders. The script
// runs in the page. Its first argument is a list of additional algorithms; its last argument is the callback for the
// result.
const [added, done] = arguments;

/** Parts of a text that must be equal in every language: names, message kinds and numbers. */
const PLACES = /`[^`]*`|\{[^}]*\}|⟨[^⟩]*⟩|\bP\d+\b|\b[A-Z]{2,}\b|\d+/gu;
/** If a variant builds on another variant, its description begins with the name of that other variant. */
const VARIANT = /^as ([a-z][a-z0-9-]*)(?=[,;])/u;

/** Removes thousands separators, because they differ: 10,000 is 10.000 in German and 10 000 in Czech. */
const plain = (text) => text.replaceAll(/(\d)[.,\u00a0 ](?=\d{3}(?!\d))/gu, "$1");
const placesIn = (text) => [...new Set(plain(text).match(PLACES) ?? [])].sort().join(" ");

/** Returns what is wrong with a translation, or undefined if it is correct. */
function wrongWith(english, words) {
  if (words === undefined) return "has no words";
  const [, variant] = VARIANT.exec(english) ?? [];
  const isNamed = variant === undefined || words.includes(variant);
  return placesIn(words) === placesIn(english) && isNamed ? undefined : `has other places: ${words}`;
}

/** Returns all texts of an algorithm with their translations, each as [name of the text, English, translation]. */
function textsOf({ name, summary, messages_per_entry: messages, variants, parameters, sentences }, { catalogue, reasons }) {
  const words = catalogue[name];
  return [
    ["summary", summary, words?.summary],
    // A formula is equal in all languages, so only texts with words need a translation.
    ...(/[a-z]{2}/u.test(messages) ? [["messages", messages, words?.messages]] : []),
    ...variants.flatMap(({ name: variant, summary: how, broken }) => [
      [`variant ${variant}`, how, words?.variants[variant]?.summary],
      ...(broken === undefined ? [] : [[`broken ${variant}`, broken, words?.variants[variant]?.broken]]),
    ]),
    ...parameters.flatMap(({ name: parameter, summary: what, range }) => [
      [`parameter ${parameter}`, what, words?.parameters[parameter]?.summary],
      [`range ${parameter}`, range, words?.parameters[parameter]?.range ?? range],
    ]),
    ...Object.entries(sentences).map(([code, sentence]) => [`reason ${code}`, sentence, reasons[name]?.[code]]),
  ].map(([what, ...texts]) => [`${name}, ${what}`, ...texts]);
}

/** Returns all texts of an example with their translations, each as [name of the text, English, translation]. */
const wordsOf = ({ name, title, about }, { examples }) => [
  [`example ${name}, title`, title, examples[name]?.title],
  [`example ${name}, about`, about, examples[name]?.about],
];

async function missing() {
  const [algorithms, examples] = await Promise.all(
    ["algorithms", "examples"].map(async (what) => (await (await fetch(`/api/v1/${what}`)).json()).items),
  );
  const languages = await Promise.all(
    ["de", "cs"].map(async (language) => [language, (await import(`/strings/${language}.js`)).default.translations]),
  );
  return languages.flatMap(([language, translations]) =>
    [
      ...[...algorithms, ...added].flatMap((algorithm) => textsOf(algorithm, translations)),
      ...examples.flatMap((example) => wordsOf(example, translations)),
    ].flatMap(([what, english, words]) => {
      const wrong = wrongWith(english, words);
      return wrong === undefined ? [] : [`${language}: ${what} ${wrong}`];
    }),
  );
}

missing().then(done, (error) => done([String(error)]));
