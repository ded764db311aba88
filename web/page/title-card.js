/** The title card of an example, from which the user begins, so that nobody misses the beginning of the run. */

import { begin } from "../drawing/ask.js";
import { strings } from "../drawing/preferences.js";
import { orReport } from "../server/errors.js";
import { startExample } from "../server/started.js";

/** @import { Example } from "../server/types.js" */

/**
 * Shows the title card of an example, and starts the example once the user begins.
 *
 * @param {Example} example
 * @param {(run: string) => void} open Receives the ID of the run. If the user does not begin, it is not called.
 */
export async function beginExample({ title, about, specification }, open) {
  if (!(await begin(title, about, strings.examples.begin))) return;
  await orReport(async () => open((await startExample(specification)).id));
}
