/**
 * The search of the guide: pure functions, without a document. This is a classic script, because a browser does
 * not load modules from local files.
 *
 * @typedef {{ path: string, title: string, about: string, sections: [heading: string, anchor: string, text: string][] }} GuidePage
 *
 * @typedef {{ path: string, title: string, heading: string, anchor: string, text: string, weight: number }} GuideSection
 *
 * The index: all words of the sections in sorted order and, by word, the weight of the word in each section that
 * contains it.
 * @typedef {{ sections: GuideSection[], words: string[], places: Map<string, Map<number, number>> }} GuideIndex
 *
 * @typedef {{ section: GuideSection, score: number, words: string[] }} GuideResult
 *
 * @typedef {{ text: string, isHit: boolean }} GuidePiece
 */

/**
 * Weights of a word by the place where the word occurs: the title of the page, the page's line in the contents, a
 * heading, and the text.
 */
const GUIDE_WEIGHTS = { title: 10, about: 4, heading: 6, text: 1 };
/**
 * Weight of a word of the page's title for the sections after the first one. These sections are also about the
 * subject of the title.
 */
const GUIDE_TITLE_BELOW = 4;
/**
 * Factor for pages with decisions. Such pages explain the reasons for a decision, but most questions ask how to do
 * something.
 */
const GUIDE_DECISION = 0.4;
/**
 * Saturation of repeated words (the parameter k1 of BM25), and influence of the length of the text (the parameter b).
 */
const GUIDE_SATURATION = 3;
const GUIDE_LENGTH = 0.6;
/** Typical length of a text, in characters. */
const GUIDE_TYPICAL = 500;
/** Share of a page's score that is added to the score of each section of that page. */
const GUIDE_PAGE_SHARE = 0.3;
/**
 * Similarity of two words with the same stem (`GUIDE_STEM`), and similarity of a word and a prefix of this word
 * (`GUIDE_PREFIX`).
 */
const GUIDE_STEM = 0.85;
const GUIDE_PREFIX = 0.7;
/**
 * Common words of questions, which say little about the subject. Some of these words, such as "I" and "my", are
 * rare in the guide, so a weight by rarity would be too high for them. The search finds these words like other
 * words, but gives them less weight.
 */
const GUIDE_SMALL_WORDS = new Set(
  ("a about after again all also am an and another any are as at be because been before being both but by can could did do " +
    "does doing for from get gets got had has have he her here him his how i if in into is it its let like make many may me " +
    "might more most much must my need no not of on one only or other our out over own shall she should so some still such " +
    "than that the their them then there these they this those through to too under until up us use used using very want " +
    "was we were what when where which while who why will with within without would you your").split(" "),
);
const GUIDE_SMALL = 0.3;
/**
 * Factor that reduces the weight of each further result from the same page, relative to the previous result from that
 * page.
 */
const GUIDE_FURTHER = 0.5;
/** Length of a snippet, in characters. */
const GUIDE_SNIPPET = 180;

/**
 * Returns the words of a text, each followed by its parts: the word `--journal-limit` has the parts `journal` and
 * `limit`.
 *
 * @param {string} text
 * @returns {string[][]}
 */
