/**
 * All strings of the page by topic, each in three languages. This file does not contain translations of texts that
 * the server provides.
 */

import { because, monitors } from "./because.js";
import * as commands from "./commands.js";
import { diagram } from "./diagram.js";
import { events } from "./events.js";
import { held } from "./held.js";
import { lessons } from "./lessons.js";
import { names } from "./lists.js";
import * as log from "./log.js";
import { matrix } from "./matrix.js";
import * as network from "./network.js";
import { newRun } from "./new-run.js";
import * as page from "./page.js";
import { phenomena } from "./phenomena.js";
import { runs } from "./runs.js";
import { save } from "./save.js";
import { say } from "./say.js";
import { schedules } from "./schedules.js";
import { sources } from "./sources.js";
import * as stage from "./stage.js";
import * as subjects from "./subjects.js";
import * as waiting from "./waiting.js";

const topics = { ...commands, ...log, ...network, ...page, ...stage, ...subjects, ...waiting };

export const words = {
  ...topics,
  ...{ because, diagram, events, held, lessons, matrix, monitors, newRun, phenomena, runs, save, schedules, sources },
  names: say(names.en, names.de, names.cs),
};
