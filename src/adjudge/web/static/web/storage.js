// The browser's storage, or memory where the browser has none to give (frames of other sites,
// private windows, a full disk): then the page works on, and `lasting` says it keeps nothing.

const memory = new Map();

export const storage = {
  lasting: true,

  get(name) {
    if (memory.has(name)) return memory.get(name);
    try {
      return JSON.parse(window.localStorage.getItem(name));
    } catch {
      return null;
    }
  },

  set(name, value) {
    try {
      window.localStorage.setItem(name, JSON.stringify(value));
      memory.delete(name);
    } catch {
      storage.lasting = false;
      memory.set(name, value);
    }
  },

  remove(name) {
    memory.delete(name);
    try {
      window.localStorage.removeItem(name);
    } catch {
      // It was never there.
    }
  },

  names(prefix) {
    let kept = [];
    try {
      kept = Object.keys(window.localStorage);
    } catch {
      // Only memory, then.
    }
    return [...new Set([...kept, ...memory.keys()])].filter((name) => name.startsWith(prefix));
  },
};
