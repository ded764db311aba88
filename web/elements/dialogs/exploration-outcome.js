/** The result of an exploration: its verdict, sentences, and the table of a violation that no schedule can express. */

import { h } from "../../drawing/dom.js";
import { strings } from "../../drawing/preferences.js";
import { store } from "../../run/store.js";
import { figure } from "../../words/figures.js";
import { propertiesOf } from "../../words/properties.js";
import { explorationTable } from "./exploration-table.js";

/** @import { Exploration, ExplorationTable } from "../../server/types.js" */

/** @param {Exploration} exploration @param {number} seconds Time since the exploration began. */
export function outcomeOf(exploration, seconds) {
  const { verdict, states, depth, because, status, property, sentence, schedule, table } = exploration;
  const { schedules } = strings;
  const count = figure(states);
  if (verdict === "holds") return said(schedules.holds, schedules.holdsText(count, depth), ...rules(exploration));
  if (verdict === "unfinished") return said(schedules.unfinished, schedules.unfinishedText(because ?? "", count));
  if (status === "failed") return said("", because ?? "");
  if (verdict !== "violated") return said("", schedules.underWay(count, depth, figure(states / Math.max(seconds, 0.001))));
  const rule = schedules.shouldBe(schedules.properties[property ?? ""] ?? sentence ?? "");
  if (schedule !== null) return said(schedules.violated, rule, schedules.shortest(schedule.choices.length));
  const rows = table === null ? [] : [explorationTable(table), ...goesOn(table)];
  return [...said(schedules.violated, rule, schedules.noSchedule), ...rows];
}

/** @param {string} word @param {...string} sentences @returns {HTMLElement[]} */
const said = (word, ...sentences) => [
  ...(word === "" ? [] : [h("b", { class: "word" }, word)]),
  ...sentences.map((sentence) => h("p", {}, sentence)),
];

/** @param {ExplorationTable} table */
const goesOn = ({ again }) => (again === undefined ? [] : [h("p", {}, strings.schedules.table.again(again))]);

/** Lists the checked properties that say something about the algorithm, each as a sentence. @param {Exploration} exploration */
const rules = ({ algorithm, properties }) =>
  propertiesOf(properties, store.algorithms.find(({ name }) => name === algorithm)).map(
    (name) => strings.schedules.properties[name] ?? name,
  );
