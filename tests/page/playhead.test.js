import assert from "node:assert/strict";
import { test } from "node:test";

import { Playhead } from "../../web/run/playhead.js";

const sent = (seq, at_us, message, due_us = at_us) => ({ seq, at_us, kind: "sent", message, message_kind: "REQUEST", due_us });
const delivered = (seq, at_us, message) => ({ seq, at_us, kind: "delivered", message, node: Number(message.split(".")[1]) });
const noted = (seq, at_us) => ({ seq, at_us, kind: "noted" });

/** Returns what the page shows at every millisecond: the event at the playhead, and the progress of each message. */
function watch(head, until_ms, from_ms = 0) {
  const seen = [];
  for (let now_ms = from_ms; now_ms <= until_ms; now_ms += 1) seen.push({ now_ms, ...head.at(now_ms) });
  return seen;
}
const firstSeen = (seen, seq) => seen.find((one) => one.seq >= seq)?.now_ms ?? Infinity;

test("what a message brings about is seen once it has arrived", () => {
  const head = new Playhead(0);
  head.take([sent(1, 0, "0.1.1"), delivered(2, 0, "0.1.1"), noted(3, 0)], 0);
  const seen = watch(head, 2_000);
  const [left, arrived] = [firstSeen(seen, 1), firstSeen(seen, 2)];
  assert.ok(arrived - left >= 450, `${left} ${arrived}`);
  assert.equal(firstSeen(seen, 3), arrived);
  const shares = seen.flatMap(({ ways }) => ways.map(({ share }) => share));
  assert.ok(shares.length >= 449 && shares.every((share, place) => share >= (shares[place - 1] ?? 0)));
  assert.ok(shares.at(-1) > 0.99, "it comes to its receiver");
  assert.ok(head.restsAt(2_000));
});

/** Returns a pseudo-random run. Some of its messages are delivered and some are lost, after short and long times. */
function drawn(seed, count) {
  let state = seed;
  const draw = (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const events = [];
  const open = [];
  let at_us = 0;
  for (let seq = 1; seq <= count; seq += 1) {
    at_us += draw(30_000);
    if (open.length === 0 || draw(2) === 0) {
      const message = `${draw(5)}.${draw(5)}.${seq}`;
      open.push(message);
      events.push(sent(seq, at_us, message, at_us + draw(40_000)));
    } else {
      const [message] = open.splice(draw(open.length), 1);
      events.push(draw(8) === 0 ? { seq, at_us, kind: "dropped", message } : delivered(seq, at_us, message));
    }
  }
  return events;
}

test("in ten thousand events nothing is seen before its cause, and nothing is left out", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const events = drawn(seed, 500);
    const head = new Playhead(0);
    const named = (kind) => new Map(events.filter((event) => event.kind === kind).map(({ message, seq }) => [message, seq]));
    const [causes, effects] = [named("sent"), named("delivered")];
    const order = [];
    let next = 0;
    for (let now_ms = 0; head.seq < events.length; now_ms += 1) {
      const come = [];
      while (next < events.length && events[next].at_us / 1_000 <= now_ms) come.push(events[next++]);
      head.take(come, now_ms);
      const { seq, ways } = head.at(now_ms);
      if (order.at(-1) !== seq) order.push(seq);
      for (const { way } of ways) {
        assert.ok(causes.get(way.id) <= seq, "a message on its way has been sent");
        assert.ok((effects.get(way.id) ?? Infinity) > seq, "and what it brings about is not seen yet");
      }
      assert.ok(now_ms < 1_000_000);
    }
    assert.ok(order.every((seq, place) => place === 0 || seq > order[place - 1]));
    assert.equal(order.at(-1), 500);
  }
});

test("who hurries again and again rushes, until a while after, and who catches up once does not", () => {
  /**
   * Returns when the playhead rushes, that is, shows events too fast to follow. A batch of `each` messages arrives
   * at each of the times `batches_ms`. The test samples the playhead every 10 ms. The result is the number of
   * samples during a rush, and the times of the first and the last of these samples.
   */
  const rushing = (/** @type {number} */ each, /** @type {number[]} */ batches_ms) => {
    const head = new Playhead(0);
    const seen = [];
    for (let now_ms = 0; now_ms <= 3_000; now_ms += 10) {
      const batch = batches_ms.indexOf(now_ms);
      const pairs = Array.from({ length: batch < 0 ? 0 : each }, (_, place) => batch * each + place);
      head.take(pairs.flatMap((pair) => [sent(2 * pair + 1, now_ms * 1_000, `0.1.${pair}`), delivered(2 * pair + 2, now_ms * 1_000, `0.1.${pair}`)]), now_ms);
      head.at(now_ms);
      if (head.rushesAt(now_ms)) seen.push(now_ms);
    }
    return [seen.length, seen.at(0), seen.at(-1)];
  };
  const every = (/** @type {number} */ pause_ms, /** @type {number} */ until_ms) =>
    Array.from({ length: 1 + until_ms / pause_ms }, (_, place) => place * pause_ms);
  // Each message is visible in transit for 450 ms, and the display may lag behind the run by 2 s.
  assert.deepEqual(rushing(20, every(40, 2_000)), [246, 40, 2_490], "a thousand a second");
  assert.deepEqual(rushing(1, every(40, 2_000)), [0, undefined, undefined], "25 a second are too many to be seen in time, but now and then");
  assert.deepEqual(rushing(20, [0, 200, 400, 600]), [0, undefined, undefined], "no more do some that come now and then");
  // After three batches, none arrives for 400 ms. The rush must not end in this pause.
  assert.deepEqual(rushing(20, [0, 40, 80, 480, 520, 560]), [102, 40, 1_050]);
});

