// The judging page: shows an item, takes the answer, shows the next one at once.
//
// The server sends the current item and some after it; an answer goes through the queue, so the
// judge goes on while it travels. "Saved" is said only once the server has said so.
//
// The page's state: {judge, urls: {answer, skip, undo, remark}, headers, items, progress, words, end}.
// Without urls it is an example to look at; with `practice`, answers are compared, not stored.
//
// How an item is asked about is its protocol's matter: a `<template data-screen>` with a script
// (`data-script`) whose default export is a class. `new Screen(item, words, element)` fills its
// copy of the template, a <div>; then
//   payload             the answer, as the protocol stores it; `item.given` shows one again, also
//                       one that is not complete
//   draft               what is restored after a reload, where that is more than the payload
//   missing()           {text, at}, what is missing in words and where; null: nothing is
//   focus(at, scroll)   go to that place; place 0 is where work begins
//   key(event)          does this key mean something here? It has been acted on then
//   highlight(on)       where the template has a switch `data-highlight`
// It fires "answer" events from within its element whenever the answer changes. Words that only
// this screen says stand in its template: <span hidden data-word="name">text</span>.

import { Clock } from "./clock.js";
import { Drafts } from "./drafts.js";
import { History } from "./history.js";
import { Practice } from "./practice.js";
import { Queue } from "./queue.js";
import { Remarks } from "./remarks.js";
import { Shortcuts } from "./shortcuts.js";
import { storage } from "./storage.js";
import { Texts } from "./texts.js";

const LANGUAGE = document.documentElement.lang;
const LONGEST_WAIT = 20_000; // milliseconds for the server to reply
const HIGHLIGHT = "adjudge.highlight";

const state = JSON.parse(document.getElementById("state").textContent);
const words = state.words;
const $ = (name) => document.querySelector(`[data-${name}]`);

const screens = {}; // protocol -> {Screen, template}
await Promise.all(
  [...document.querySelectorAll("template[data-screen]")].map(async (template) => {
    const { default: Screen } = await import(template.dataset.script);
    screens[template.dataset.screen] = { Screen, template };
  }),
);

let items = state.items; // the current item first
let screen = null;
let clock = null;
let halfway = null; // the screen of the item that waits, half answered, while an earlier one is changed
const texts = new Texts($("texts"));
const history = new History();
const shortcuts = new Shortcuts($("shortcuts"));

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function send({ url, body }) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...state.headers },
    body: JSON.stringify({ ...body, known: items.map(({ key }) => key) }),
    signal: AbortSignal.timeout(LONGEST_WAIT),
  });
  // A page instead of an object comes from something between us and the server.
  const seconds = Number(answer.headers.get("Retry-After")) || 1;
  return { status: answer.status, body: await answer.json(), retryAfter: 1000 * seconds };
}

// The same for what does not go through the queue: a busy server is asked again.
async function ask(request) {
  const reply = await send(request);
  if (reply.status !== 503) return reply;
  note(reply.body.message);
  await new Promise((resolve) => setTimeout(resolve, reply.retryAfter));
  note("");
  return ask(request);
}

const practice = state.practice && new Practice(state, ask);
// Nothing is kept of an example, nor of practice, where every item is shown the right answer.
const drafts = new Drafts(state.judge, Boolean(state.urls.answer) && !practice);

const queue = new Queue(state.judge, send, (event, entry, answer) => {
  if (event === "saved") saved(answer.body);
  else if (event === "waiting") {
    say("");
    $("supply").hidden = Boolean(items.length);
    note((answer ? words.busy : words.waiting).replace("%1", queue.entries.length));
  } else if (event === "expired") {
    say("");
    note("X-Judge-Pass" in state.headers ? words.expired_task : words.expired);
  } else if (event === "refused") {
    say("");
    note(answer.body.message ?? words.refused);
  } else if (event === "elsewhere") answeredElsewhere(entry.body.assignment);
});

const remarks = new Remarks($("remark-dialog"), drafts, (body) => {
  const key = newKey();
  say(words.saving);
  queue.add({ key, url: state.urls.remark, body: { key, ...body } });
});

function saved(news) {
  const waiting = queue.entries.length;
  if (!waiting) {
    note("");
    say(words.saved);
  }
  if (practice || !news.items) return; // an answer from before; a remark
  progress(news.progress);
  supply(news.items);
  if (news.end && !items.length && !waiting) window.location.reload();
}

function answeredElsewhere(key) {
  drafts.drop(key);
  const current = items[0]?.key === key && !history.visiting;
  items = items.filter((item) => item.key !== key);
  if (!current) return;
  show();
  say(words.elsewhere);
}

// What happens to answers: shown small, beside the buttons.
function say(text) {
  $("status").textContent = text;
}

// What the judge has to know about the connection: stays until it is over.
function note(text) {
  $("notice").textContent = text;
}

// What is wrong with the answer at hand.
function alarm(text) {
  $("alert").textContent = text;
}

