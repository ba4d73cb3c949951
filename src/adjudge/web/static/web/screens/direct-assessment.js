// Direct assessment: one translation in its document, a score from 0 to 100.
//
// Arrow keys move the slider and digits go to the number box, wherever the focus is.

import { Slider } from "./slider.js";
import { showSoFar } from "./so-far.js";

const STEPS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };

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
    const { ctrlKey, metaKey, altKey, key, target } = event;
    if (ctrlKey || metaKey || altKey || target.type === "number") return false;
    if (/^[0-9]$/.test(key)) this.#slider.focus(); // where the digit goes then
    const points = target === this.#range ? null : STEPS[key]; // the slider itself knows arrows
    if (points) this.#slider.step(points);
    return Boolean(points);
  }
}
