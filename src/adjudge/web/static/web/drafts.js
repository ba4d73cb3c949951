// Answers and comments that are begun and not yet submitted, kept in the browser's storage: a
// reload, a crashed tab or a phone that drops the page loses none of them.
//
// A draft is stored under its judge and item. Both are keys that the server made up, for one judge
// of one campaign and for one item given to them, so that two judges at one computer never meet
// each other's drafts. It is of no use once the item looks different, and is then ignored.

import { storage } from "./storage.js";

const PREFIX = "adjudge.draft.";
const MOST = 100; // kept in this browser, of all judges
const LONGEST = 30 * 24 * 3600 * 1000; // milliseconds

export class Drafts {
  #own;
  #keeps;

  // `keeps`: false on a page where nothing is to be kept.
  constructor(judge, keeps) {
    this.#own = `${PREFIX}${judge}.`;
    this.#keeps = keeps;
    prune();
  }

  has(key) {
    return storage.get(this.#own + key) !== null;
  }

  // What was begun on an item and how long the judge was at it, {answer, times}; null: nothing.
  of(item) {
    const draft = storage.get(this.#own + item.key);
    return draft?.version === versionOf(item) ? draft : null;
  }

  // `times` as the clock gives them.
  keep(item, answer, times) {
    if (!this.#keeps) return;
    const at = Date.now();
    storage.set(this.#own + item.key, { answer, times: { ...times, at }, version: versionOf(item), at });
  }

  drop(key) {
    storage.remove(this.#own + key);
  }

  // The comment on an item, or (null) the message to the organisers, that is being written.
  comment(about) {
    return storage.get(this.#comment(about))?.text ?? "";
  }

  keepComment(about, text) {
    if (text.trim()) storage.set(this.#comment(about), { text, at: Date.now() });
    else storage.remove(this.#comment(about));
  }

  #comment(about) {
    return `${this.#own}comment.${about ?? ""}`;
  }
}

function prune() {
  const all = storage.names(PREFIX).map((name) => ({ name, at: storage.get(name)?.at ?? 0 }));
  all.sort((a, b) => b.at - a.at);
  const old = Date.now() - LONGEST;
  for (const [place, { name, at }] of all.entries()) if (place >= MOST || at < old) storage.remove(name);
}

// A number for what the judge answers to: FNV-1a. What they said before is not part of it.
function versionOf({ protocol, scale, source, parts, candidates }) {
  let hash = 0x811c9dc5;
  for (const character of JSON.stringify([protocol, scale, source, parts, candidates]))
    hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
  return hash >>> 0;
}
