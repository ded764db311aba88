/** The page loads and creates a dialog only when a command opens this dialog for the first time. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { beside, clearDialogs, closeDiagram, isDiagramOpen, openDialog, showBeside } from "../../web/page/dialogs.js";
import { onReport } from "../../web/server/errors.js";

/** The calls on the dialogs of the test, in order: `made`, `opened` and so on. @type {string[]} */
let log = [];

class Dialog {
  isOpen = false;
  beside = null;
  constructor() {
    log.push("made");
  }
  open() {
    this.isOpen = true;
    log.push("opened");
  }
  close() {
    this.isOpen = false;
  }
  remove() {
    log.push("removed");
  }
}
const fetch = async () => {
  log.push("fetched");
  return { default: Dialog };
};
const settled = () => new Promise((done) => setImmediate(done));

beforeEach(() => {
  Reflect.set(globalThis, "document", { body: { append: () => log.push("added") } });
  clearDialogs();
  showBeside(null);
  log = [];
});

test("a dialog is fetched once, and made anew once all are removed", async () => {
  openDialog("matrix", fetch);
  await settled();
  openDialog("matrix", fetch);
  await settled();
  assert.deepEqual(log, ["fetched", "made", "added", "opened", "opened"]);
  clearDialogs();
  openDialog("matrix", fetch);
  await settled();
  assert.deepEqual(log.slice(5), ["removed", "fetched", "made", "added", "opened"]);
});

test("a dialog that could not be fetched is fetched again the next time", async () => {
  const errors = [];
  const end = onReport((error) => errors.push(String(error)));
  openDialog("matrix", () => Promise.reject(new Error("absent")));
  await settled();
  end();
  assert.deepEqual([errors, log], [["Error: absent"], []]);
  openDialog("matrix", fetch);
  await settled();
  assert.deepEqual(log, ["fetched", "made", "added", "opened"]);
});

test("a diagram that is closed while it is fetched does not open", async () => {
  openDialog("diagram", fetch);
  closeDiagram();
  await settled();
  assert.deepEqual([log, isDiagramOpen()], [["fetched"], false]);
});

test("the diagram takes over the second run that was chosen before it was made, and hands it on to the next", async () => {
  showBeside({ run: "r", entry: 2 });
  assert.deepEqual(beside(), { run: "r", entry: 2 });
  openDialog("diagram", fetch);
  await settled();
  assert.equal(isDiagramOpen(), true);
  assert.deepEqual(beside(), { run: "r", entry: 2 });
  showBeside({ run: "s", entry: 0 });
  clearDialogs();
  assert.deepEqual(beside(), { run: "s", entry: 0 });
});

test("each dialog of the table of commands is the default export of a module", () => {
  const commands = readFileSync(new URL("../../web/page/commands.js", import.meta.url), "utf8");
  const modules = [...commands.matchAll(/opens\("(\w+)", .*import\("([^"]+)"\)/gu)].map(([, name, file]) => [name, file]);
  assert.deepEqual(modules.map(([name]) => name), ["newRun", "schedules", "matrix", "lessons", "sources", "diagram", "help"]);
  for (const [, file] of modules) {
    const module = readFileSync(new URL(`../../web/page/${file}`, import.meta.url), "utf8");
    assert.match(module, /^export default class \w+ extends \w+ \{$/mu, file);
  }
});