function progress(news) {
  if (practice) practised();
  if (!news) return;
  const { done, quota, seconds_per_item: seconds } = news;
  const [doneText, quotaText] = [done, quota].map((number) => number?.toLocaleString(LANGUAGE));
  const parts = [words[quota === null ? "done" : "done_of"].replace("%1", doneText).replace("%2", quotaText)];
  if (seconds) parts.push(words.pace.replace("%1", Math.max(1, Math.round(seconds))));
  const left = quota === null || !seconds ? 0 : Math.ceil(((quota - done) * seconds) / 60);
  if (left > 0) parts.push(words.left.replace("%1", left));
  $("progress-text").textContent = parts.join(" · ");
  const bar = $("progress");
  bar.hidden = quota === null;
  if (quota !== null) {
    bar.max = quota;
    bar.value = done;
  }
  $("undo").hidden = !done && !queue.entries.length;
}

function practised() {
  const all = state.items.length;
  $("progress-text").textContent = words.practice.replace("%1", all - items.length + 1).replace("%2", all);
  Object.assign($("progress"), { hidden: false, max: all, value: all - items.length });
  $("undo").hidden = true;
}

// What the server offers, without what is here already or was answered and is on its way.
function supply(offered) {
  const known = new Set([...items.map(({ key }) => key), ...queue.entries.map(({ body }) => body.assignment)]);
  items.push(...offered.filter(({ key }) => !known.has(key)));
  if (!screen) show();
}

function show() {
  const item = items[0];
  for (const name of ["work", "submit"]) $(name).hidden = !item;
  for (const name of ["skip", "comment"]) $(name).hidden = !item || Boolean(practice) || !state.urls.remark;
  $("back").hidden = !history.visiting;
  $("supply").hidden = true; // it is over only once nothing more can be had
  $("end")?.toggleAttribute("hidden", Boolean(item));
  alarm("");
  screen = null;
  if (!item) return;
  texts.show(item);
  const made = halfway?.key === item.key ? halfway : begin(item);
  if (!history.visiting) halfway = made;
  ({ screen, clock } = made);
  $("restored").textContent = made.restored ? words.restored : "";
  $("above").replaceChildren(...made.above);
  $("answer").replaceChildren(made.element);
  window.scrollTo({ top: 0 });
  // Digits go on where the judge left off, not at the first place again.
  const place = (made.restored && screen.missing()?.at) || 0;
  if (place) screen.focus(place, false);
  if (!texts.focus()) screen.focus(place, false);
  remarks.resume(item.key);
}

// The screen and the clock of an item, with what was begun on it before a reload.
function begin(item) {
  const draft = drafts.of(item);
  if (!draft) return fresh(item);
  try {
    const made = fresh({ ...item, given: draft.answer }, draft.times);
    made.screen.missing(); // fails if it cannot make sense of the draft
    return { ...made, restored: true };
  } catch {
    drafts.drop(item.key); // of another version of this script
    return fresh(item);
  }
}

function fresh(item, times) {
  const read = [item.source ?? "", item.reference ?? "", ...item.candidates.map(({ text }) => text)];
  return { key: item.key, clock: new Clock(read.join("").length, undefined, times), ...build(item) };
}

function keepDraft() {
  drafts.keep(items[0], screen.draft ?? screen.payload, clock.read());
}

// The screen of an item, the element it fills, and what of it belongs above the source.
function build(item) {
  const { Screen, template } = screens[item.protocol];
  const element = document.createElement("div");
  element.dataset.protocol = item.protocol;
  element.append(template.content.cloneNode(true));
  const own = [...element.querySelectorAll("[data-word]")].map((word) => [word.dataset.word, word.textContent]);
  const made = new Screen(item, { ...words, ...Object.fromEntries(own) }, element);
  const mark = element.querySelector("[data-highlight]");
  if (mark) {
    mark.checked = storage.get(HIGHLIGHT) ?? true;
    made.highlight(mark.checked);
    mark.addEventListener("change", () => {
      storage.set(HIGHLIGHT, mark.checked);
      made.highlight(mark.checked);
    });
  }
  return { screen: made, element, above: [...element.querySelectorAll("[data-goes-above]")] };
}

// Send what the judge says of the item at hand; `given` is the answer in it, null for a skip.
function deliver(url, extra, given) {
  const item = items.shift();
  const key = newKey();
  const body = { assignment: item.key, key, at: new Date().toISOString(), ...clock.read(), ...extra };
  history.add(item, given);
  history.leave();
  show();
  say(words.saving);
  $("undo").hidden = false;
  queue.add({ key, url, body });
  drafts.drop(item.key);
  if (!storage.lasting) note(words.no_storage);
}

function submit() {
  if (!screen || !state.urls.answer || $("work").inert) return;
  const missing = screen.missing();
  if (missing) {
    alarm(missing.text); // first, for it takes room
    screen.focus(missing.at);
    return;
  }
  if (practice) {
    compare();
    return;
  }
  const candidates = items[0].candidates.map(({ key }) => key);
  const given = structuredClone(screen.payload);
  deliver(state.urls.answer, { answer: { ...given, candidates } }, given);
}