test("who falls behind hurries", () => {
  const head = new Playhead(0);
  // Each message is sent only after the delivery of the previous message. The times for which these messages must
  // be visible therefore add up.
  const chain = Array.from({ length: 200 }, (_, place) => [
    sent(2 * place + 1, place * 1_000, `0.1.${place}`),
    delivered(2 * place + 2, place * 1_000 + 500, `0.1.${place}`),
  ]).flat();
  head.take(chain, 200);
  assert.equal(firstSeen(watch(head, 5_000, 200), 400) < 2_700, true);
  head.take([noted(401, 400_000)], 5_000);
  assert.ok(firstSeen(watch(head, 6_000, 5_000), 401) <= 5_200, "and is a moment behind again");
});

test("who hurries lets the visible messages reach their receivers, and starts the others at their senders", () => {
  const head = new Playhead(0);
  const chain = Array.from({ length: 20 }, (_, place) => [
    sent(2 * place + 1, 0, `0.1.${place}`),
    delivered(2 * place + 2, 0, `0.1.${place}`),
  ]).flat();
  head.take(chain.slice(0, 6), 0);
  head.at(300);
  head.take([...chain.slice(6), sent(41, 0, "1.0.1")], 300);
  const seen = watch(head, 1_200, 300);
  const shares = (/** @type {string} */ id) => seen.flatMap(({ ways }) => ways.filter(({ way }) => way.id === id).map(({ share }) => share));
  const [visible, next] = [shares("0.1.0"), shares("1.0.1")];
  assert.ok(visible.length >= 199 && visible.at(-1) > 0.99, `the visible message vanishes at ${visible.at(-1)}`);
  assert.ok(visible.every((share, place) => share >= (visible[place - 1] ?? 0)));
  assert.equal(firstSeen(seen, 41), 500);
  assert.ok(next[0] < 0.01, `the next message appears at ${next[0]}`);
  assert.deepEqual(shares("0.1.9"), [], "a message that has arrived in the meantime is not shown");
});

test("events are shown although the playhead hurries again and again", () => {
  const head = new Playhead(0);
  let last_ms = 0;
  for (let now_ms = 0; now_ms <= 5_000; now_ms += 160) {
    const seq = now_ms * 100;
    const pairs = Array.from({ length: 20 }, (_, place) => [
      sent(seq + 2 * place + 1, now_ms * 1_000, `0.1.${seq + place}`),
      delivered(seq + 2 * place + 2, now_ms * 1_000, `0.1.${seq + place}`),
    ]);
    head.take(pairs.flat(), now_ms);
    const before = head.seq;
    if (head.at(now_ms).seq > before) last_ms = now_ms;
    assert.ok(now_ms - last_ms <= 400, `nothing is shown from ${last_ms} to ${now_ms}`);
  }
});

test("who is late waits before its receiver, and nothing moves meanwhile", () => {
  const head = new Playhead(0);
  head.take([sent(1, 0, "0.1.1", 600_000)], 0);
  assert.ok(!head.restsAt(700));
  const [{ share }] = head.at(2_000).ways;
  assert.ok(share < 1 && head.restsAt(2_000) && head.at(9_000).ways[0].share === share);
  head.take([delivered(2, 9_000_000, "0.1.1")], 9_000);
  assert.ok(!head.restsAt(9_000));
  assert.deepEqual(head.at(9_200), { seq: 2, ways: [] });
});

test("what is lost ends half way, what is held rests, and goes on from there", () => {
  const head = new Playhead(0);
  head.take([sent(1, 0, "0.1.1"), { seq: 2, at_us: 0, kind: "dropped", message: "0.1.1" }], 0);
  const lost = watch(head, 1_000).flatMap(({ ways }) => ways);
  assert.ok(lost.length > 0 && lost.every(({ share, way }) => share <= 0.5 && way.lost));
  head.take([sent(3, 1_000_000, "0.1.2"), { seq: 4, at_us: 1_000_000, kind: "held", message: "0.1.2" }], 1_000);
  assert.deepEqual(watch(head, 2_000, 1_001).flatMap(({ ways }) => ways), []);
  head.take([{ seq: 5, at_us: 2_000_000, kind: "forwarded", message: "0.1.2", message_kind: "REQUEST" }], 2_000);
  head.take([delivered(6, 2_000_100, "0.1.2")], 2_001);
  const on = watch(head, 3_000, 2_001).flatMap(({ ways }) => ways);
  assert.ok(on.length >= 449 && on[0].share >= 0.5 && on.at(-1).share > 0.99);
});
