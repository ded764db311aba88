import assert from "node:assert/strict";
import { test } from "node:test";

import { bytesText, day, figure, timeOfDay } from "../../web/words/figures.js";
import { speak } from "../../web/drawing/preferences.js";

Reflect.set(globalThis, "document", { documentElement: { dataset: {}, toggleAttribute: () => false } });
Reflect.set(globalThis, "fetch", async () => Response.json({ algorithms: {}, examples: {}, marks: {} }));

test("numbers and times are written as in the language that is spoken now", async () => {
  const moment = new Date(2026, 10, 6, 16, 5);
  const written = async (/** @type {import("../../web/drawing/preferences.js").Language} */ language) => {
    await speak(language);
    // In an expected text, a non-breaking space looks like an ordinary space. The test therefore replaces
    // non-breaking spaces.
    return [figure(12345), figure(1.25, 1), figure(2, 2), figure(12.3, 3), timeOfDay(moment), day(moment)].map((text) => text.replaceAll(/\s/gu, " "));
  };
  assert.deepEqual(await written("en"), ["12,345", "1.3", "2.00", "12.300", "4:05 PM", "11/6"]);
  assert.deepEqual(await written("de"), ["12.345", "1,3", "2,00", "12,300", "16:05", "6.11."]);
  assert.deepEqual(await written("cs"), ["12 345", "1,3", "2,00", "12,300", "16:05", "6. 11."]);
  assert.equal((await written("en"))[0], "12,345");
});

test("a size is written in one unit", async () => {
  await speak("de");
  const [kib, mib, gib] = [1_024, 1_048_576, 1_073_741_824];
  const written = [100, 1.5 * kib, 142.4 * mib, 4 * gib, 12_345 * gib].map(bytesText);
  assert.deepEqual(written, ["0,1 KiB", "1,5 KiB", "142 MiB", "4 GiB", "12.345 GiB"]);
  await speak("en");
});