// Practice: the judge's answer stays in sight, ours and what we have to say come below it.
async function compare() {
  say(words.loading);
  const verdict = await practice.compare(screen.payload);
  if (!verdict) return;
  say("");
  if (verdict.message) {
    alarm(verdict.message);
    return;
  }
  const heading = { true: "agrees", false: "differs", null: "cannot-tell" }[verdict.agrees];
  for (const name of ["agrees", "differs", "cannot-tell"]) $(name).hidden = name !== heading;
  $("feedback").innerHTML = verdict.feedback; // Markdown that the server has made safe
  $("ours").replaceChildren(build({ ...items[0], given: verdict.ours }).element);
  comparing(true);
  $("verdict").scrollIntoView({ block: "nearest" });
  $("go-on").focus({ preventScroll: true });
}

function comparing(on) {
  $("work").inert = on;
  $("verdict").hidden = $("go-on").hidden = !on;
  $("submit").hidden = on;
}

function goOn() {
  items.shift();
  if (!items.length) {
    practice.end();
    return;
  }
  comparing(false);
  progress();
  show();
}

// Back to what was answered before, one item at a time.
async function undo() {
  const item = history.before() ?? (await earlier());
  if (!item) return;
  const going = history.visiting ? items[0].key : null;
  items = [item, ...items.filter(({ key }) => key !== item.key && key !== going)];
  history.visit(item);
  show();
  say(words.changing);
}

// What was answered before all that this window knows; null, with a word, where that fails.
async function earlier() {
  await queue.flush();
  const { earliest } = history;
  const body = earliest ? { before: earliest } : {};
  const reply = queue.entries.length ? null : await ask({ url: state.urls.undo, body }).catch(() => null);
  if (reply?.status === 200) return reply.body.item;
  alarm(reply?.body.message ?? words.undo_waits);
  return null;
}

// What was said stands; on with the item that waited.
function back() {
  drafts.drop(items.shift().key);
  history.leave();
  show();
  say("");
}

function skip() {
  const dialog = $("skip-dialog");
  dialog.returnValue = "";
  $("skip-reason").value = "";
  dialog.showModal();
}

function skipped() {
  const { returnValue } = $("skip-dialog");
  const reason = returnValue === "other" ? $("skip-reason").value.trim() : returnValue;
  if (reason && screen) deliver(state.urls.skip, { reason }, null);
  else if (returnValue === "other") alarm(words.reason);
}

function pressed(event) {
  if (!screen || document.querySelector("dialog[open]") || event.isComposing) return;
  // In a text box all keys are letters, and Enter begins a line, unless the box is for one line.
  const oneLine = event.key === "Enter" && event.target.enterKeyHint === "send";
  const writing = event.target.matches("textarea") && !oneLine;
  if (writing && !(event.ctrlKey || event.metaKey)) return;
  if (event.key === "Enter") {
    if (event.target.matches("button, a")) return;
    event.preventDefault();
    if (!event.repeat) $("work").inert ? goOn() : submit();
  } else if (!$("work").inert && shortcuts.allow(event) && screen.key(event)) event.preventDefault();
}

// The second click of a double click would meet the next item.
const once = (action) => (event) => event.detail <= 1 && action();
$("submit").addEventListener("click", once(submit));
$("undo").addEventListener("click", once(undo));
$("back").addEventListener("click", once(back));
$("comment").addEventListener("click", () => remarks.about(items[0].key));
for (const button of document.querySelectorAll("[data-write]"))
  button.addEventListener("click", () => remarks.toOrganisers());
$("skip").addEventListener("click", skip);
$("skip-dialog").addEventListener("close", skipped);
$("skip-reason").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  $("skip-other").click();
});
$("next")?.addEventListener("click", () => {
  items.push(items.shift());
  show();
});
$("go-on")?.addEventListener("click", once(goOn));
$("help").addEventListener("click", () => $("help-dialog").showModal());
$("work").addEventListener("submit", (event) => event.preventDefault());
$("work").addEventListener("answer", () => {
  alarm("");
  keepDraft();
});
document.addEventListener("keydown", pressed);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    clock?.shown();
    return;
  }
  clock?.hidden();
  if (screen && drafts.of(items[0])) keepDraft(); // a phone may drop the page; its time is kept
});
// The browser asks before it leaves what is not submitted.
window.addEventListener("beforeunload", (event) => {
  const shown = [items[0]?.key, halfway?.key];
  if (shown.some((key) => drafts.has(key)) || remarks.begun) event.preventDefault();
});
for (const kind of ["pointerdown", "pointermove", "keydown", "scroll", "wheel"])
  document.addEventListener(kind, () => clock?.input(), { passive: true });

if (practice) items = items.slice(practice.done);
progress(state.progress);
// Answers from before (a closed tab, a lost connection, an ended session) are on their way.
const waiting = new Set(queue.entries.map(({ body }) => body.assignment));
items = items.filter(({ key }) => !waiting.has(key));
show();
if (!items.length && !state.end) say(words.loading);
if (state.end && state.progress?.done && !waiting.size) say(words.saved);
remarks.resume(null);
// Only now do the buttons do something; of an example, never.
$("actions").hidden = !Object.keys(state.urls).length;
queue.flush();
