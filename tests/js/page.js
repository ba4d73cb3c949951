// What a script may expect of a page, as far as the queue needs it: events and storage.

class Target extends EventTarget {
  hidden = false;
}

class LocalStorage {
  #full;

  constructor(full) {
    Object.defineProperty(this, "full", { get: () => this.#full, enumerable: false });
    this.#full = full;
  }

  getItem(name) {
    return Object.hasOwn(this, name) ? this[name] : null;
  }

  setItem(name, value) {
    if (this.full) throw new DOMException("no room", "QuotaExceededError");
    this[name] = String(value);
  }

  removeItem(name) {
    delete this[name];
  }
}

// A new page; with `full`, its browser keeps nothing.
export function newPage({ full = false } = {}) {
  globalThis.window = new Target();
  globalThis.document = new Target();
  window.localStorage = new LocalStorage(full);
}

// A `storage` event, as a browser fires it when another tab has stored something.
export function storedElsewhere(key, newValue) {
  const event = new Event("storage");
  Object.assign(event, { key, newValue });
  window.dispatchEvent(event);
}
