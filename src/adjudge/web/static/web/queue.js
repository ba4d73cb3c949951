// Answers wait here until the server has said "saved": sent in order, and kept in the browser's
// storage so that neither a closed tab nor a lost connection loses one.
//
// An entry is {key, url, body}; `key` is the idempotency key, so that sending it again after a
// reply was lost on the way stores nothing twice. Each entry is stored under a name of its own,
// so that two tabs never overwrite each other's.

import { storage } from "./storage.js";

const FIRST_RETRY = 1_000; // milliseconds
const LAST_RETRY = 30_000;

export class Queue {
  #prefix;
  #send;
  #report;
  #sending = false;
  #retry = FIRST_RETRY;
  #timer = null;

  // `send(entry)` resolves to {status, body}, or rejects when the server cannot be reached;
  // `report(event, entry, answer)` hears "waiting", "expired", "refused", "saved", and
  // "elsewhere" for an entry that another tab has added.
  constructor(owner, send, report) {
    this.#prefix = `adjudge.queue.${owner}.`;
    this.#send = send;
    this.#report = report;
    window.addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => this.flush());
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key?.startsWith(this.#prefix) && newValue) report("elsewhere", JSON.parse(newValue));
    });
  }

  get entries() {
    const found = storage.names(this.#prefix).map((name) => storage.get(name));
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
      for (let entry; (entry = this.entries[0]); ) {
        const answer = await this.#send(entry).catch(() => null);
        if (answer?.status === 401 || answer?.status === 403) {
          this.#report("expired", entry, answer);
          return;
        }
        if (!answer || answer.status >= 500 || answer.status === 429) {
          this.#later(entry);
          return;
        }
        this.#retry = FIRST_RETRY;
        storage.remove(this.#prefix + entry.key);
        this.#report(answer.status < 300 ? "saved" : "refused", entry, answer);
      }
    } finally {
      this.#sending = false;
    }
  }

  #later(entry) {
    this.#report("waiting", entry);
    this.#timer = setTimeout(() => this.flush(), this.#retry);
    this.#retry = Math.min(2 * this.#retry, LAST_RETRY);
  }
}
