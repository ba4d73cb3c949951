// Answers wait here until the server has said "saved": sent in order, and kept in the browser's
// storage so that neither a closed tab nor a lost connection loses one.
//
// An entry is {key, url, body}; `key` is the idempotency key, so that sending it again after a
// reply was lost on the way stores nothing twice. Each entry is stored under a name of its own,
// so that two tabs never overwrite each other's.
//
// One answer never holds up the rest. What the server refuses is not sent again; it is kept in the
// storage (`refused`), and the server has told the organisers. At what the server breaks time and
// again, the queue steps over to the next; it is tried once more in every later round. A server
// that is busy (503) breaks at nothing: all entries wait as long as it asks for.

import { storage } from "./storage.js";

const FIRST_RETRY = 1_000; // milliseconds
const LAST_RETRY = 30_000;
const BUSY = 503;
const TRIES = 5; // at which the server broke, before others go first
const MOST_REFUSED = 50; // kept

export class Queue {
  #prefix;
  #aside;
  #send;
  #report;
  #sending = false;
  #retry = FIRST_RETRY;
  #timer = null;

  // `send(entry)` resolves to {status, body, retryAfter}, or rejects when the server cannot be
  // reached; `report(event, entry, answer)` hears "waiting" (with the answer of a busy server),
  // "expired", "refused", "saved", and "elsewhere" for an entry that another tab has added.
  constructor(owner, send, report) {
    this.#prefix = `adjudge.queue.${owner}.`;
    this.#aside = `adjudge.refused.${owner}.`;
    this.#send = send;
    this.#report = report;
    window.addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => this.flush());
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key?.startsWith(this.#prefix) && newValue) report("elsewhere", JSON.parse(newValue));
    });
  }

  get entries() {
    return this.#stored(this.#prefix);
  }

  // What the server did not accept, each with the `status` it gave.
  get refused() {
    return this.#stored(this.#aside);
  }

  #stored(prefix) {
    const found = storage.names(prefix).map((name) => storage.get(name));
    return found.filter(Boolean).sort((a, b) => a.order - b.order);
  }

  add(entry) {
    const last = this.entries.at(-1)?.order ?? 0;
    const order = Math.max(Date.now(), last + 1);
    storage.set(this.#prefix + entry.key, { ...entry, order });
    return this.flush();
  }

  async flush() {
    if (this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#timer);
    try {
      const over = new Set(); // keys of those that were stepped over
      for (let entry; (entry = this.entries.find(({ key }) => !over.has(key))); ) {
        const answer = await this.#send(entry).catch(() => null);
        if (answer?.status === 401 || answer?.status === 403) {
          this.#report("expired", entry, answer);
          return;
        }
        const busy = answer?.status === BUSY;
        if (!busy && answer?.status >= 500 && this.#triedInVain(entry)) {
          over.add(entry.key);
          continue;
        }
        if (!answer || answer.status >= 500 || answer.status === 429) {
          this.#later(entry, busy ? answer : null);
          return;
        }
        this.#retry = FIRST_RETRY;
        storage.remove(this.#prefix + entry.key);
        if (answer.status >= 300) this.#keepRefused(entry, answer.status);
        this.#report(answer.status < 300 ? "saved" : "refused", entry, answer);
      }
      if (over.size) this.#later(this.entries[0]);
    } finally {
      this.#sending = false;
    }
  }

  // Was it tried so often that others should not wait for it?
  #triedInVain(entry) {
    const tries = (entry.tries ?? 0) + 1;
    storage.set(this.#prefix + entry.key, { ...entry, tries });
    return tries >= TRIES;
  }

  #keepRefused(entry, status) {
    storage.set(this.#aside + entry.key, { ...entry, status });
    for (const { key } of this.refused.slice(0, -MOST_REFUSED)) storage.remove(this.#aside + key);
  }

  #later(entry, busy = null) {
    this.#report("waiting", entry, busy);
    this.#timer = setTimeout(() => this.flush(), busy?.retryAfter ?? this.#retry);
    if (!busy) this.#retry = Math.min(2 * this.#retry, LAST_RETRY);
  }
}
