// Two translations side by side (one above the other on a phone): which is better, or both fine,
// or both wrong, or where the campaign has it, equally good. Nothing chosen beforehand.
//
// Arrows choose as the screen is laid out: left is A, right is B, up is both fine, down both
// wrong. Digits choose too. Radio buttons underneath, so mouse, thumb and screen reader work alike.

import { differences } from "../differences.js";
import { LETTERS, answered, digitOf, make, pieces } from "./parts.js";

const KEYS = { first: "←", second: "→", "both fine": "↑", "both wrong": "↓", tie: "5" };
const ARROWS = { ArrowLeft: "first", ArrowRight: "second", ArrowUp: "both fine", ArrowDown: "both wrong" };
// As they stand on the screen: what is better to its own side, the rest between.
const LAYOUT = ["first", "both fine", "tie", "both wrong", "second"];

export default class Pairwise {
  #item;
  #element;
  #words;
  #choices; // in the order of their digits
  #choice;
  #texts;
  #inputs = {};

  // `item` has two candidates ({key, text}), scale.choices and, after an undo, given.choice.
  constructor(item, words, element) {
    this.#item = item;
    this.#element = element;
    this.#words = words;
    this.#choices = item.scale.choices;
    this.#choice = item.given?.choice ?? null;
    const lang = item.target_language;
    this.#texts = item.candidates.map(({ text }, i) =>
      make("p", { className: "text", id: `text-${i}`, dir: "auto", lang }, text),
    );
    element.querySelector("[data-candidates]").append(...this.#texts.map((text, i) => this.#card(text, i)));
    const shown = LAYOUT.filter((choice) => this.#choices.includes(choice));
    element.querySelector("[data-choices]").append(...shown.map((choice) => this.#button(choice)));
    this.#paint();
  }

  get payload() {
    return { choice: this.#choice };
  }

  missing() {
    return this.#choice === null ? { text: this.#words.no_choice, at: 1 } : null;
  }

  // While nothing is chosen, all the answers together have the focus: none of them looks chosen.
  focus(at, scroll = true) {
    const place = this.#inputs[this.#choice] ?? this.#element.querySelector("[data-choices]");
    place.focus({ preventScroll: true });
    if (scroll) place.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const choice = ARROWS[event.key] ?? this.#choices[digitOf(event) - 1];
    if (!choice) return false;
    this.#choose(choice);
    return true;
  }

  highlight(on) {
    const texts = this.#item.candidates.map(({ text }) => text);
    const split = on ? differences(texts) : texts.map((text) => [{ text, differs: false }]);
    this.#texts.forEach((text, i) => text.replaceChildren(...pieces(split[i])));
  }

  #choose(choice) {
    this.#choice = choice;
    this.#inputs[choice].checked = true;
    this.#inputs[choice].focus({ preventScroll: true });
    this.#paint();
    answered(this.#element);
  }

  #card(text, i) {
    const name = this.#words.candidate.replace("%1", LETTERS[i]);
    const letter = make("span", { className: "letter", ariaLabel: name }, LETTERS[i]);
    letter.setAttribute("role", "img");
    return make("li", {}, letter, text);
  }

  #button(choice) {
    const input = make("input", { type: "radio", name: "choice", value: choice });
    input.checked = this.#choice === choice;
    input.addEventListener("change", () => this.#choose(choice));
    this.#inputs[choice] = input;
    const key = make("kbd", { ariaHidden: "true" }, KEYS[choice]);
    return make("label", {}, input, make("span", {}, make("b", {}, this.#words[choice]), key));
  }

  #paint() {
    const chosen = [this.#choice === "first", this.#choice === "second"];
    this.#texts.forEach((text, i) => text.parentElement.classList.toggle("chosen", chosen[i]));
  }
}
