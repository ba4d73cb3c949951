// Time on an item, twice: wall time, and active time that stops while the judge is away.
//
// A judge counts as away when there was no input for longer than the text takes to read
// slowly, or when the page is hidden.

const SLOW_READING = 8; // characters a second
const SHORTEST_PAUSE = 10_000; // milliseconds

export class Clock {
  #started;
  #lastInput;
  #active = 0;
  #allowance;
  #earlier; // seconds on this item before the page was loaded anew

  // `earlier`: what `read()` gave before a reload; its time goes on.
  constructor(characters, now = () => performance.now(), earlier = null) {
    this.now = now;
    this.#earlier = earlier ? secondsSince(earlier) : 0;
    this.#active = 1000 * (earlier?.active_seconds ?? 0);
    this.#allowance = Math.max(SHORTEST_PAUSE, (1000 * characters) / SLOW_READING);
    this.#started = this.#lastInput = now();
  }

  input() {
    const now = this.now();
    this.#active += Math.min(now - this.#lastInput, this.#allowance);
    this.#lastInput = now;
  }

  hidden() {
    this.input();
  }

  shown() {
    // What passed while hidden is nobody's reading time.
    this.#lastInput = this.now();
  }

  read() {
    this.input();
    return {
      seconds: this.#earlier + (this.now() - this.#started) / 1000,
      active_seconds: this.#active / 1000,
    };
  }
}

// Wall time goes on while the page is closed; a clock that was put back takes nothing away.
function secondsSince({ seconds, at }) {
  return seconds + Math.max(0, Date.now() - at) / 1000;
}
