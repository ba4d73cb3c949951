import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { newPage, storedElsewhere } from "./page.js";

newPage();
const { Queue } = await import("../../src/adjudge/web/static/web/queue.js");
const { storage } = await import("../../src/adjudge/web/static/web/storage.js");

const SAVED = { status: 200, body: {} };

beforeEach(() => {
  newPage();
  storage.lasting = true;
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
});

// A queue before a server that gives these replies in turn, the last one again and again;
// null: it cannot be reached.
function queued(...replies) {
  const sent = [];
  const heard = [];
  const send = async (entry) => {
    sent.push(entry.key);
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (reply === null) throw new TypeError("no network");
    return reply;
  };
  const queue = new Queue("ada", send, (event, entry) => heard.push([event, entry.key]));
  return { queue, sent, heard };
}

const entry = (key) => ({ key, url: "/answer", body: { assignment: `item-${key}` } });
const kept = (queue) => queue.entries.map(({ key }) => key);
// Lets promises that are settled go on.
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("an answer is sent at once and forgotten once it is saved", async () => {
  const { queue, sent, heard } = queued(SAVED);
  await queue.add(entry("one"));
  assert.deepEqual(sent, ["one"]);
  assert.deepEqual(heard, [["saved", "one"]]);
  assert.deepEqual(kept(queue), []);
  assert.deepEqual(storage.names("adjudge.queue."), []);
});

test("answers go in the order they were given, one at a time", async () => {
  let reply;
  const sent = [];
  const send = ({ key }) => {
    sent.push(key);
    return new Promise((resolve) => (reply = resolve));
  };
  const queue = new Queue("ada", send, () => {});
  const first = queue.add(entry("zebra"));
  await queue.add(entry("ape")); // in the same millisecond, and first by name
  await settle();
  assert.deepEqual(sent, ["zebra"], "the second waits for the first");
  assert.deepEqual(kept(queue), ["zebra", "ape"]);
  reply(SAVED);
  await settle();
  assert.deepEqual(sent, ["zebra", "ape"]);
  reply(SAVED);
  await first;
  assert.deepEqual(kept(queue), []);
});

test("without a network an answer waits, and is tried again ever more rarely", async () => {
  const { queue, sent, heard } = queued(null);
  await queue.add(entry("one"));
  assert.deepEqual(heard, [["waiting", "one"]]);
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    const before = sent.length;
    mock.timers.tick(1000 * seconds - 1);
    await settle();
    assert.equal(sent.length, before, `not before ${seconds} s`);
    mock.timers.tick(1);
    await settle();
    assert.equal(sent.length, before + 1, `after ${seconds} s`);
  }
  assert.deepEqual(kept(queue), ["one"]);
});

for (const status of [500, 503, 429])
  test(`status ${status} is no end: it is tried again with the same key`, async () => {
    const { queue, sent, heard } = queued({ status, body: {} }, SAVED);
    await queue.add(entry("one"));
    mock.timers.tick(1000);
    await settle();
    assert.deepEqual(sent, ["one", "one"]);
    assert.deepEqual(heard, [["waiting", "one"], ["saved", "one"]]);
  });

test("a busy server is asked again when it says, and breaks at no answer", async () => {
  const busy = { status: 503, body: {}, retryAfter: 2000 };
  const { queue, sent, heard } = queued(...Array(7).fill(busy), SAVED);
  await queue.add(entry("one"));
  await queue.add(entry("two"));
  for (let tick = 0; tick < 6; tick++) {
    mock.timers.tick(2000);
    await settle();
  }
  assert.deepEqual(heard.slice(-2), [["saved", "one"], ["saved", "two"]]);
  assert.deepEqual(sent, [...Array(8).fill("one"), "two"], "none was stepped over");
});

for (const status of [401, 403])
  test(`status ${status}: the answer is kept for when the judge is back`, async () => {
    const { queue, sent, heard } = queued({ status, body: {} });
    await queue.add(entry("one"));
    mock.timers.tick(100_000);
    await settle();
    assert.deepEqual(sent, ["one"]);
    assert.deepEqual(heard, [["expired", "one"]]);
    assert.deepEqual(kept(queue), ["one"]);
  });

