import assert from "node:assert/strict";
import { test } from "node:test";

import { History } from "../../src/adjudge/web/static/web/history.js";

const item = (key) => ({ key, source: `Source ${key}` });

test("goes back one by one, with what was said, and not beyond", () => {
  const history = new History();
  assert.equal(history.before(), null);
  for (const key of ["a", "b", "c"]) history.add(item(key), { said: key });
  assert.deepEqual(history.before(), { ...item("c"), given: { said: "c" } });
  for (const key of ["c", "b", "a"]) {
    assert.equal(history.before().key, key);
    history.visit(history.before());
    assert.ok(history.visiting);
  }
  assert.equal(history.before(), null);
  assert.equal(history.earliest, "a");
  history.leave();
  assert.ok(!history.visiting);
  assert.equal(history.before().key, "c");
});

test("a changed answer stays in its place, with the new words", () => {
  const history = new History();
  history.add(item("a"), 1);
  history.add(item("b"), 2);
  history.visit(item("a"));
  history.add(item("a"), 3);
  history.leave();
  assert.equal(history.before().key, "b");
  history.visit(item("b"));
  assert.equal(history.before().given, 3);
});

test("what only the server knew is older than all others", () => {
  const history = new History();
  history.add(item("c"), 3);
  history.visit({ ...item("b"), given: 2 });
  assert.equal(history.earliest, "b");
  history.visit({ ...item("a"), given: 1 });
  assert.equal(history.earliest, "a");
  history.leave();
  history.visit(item("c"));
  assert.equal(history.before().given, 2);
});
