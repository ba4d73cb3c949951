// A scale from 0 to 100: a slider for mouse and thumb, a number box for the keyboard, in step.
//
// Its fixed parts are templates/web/judging/parts/slider.html. Nothing is chosen beforehand: the
// slider has no thumb until it is touched.

import { answered } from "./parts.js";

export class Slider {
  #element;
  #range;
  #number;
  #unset; // what is said while there is no score

  // `element` is the fieldset, `value` a score given before, or undefined.
  constructor(element, value) {
    this.#element = element;
    this.#range = element.querySelector("input[type=range]");
    this.#number = element.querySelector("input[type=number]");
    this.#unset = element.querySelector('[data-word="unset"]').textContent;
    this.#range.setAttribute("aria-valuetext", this.#unset);
    // A tap where the slider stands already changes nothing, but is a choice.
    for (const kind of ["input", "pointerup"])
      this.#range.addEventListener(kind, () => this.#show(this.#range.valueAsNumber));
    this.#number.addEventListener("input", () => this.#show(this.#number.valueAsNumber, false));
    this.#number.addEventListener("change", () => this.#number.reportValidity());
    if (value !== undefined) this.#show(value);
  }

  // The score, or null: none yet, or none on the scale.
  get value() {
    return this.#number.value !== "" && this.#number.validity.valid ? this.#number.valueAsNumber : null;
  }

  focus() {
    this.#number.focus();
  }

  // A point higher or lower, as the slider itself does it.
  step(points) {
    this.#range.focus({ preventScroll: true });
    this.#show(Math.min(100, Math.max(0, this.#range.valueAsNumber + points)));
  }

  // Keys that mean something to its boxes are not the page's.
  has(element) {
    return this.#element.contains(element);
  }

  #show(score, everywhere = true) {
    if (everywhere) this.#number.value = score;
    const known = this.value !== null;
    if (known) this.#range.value = score;
    this.#range.classList.toggle("unset", !known);
    if (known) this.#range.removeAttribute("aria-valuetext");
    else this.#range.setAttribute("aria-valuetext", this.#unset);
    answered(this.#element);
  }
}