test("what the server refuses is said and does not hold up the next", async () => {
  const { queue, heard } = queued(null, { status: 422, body: {} }, SAVED);
  await queue.add(entry("bad"));
  await queue.add(entry("good"));
  assert.deepEqual(heard, [["waiting", "bad"], ["refused", "bad"], ["saved", "good"]]);
  assert.deepEqual(kept(queue), []);
});

test("what was refused is kept, with the reason's number, and not sent again", async () => {
  const { queue, sent } = queued({ status: 400, body: {} }, SAVED);
  await queue.add(entry("bad"));
  assert.deepEqual(queue.refused.map(({ key, status }) => [key, status]), [["bad", 400]]);
  await queued(SAVED).queue.flush();
  assert.deepEqual(sent, ["bad"]);
  assert.deepEqual(queue.refused[0].body, { assignment: "item-bad" });
});

test("not more than fifty refused answers are kept, the latest", async () => {
  const { queue } = queued({ status: 422, body: {} });
  for (let number = 0; number < 53; number++) await queue.add(entry(`bad-${number}`));
  assert.equal(queue.refused.length, 50);
  assert.equal(queue.refused[0].key, "bad-3");
});

test("an answer at which the server breaks every time is stepped over", async () => {
  const sent = [];
  const saved = [];
  const send = async ({ key }) => {
    sent.push(key);
    return { status: key === "poison" ? 500 : 200, body: {} };
  };
  const queue = new Queue("ada", send, (event, { key }) => event === "saved" && saved.push(key));
  await queue.add(entry("poison"));
  await queue.add(entry("one"));
  await queue.add(entry("two"));
  assert.deepEqual(saved, [], "it may be the server's bad moment: order is kept for a while");
  for (let tick = 0; tick < 4; tick++) {
    mock.timers.tick(30_000);
    await settle();
  }
  assert.deepEqual(saved, ["one", "two"]);
  assert.deepEqual(kept(queue), ["poison"], "and it is kept");
  const before = sent.length;
  await queue.add(entry("three"));
  assert.deepEqual(saved, ["one", "two", "three"], "those that come later go at once");
  mock.timers.tick(30_000);
  await settle();
  assert.ok(sent.slice(before).includes("poison"), "it is tried again");
});

test("a closed tab loses nothing: the next page sends what was left", async () => {
  await queued(null).queue.add(entry("one"));
  const { queue, sent } = queued(SAVED);
  assert.deepEqual(kept(queue), ["one"]);
  await queue.flush();
  assert.deepEqual(sent, ["one"]);
});

test("answers of another judge in the same browser are left alone", async () => {
  await queued(null).queue.add(entry("one"));
  const other = new Queue("bob", async () => SAVED, () => {});
  assert.deepEqual(kept(other), []);
});

test("when the network is back, or the page is looked at, it is tried at once", async () => {
  const { queue, sent } = queued(null);
  await queue.add(entry("one"));
  window.dispatchEvent(new Event("online"));
  await settle();
  document.dispatchEvent(new Event("visibilitychange"));
  await settle();
  assert.equal(sent.length, 3);
});

test("an answer given in another tab is heard of, others' storage is not", () => {
  const { heard } = queued(SAVED);
  storedElsewhere("adjudge.queue.ada.two", JSON.stringify(entry("two")));
  storedElsewhere("adjudge.queue.ada.two", null); // it was sent
  storedElsewhere("adjudge.queue.bob.three", JSON.stringify(entry("three")));
  storedElsewhere(null, null); // all was cleared
  assert.deepEqual(heard, [["elsewhere", "two"]]);
});

test("where the browser keeps nothing, answers wait in memory and it is said", async () => {
  newPage({ full: true });
  const { queue, sent } = queued(null, SAVED);
  await queue.add(entry("one"));
  assert.equal(storage.lasting, false);
  assert.deepEqual(kept(queue), ["one"]);
  mock.timers.tick(1000);
  await settle();
  assert.deepEqual(sent, ["one", "one"]);
  assert.deepEqual(kept(queue), []);
});
