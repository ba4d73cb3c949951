// The items answered in this window, to go back to, also without a network. What was answered
// before, in another window or on another day, the server knows.

export class History {
  #done = []; // {item, given}, in the order in which they were first answered
  #visited = null; // the key of the answered item that is on the screen

  get visiting() {
    return this.#visited !== null;
  }

  // The server has to look before this item.
  get earliest() {
    return this.#done[0]?.item.key ?? null;
  }

  add(item, given) {
    const known = this.#done.find((entry) => entry.item.key === item.key);
    if (known) known.given = given;
    else this.#done.push({ item, given });
  }

  // The item before the one on the screen, with what was said about it; null: none is known here.
  before() {
    const at = this.#done.findIndex(({ item }) => item.key === this.#visited);
    const entry = this.visiting ? this.#done[at - 1] : this.#done.at(-1);
    return entry ? { ...entry.item, given: entry.given } : null;
  }

  // An item that only the server knew is older than all others.
  visit(item) {
    if (!this.#done.some((entry) => entry.item.key === item.key))
      this.#done.unshift({ item, given: item.given });
    this.#visited = item.key;
  }

  leave() {
    this.#visited = null;
  }
}
