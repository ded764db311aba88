import assert from "node:assert/strict";
import { test } from "node:test";

import { Brush, figuresIn } from "../../web/diagram/brush.js";
import { EVERYTHING, Filtered } from "../../web/diagram/filtered.js";
import { SpaceTime } from "../../web/diagram/space-time.js";
import { Viewport } from "../../web/diagram/viewport.js";

test("a span is dragged, or its ends are marked, in whatever order", () => {
  const brush = new Brush();
  assert.ok(brush.isEmpty);
  brush.stretch(7, 3);
  assert.deepEqual([brush.span, brush.begin], [{ from: 3, to: 7 }, null]);
  brush.mark(9);
  assert.deepEqual([brush.span, brush.begin, brush.isEmpty], [null, 9, false]);
  brush.mark(9);
  assert.deepEqual([brush.span, brush.begin], [null, 9], "a span has a length");
  brush.mark(4);
  assert.deepEqual([brush.span, brush.begin], [{ from: 4, to: 9 }, null]);
  brush.clear();
  assert.ok(brush.isEmpty);
});

/**
 * Returns a diagram in which P0 requests at 1 ms and enters at 4 ms. P1 requests at 2 ms and enters at 9 ms. In
 * between, messages are sent, one of which the network duplicates.
 */
function made() {
  const diagram = new SpaceTime();
  const event = (seq, kind, node, more = {}) => ({ seq, at_us: seq * 1_000, kind, node, incarnation: 1, step: seq, lock: 0, ...more });
  const sent = (seq, message, kind) => event(seq, "sent", Number(message[0]), { message, message_kind: kind, to: Number(message[2]) });
  diagram.append([
    event(1, "requested", 0), event(2, "requested", 1), sent(3, "0.1.1", "ASK"), event(4, "entered", 0), sent(5, "0.1.2", "TELL"),
    { seq: 6, at_us: 6_000, kind: "duplicated", message: "0.1.2", copy: "0.1.2.1", message_kind: "TELL", from: 0, to: 1 },
    sent(7, "1.0.1", "ASK"), event(8, "exited", 0), event(9, "entered", 1), event(10, "exited", 1),
  ]);
  return diagram;
}

test("messages sent in a span, entries in it, and how long was waited for them, are counted", () => {
  const figures = (from, to, source = made()) => figuresIn(source, "time", { from: from * 1_000, to: to * 1_000 });
  assert.deepEqual(figures(0, 20), { messages: [["ASK", 2], ["TELL", 1]], entries: 2, wait_us: 5_000 });
  assert.deepEqual(figures(4.5, 9), { messages: [["ASK", 1], ["TELL", 1]], entries: 1, wait_us: 7_000 });
  assert.deepEqual(figures(8.5, 8.7), { messages: [], entries: 0, wait_us: null });
  assert.deepEqual(figures(0, 20, new Filtered(made(), { ...EVERYTHING, node: 0 })).wait_us, 3_000);
});

test("on axes that count a span has what is between its values", () => {
  const { entries, messages } = figuresIn(made(), "depth", { from: 3, to: 4 });
  assert.deepEqual([entries, messages], [2, [["TELL", 1]]]);
});

test("the view goes to a span, however short, and stays there", () => {
  const diagram = made();
  const viewport = new Viewport();
  const cursor = { seq: 10, at_us: 10_000 };
  viewport.begin(diagram, cursor);
  viewport.show({ from: 3_000, to: 5_000 }, diagram, cursor);
  assert.deepEqual(viewport.span, { from: 2_940, to: 5_060 });
  viewport.follow(diagram, { seq: 9, at_us: 9_000 });
  assert.deepEqual(viewport.span, { from: 2_940, to: 5_060 });
  viewport.show({ from: 4_000, to: 4_001 }, diagram, cursor);
  assert.ok(viewport.span.to - viewport.span.from >= 19);
});
