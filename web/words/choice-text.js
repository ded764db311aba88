/** The choices of a schedule in words. */

import { strings } from "../drawing/preferences.js";

/**
 * What happens, as a sentence without a full stop.
 *
 * @param {import("../server/types.js").Choice} choice
 * @returns {string} As the server gives it, if there are no words for it.
 */
export function choiceText(choice) {
  const [[verb, what] = ["", null]] = Object.entries(choice);
  return strings.schedules.choices[verb]?.(what) ?? `${verb} ${JSON.stringify(what)}`;
}
