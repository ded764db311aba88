import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { TypedAhead } from "../../web/page/typed-ahead.js";

class Pressed extends Event {
  /** @param {string} type @param {{ key: string }} init */
  constructor(type, init) {
    super(type, { bubbles: true, cancelable: true });
    this.key = init.key;
  }
}

class Dialog {
  isOpen = true;

  close() {
    this.isOpen = false;
  }
}

/** Every key that the page has received, in order. @type {string[]} */
let typed = [];
let dialog = new Dialog();
/** @type {EventTarget} */
let page;

beforeEach(() => {
  typed = [];
  dialog = new Dialog();
  page = new EventTarget();
  const querySelector = () => (dialog.isOpen ? dialog : null);
  Reflect.set(page, "activeElement", page);
  Reflect.set(page, "querySelector", querySelector);
  Object.assign(globalThis, { document: page, KeyboardEvent: Pressed, HTMLDialogElement: Dialog });
});

const press = (/** @type {string[]} */ ...keys) => keys.map((key) => page.dispatchEvent(new Pressed("keydown", { key })));

/** Starts to buffer keys while a part of the page is still being loaded. The test decides when that part arrives. */
function waiting() {
  const ahead = new TypedAhead();
  ahead.listen();
  page.addEventListener("keydown", (event) => typed.push(/** @type {Pressed} */ (event).key));
  let come = () => {};
  let fail = (/** @type {Error} */ _) => {};
  const part = new Promise((done, failed) => {
    come = () => done(undefined);
    fail = failed;
  });
  return { ahead, part: /** @type {Promise<void>} */ (part), come: () => come(), fail: (/** @type {Error} */ error) => fail(error) };
}

test("keys are typed at once while nothing is to come", () => {
  waiting();
  assert.deepEqual(press("a", "b"), [true, true]);
  assert.deepEqual(typed, ["a", "b"]);
});

test("what is typed before something is there is typed when it is, in order, and nobody gets it before", async () => {
  const { ahead, part, come } = waiting();
  const done = ahead.until(part);
  assert.deepEqual(press("a", "b"), [false, false], "the browser does nothing with them either");
  assert.deepEqual(typed, []);
  come();
  await done;
  assert.deepEqual(typed, ["a", "b"]);
  press("c");
  assert.deepEqual(typed, ["a", "b", "c"]);
  assert.equal(dialog.isOpen, true);
});

test("a dialog that was to be closed before it was there is closed", async () => {
  const { ahead, part, come } = waiting();
  const done = ahead.until(part);
  press("Escape");
  come();
  await done;
  assert.equal(dialog.isOpen, false);
});

test("what does not come takes no keys with it", async () => {
  const { ahead, part, fail } = waiting();
  const done = ahead.until(part);
  press("a");
  fail(new Error("it is gone"));
  await assert.rejects(done, /it is gone/u);
  assert.deepEqual(typed, ["a"]);
});

test("a key that has something else come keeps those after it waiting", async () => {
  const { ahead, part, come } = waiting();
  let comeLater = () => {};
  const later = new Promise((done) => {
    comeLater = () => done(undefined);
  });
  page.addEventListener("keydown", (event) => {
    if (/** @type {Pressed} */ (event).key === "n") void ahead.until(/** @type {Promise<void>} */ (later));
  });
  const done = ahead.until(part);
  press("n", "x");
  come();
  await done;
  assert.deepEqual(typed, ["n"]);
  comeLater();
  await later;
  await new Promise((soon) => setTimeout(soon));
  assert.deepEqual(typed, ["n", "x"]);
});