function guideWholes(text) {
  const wholes = text.toLowerCase().match(/(?:--)?[\p{L}\p{N}]+(?:[-_.'’]+[\p{L}\p{N}]+)*/gu) ?? [];
  return wholes.map((whole) => [...new Set([whole, ...(whole.match(/[\p{L}\p{N}]+/gu) ?? [])])]);
}

/**
 * Returns all words of a text and their parts.
 *
 * @param {string} text
 */
function guideWords(text) {
  return guideWholes(text).flat();
}

/**
 * Returns the stem of an English word, which is the word without a usual ending. For example, `dropped`, `drops`
 * and `dropping` have the same stem.
 *
 * @param {string} word
 */
function guideStem(word) {
  if (word.length < 4 || !/^[a-z]+$/u.test(word)) return word;
  const singular = word.replace(/(?:(?<=[sxz]|ch|sh)es|(?<![su])s)$/u, "").replace(/ie$/u, "y");
  const stem = singular.replace(/(?:ing|ed|ly|er|ion)$/u, "");
  const kept = stem.length >= 3 ? stem : singular;
  return kept.replace(/(?<double>[bdfgklmnprt])\k<double>$/u, "$<double>").replace(/e$/u, "");
}

/**
 * Creates the search index of `pages`.
 *
 * @param {GuidePage[]} pages
 * @returns {GuideIndex}
 */
function indexGuide(pages) {
  /** @type {GuideSection[]} */
  const sections = [];
  /** @type {Map<string, Map<number, number>>} */
  const places = new Map();
  for (const { path, title, about, sections: parts } of pages) {
    const weight = path.startsWith("decisions/") ? GUIDE_DECISION : 1;
    parts.forEach(([heading, anchor, text], place) => {
      const section = sections.push({ path, title, heading, anchor, text, weight }) - 1;
      const add = (/** @type {string} */ field, /** @type {number} */ worth) => {
        for (const word of guideWords(field)) {
          const found = places.get(word) ?? new Map();
          places.set(word, found.set(section, (found.get(section) ?? 0) + worth));
        }
      };
      add(title, place === 0 ? GUIDE_WEIGHTS.title : GUIDE_TITLE_BELOW);
      if (place === 0) add(about, GUIDE_WEIGHTS.about);
      else add(heading, GUIDE_WEIGHTS.heading);
      const length = (text.length + GUIDE_TYPICAL) / (2 * GUIDE_TYPICAL);
      add(text, GUIDE_WEIGHTS.text / (1 - GUIDE_LENGTH + GUIDE_LENGTH * length));
    });
  }
  return { sections, words: [...places.keys()].sort(), places };
}

/**
 * Returns the distinct words to search for. A compound word, such as the name of an option, is split into its parts
 * only if the guide does not contain the whole word.
 *
 * @param {GuideIndex} index
 * @param {string} question
 */
function askedOf({ places }, question) {
  const words = guideWholes(question).flatMap(([whole, ...parts]) => (places.has(whole) ? [whole] : [whole, ...parts]));
  return [...new Set(words)];
}

/**
 * Returns the indexed words that are similar to a word of the question, each with its similarity. If there are no
 * similar words, returns the words that begin with the word of the question. The last word of a question may be
 * incomplete, so the result always includes its completions.
 *
 * @param {GuideIndex} index
 * @param {string} asked
 * @param {boolean} isLast
 * @returns {[word: string, likeness: number][]}
 */
function guideAlike({ words, places }, asked, isLast) {
  const stem = guideStem(asked);
  /** @type {[string, number][]} */
  const found = places.has(asked) ? [[asked, 1]] : [];
  const begin = stem.length < asked.length ? stem : asked;
  for (let place = firstAtLeast(words, begin); place < words.length && words[place].startsWith(begin); place += 1) {
    const word = words[place];
    if (word !== asked && !GUIDE_SMALL_WORDS.has(word) && guideStem(word) === stem) found.push([word, GUIDE_STEM]);
  }
  if (found.length > 0 && !isLast) return found;
  const known = new Set(found.map(([word]) => word));
  for (let place = firstAtLeast(words, asked); place < words.length && words[place].startsWith(asked); place += 1) {
    const word = words[place];
    if (!known.has(word)) found.push([word, GUIDE_PREFIX * (asked.length / word.length)]);
  }
  return found;
}

/**
 * Returns the index of the first word that is equal to `least` or after it in sorted order.
 *
 * @param {string[]} words
 * @param {string} least
 */
function firstAtLeast(words, least) {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the sections that contain words of the question, the best section first. A section need not contain all
 * words. A section is better if it contains more words or rarer words, or contains them in a title or a heading.
 *
 * @param {GuideIndex} index
 * @param {string} question
 * @param {number} [most]
 * @returns {GuideResult[]}
 */
function searchGuide(index, question, most = 20) {
  const asked = askedOf(index, question);
  const isOpen = !/[\s?.!]$/u.test(question);
  /**
   * By section: its score so far, and the indexed words that match words of the question.
   *
   * @type {Map<number, { score: number, rarity: number, words: string[] }>}
   */
  const found = new Map();
  /**
   * By page: the sum of the scores of the question's words. The score of a word on a page is the word's score in the
   * best section of the page.
   *
   * @type {Map<string, number>}
   */
  const pages = new Map();
  let all = 0;
  asked.forEach((word, place) => {
    const hits = hitsOf(index, guideAlike(index, word, isOpen && place === asked.length - 1));
    const rarity = Math.log(1 + index.sections.length / (1 + hits.size)) * (GUIDE_SMALL_WORDS.has(word) ? GUIDE_SMALL : 1);
    all += rarity;
    /** @type {Map<string, number>} */
    const best = new Map();
    for (const [section, [worth, hit]] of hits) {
      const before = found.get(section) ?? { score: 0, rarity: 0, words: [] };
      const score = rarity * worth;
      found.set(section, { score: before.score + score, rarity: before.rarity + rarity, words: [...before.words, hit] });
      const { path } = index.sections[section];
      best.set(path, Math.max(best.get(path) ?? 0, score));
    }
    for (const [path, score] of best) pages.set(path, (pages.get(path) ?? 0) + score);
  });
  const results = [...found].map(([place, { score, rarity, words }]) => {
    const section = index.sections[place];
    const ofPage = GUIDE_PAGE_SHARE * (pages.get(section.path) ?? 0);
    return { section, words, score: section.weight * (score * (0.5 + rarity / all / 2) + ofPage) };
  });
  return ranked(results).slice(0, most);
}

/**
 * Returns the sections that contain at least one of the words. For each section, returns the best word and its score.
 *
 * @param {GuideIndex} index
 * @param {[word: string, likeness: number][]} alike
 */
function hitsOf(index, alike) {
  /** @type {Map<number, [worth: number, word: string]>} */
  const hits = new Map();
  for (const [word, likeness] of alike) {
    for (const [section, worth] of index.places.get(word) ?? []) {
      const saturated = (likeness * worth * (GUIDE_SATURATION + 1)) / (worth + GUIDE_SATURATION);
      if (saturated > (hits.get(section)?.[0] ?? 0)) hits.set(section, [saturated, word]);
    }
  }
  return hits;
}

/**
 * Returns the results in order, the best first. Each further result from the same page counts less, so that the first
 * results come from several pages.
 *
 * @param {GuideResult[]} results
 */
function ranked(results) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const better = (/** @type {GuideResult} */ one, /** @type {GuideResult} */ other) => other.score - one.score;
  const apart = results.toSorted(better).map((result) => {
    const { path } = result.section;
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    return { ...result, score: result.score * GUIDE_FURTHER ** count };
  });
  return apart.sort(better);
}

/**
 * Returns the part of a text that contains the most words of the question, split into pieces. Pieces that match a
 * word are marked. Small words are ignored, unless the question consists only of small words.
 *
 * @param {string} text
 * @param {string[]} all
 * @returns {GuidePiece[]}
 */
function guideSnippet(text, all) {
  const telling = all.filter((word) => !GUIDE_SMALL_WORDS.has(word));
  const words = telling.length > 0 ? telling : all;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
  if (escaped.length === 0) return [{ text: text.slice(0, GUIDE_SNIPPET), isHit: false }];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  const hits = [...text.matchAll(pattern)].map(({ index, 0: hit }) => ({ index, word: hit.toLowerCase() }));
  const variety = (/** @type {number} */ from) =>
    new Set(hits.filter(({ index }) => index >= from && index < from + GUIDE_SNIPPET).map(({ word }) => word)).size;
  const best = hits.reduce((best, { index }) => (variety(index) > variety(best) ? index : best), hits[0]?.index ?? 0);
  const early = Math.max(0, best - GUIDE_SNIPPET / 4);
  const from = early === 0 ? 0 : text.indexOf(" ", early) + 1;
  const isWhole = from + GUIDE_SNIPPET >= text.length;
  const space = text.lastIndexOf(" ", from + GUIDE_SNIPPET);
  const part = text.slice(from, isWhole || space <= from ? from + GUIDE_SNIPPET : space);
  /** @type {GuidePiece[]} */
  const pieces = from === 0 ? [] : [{ text: "… ", isHit: false }];
  let end = 0;
  for (const { index, 0: hit } of part.matchAll(pattern)) {
    pieces.push({ text: part.slice(end, index), isHit: false }, { text: hit, isHit: true });
    end = index + hit.length;
  }
  return [...pieces, { text: part.slice(end) + (isWhole ? "" : " …"), isHit: false }];
}
