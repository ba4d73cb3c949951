import assert from "node:assert/strict";
import { test } from "node:test";

import { Clock } from "../../src/adjudge/web/static/web/clock.js";

// A clock for a text of so many characters, and a way to let time pass.
function started(characters) {
  let now = 5_000;
  const clock = new Clock(characters, () => now);
  return { clock, wait: (seconds) => (now += 1000 * seconds) };
}

test("whoever reads and clicks is active all the time", () => {
  const { clock, wait } = started(100);
  for (let step = 0; step < 5; step++) {
    wait(3);
    clock.input();
  }
  assert.deepEqual(clock.read(), { seconds: 15, active_seconds: 15 });
});

test("a long time without input is a pause beyond what slow reading takes", () => {
  const { clock, wait } = started(160); // 20 seconds at 8 characters a second
  wait(3600);
  assert.deepEqual(clock.read(), { seconds: 3600, active_seconds: 20 });
});

test("a short text is allowed ten seconds", () => {
  const { clock, wait } = started(8);
  wait(60);
  assert.deepEqual(clock.read(), { seconds: 60, active_seconds: 10 });
});

test("what passes while the page is hidden is nobody's reading time", () => {
  const { clock, wait } = started(800);
  wait(4);
  clock.hidden();
  wait(50);
  clock.shown();
  wait(6);
  assert.deepEqual(clock.read(), { seconds: 60, active_seconds: 10 });
});

test("each pause is counted by itself", () => {
  const { clock, wait } = started(8);
  wait(60);
  clock.input();
  wait(60);
  assert.deepEqual(clock.read(), { seconds: 120, active_seconds: 20 });
});

test("reading the clock twice counts nothing twice", () => {
  const { clock, wait } = started(8);
  wait(5);
  clock.read();
  assert.deepEqual(clock.read(), { seconds: 5, active_seconds: 5 });
});

test("a draft that is restored brings its time along", () => {
  let now = 1_000_000;
  const at = Date.now() - 60_000; // kept a minute ago
  const clock = new Clock(100, () => now, { seconds: 40, active_seconds: 25, at });
  now += 5_000;
  const { seconds, active_seconds } = clock.read();
  assert.ok(seconds >= 105, `${seconds}`);
  assert.equal(active_seconds, 30);
});

test("a computer's clock that was put back takes no time away", () => {
  const clock = new Clock(100, () => 0, { seconds: 40, active_seconds: 25, at: Date.now() + 10 ** 9 });
  assert.equal(clock.read().seconds, 40);
});
