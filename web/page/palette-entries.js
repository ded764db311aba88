/** The entries of the palette: commands, themes and languages, lessons, examples and runs. */

import { LANGUAGES, prefer, preferences, strings, THEMES } from "../drawing/preferences.js";
import { openLesson } from "../lessons/lecture.js";
import { store } from "../run/store.js";
import { exampleInWords } from "../words/catalogue.js";
import { statusOf, systemOf, titleOf } from "../words/run-words.js";
import { commands, namesOf } from "./commands.js";
import { beginExample } from "./title-card.js";

/** @import { Command } from "./commands.js" */

/**
 * @typedef {object} PaletteEntry
 * @property {string} id
 * @property {keyof typeof strings.palette.kinds} kind
 * @property {string} title
 * @property {string} [also] Additional words by which the search finds the entry.
 * @property {readonly string[]} [keys] Labels of the keys that execute the same command.
 * @property {() => unknown} act
 *
 * @typedef {(name: string, detail?: string) => void} Signal Notifies the page of what it should open.
 */

/** @param {Signal} signal @returns {PaletteEntry[]} */
export const paletteEntries = (signal) => [
  ...commands.filter(({ can }) => can()).map(offerOf),
  ...looks(signal),
  ...store.lessons.map(({ name, title, source, algorithm }) => ({
    id: `lesson-${name}`,
    kind: /** @type {const} */ ("lesson"),
    title: title[preferences.language],
    also: `${source} ${algorithm}`,
    act: () => openLesson(name),
  })),
  ...store.examples.map(exampleInWords).map((example) => ({
    id: `example-${example.name}`,
    kind: /** @type {const} */ ("example"),
    title: example.title,
    also: `${example.about} ${example.source} ${example.specification.algorithm}`,
    act: () => beginExample(example, (run) => signal("open-run", run)),
  })),
  ...store.runs.map((run) => ({
    id: `run-${run.id}`,
    kind: /** @type {const} */ ("run"),
    title: titleOf(run),
    also: `${systemOf(run)} ${statusOf(run)} ${run.id}`,
    act: () => signal("open-run", run.id),
  })),
];

/** @param {Command} command @returns {PaletteEntry} */
const offerOf = ({ name, keys, act }) => ({
  id: `command-${name}`,
  kind: "command",
  title: strings.commands[name],
  keys: namesOf(keys),
  act: () => act(keys[0] ?? ""),
});

/** Returns the entries that select a theme or a language. @param {Signal} signal @returns {PaletteEntry[]} */
function looks(signal) {
  const { header } = strings;
  const themes = THEMES.filter((theme) => theme !== preferences.theme).map((theme) => ({
    id: `theme-${theme}`,
    kind: /** @type {const} */ ("look"),
    title: `${header.theme}: ${header.themes[theme]}`,
    act: () => {
      prefer({ theme });
      store.changed("look");
    },
  }));
  const others = /** @type {(keyof typeof LANGUAGES)[]} */ (Object.keys(LANGUAGES)).filter((one) => one !== preferences.language);
  const languages = others.map((language) => ({
    id: `language-${language}`,
    kind: /** @type {const} */ ("look"),
    title: `${header.language}: ${LANGUAGES[language]}`,
    act: () => signal("language", language),
  }));
  return [...themes, ...languages];
}
