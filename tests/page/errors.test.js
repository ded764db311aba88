/** Tests of the errors that the page shows. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { onReport, orReport } from "../../web/server/errors.js";

test("an action that fails is reported once, and the caller goes on", async () => {
  const errors = [];
  const end = onReport((error) => errors.push(String(error)));
  await orReport(async () => undefined);
  assert.deepEqual(errors, []);
  await orReport(() => Promise.reject(new Error("refused")));
  await orReport(() => {
    throw new Error("thrown");
  });
  assert.deepEqual(errors, ["Error: refused", "Error: thrown"]);
  end();
});
