// Direct assessment: one translation in its document, a score from 0 to 100.
//
// Work begins on the slider, which takes the arrow keys and opens no keyboard on a phone; digits go
// to the number box wherever the focus is.

import { Slider } from "./slider.js";
import { showSoFar } from "./so-far.js";

export default class DirectAssessment {
  #words;
  #slider;
  #range;

  // `item` has one candidate, details.so_far ([{source, text}]) and, after an undo, given.score.
  constructor(item, words, element) {
    this.#words = words;
    this.#slider = new Slider(element.querySelector("[data-slider]"), item.given?.score);
    this.#range = element.querySelector("input[type=range]");
    const translation = element.querySelector("[data-translation]");
    translation.textContent = item.candidates[0].text;
    translation.lang = item.target_language;
    showSoFar(element, item);
  }

  get payload() {
    return { score: this.#slider.value };
  }

  missing() {
    return this.#slider.value === null ? { text: this.#words.no_score, at: 1 } : null;
  }

  focus(at, scroll = true) {
    this.#range.focus({ preventScroll: true });
    if (scroll) this.#range.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const typed = /^[0-9]$/.test(event.key) && !(event.ctrlKey || event.metaKey || event.altKey);
    if (typed && event.target.type !== "number") this.#slider.focus(); // where the digit goes then
    return false;
  }
}
