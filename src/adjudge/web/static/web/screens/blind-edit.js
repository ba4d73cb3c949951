// The blind editing screen: one text to correct, with the texts around it, and nothing else.

import { answered } from "./parts.js";
import { TextBox } from "./text-box.js";

export default class BlindEdit {
  #element;
  #words;
  #box;
  #givenUp;

  // `item` has one candidate, details.before and details.after and, after an undo, given.edit and
  // given.incomprehensible.
  constructor(item, words, element) {
    this.#element = element;
    this.#words = words;
    const [{ text }] = item.candidates;
    for (const [name, passage] of [
      ["before-output", item.details.before],
      ["output", text],
      ["after-output", item.details.after],
    ]) {
      const place = element.querySelector(`[data-${name}]`);
      place.textContent = passage ?? "";
      (place.closest("[data-context]") ?? place).hidden = !passage;
      place.lang = item.target_language;
    }
    this.#givenUp = element.querySelector("[data-incomprehensible]");
    this.#givenUp.checked = item.given?.incomprehensible ?? false;
    this.#givenUp.addEventListener("change", () => this.#changed());
    this.#box = new TextBox(element.querySelector("[data-edit]"), item.target_language);
    this.#box.write(item.given?.edit ?? text);
    this.#box.onchange = () => this.#changed();
    const reset = element.querySelector("[data-reset]");
    reset.addEventListener("click", () => {
      this.#box.write(text);
      this.#box.focus();
    });
    this.#paint(text);
    this.#element.addEventListener("answer", () => this.#paint(text));
  }

  get payload() {
    const incomprehensible = this.#givenUp.checked;
    return { edit: incomprehensible ? null : this.#box.text, incomprehensible };
  }

  // What was written before giving up is kept: the judge may think again.
  get draft() {
    return { edit: this.#box.text, incomprehensible: this.#givenUp.checked };
  }

  missing() {
    if (this.#givenUp.checked || this.#box.text) return null;
    return { text: this.#words.empty, at: 0 };
  }

  focus(_, scroll = true) {
    this.#box.focus(scroll);
  }

  key() {
    return false;
  }

  #changed() {
    answered(this.#element);
  }

  #paint(output) {
    const givenUp = this.#givenUp.checked;
    this.#box.disabled = givenUp;
    this.#element.querySelector("[data-reset]").hidden = givenUp || this.#box.text === output;
  }
}
