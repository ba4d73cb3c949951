// The review screen: the yes/no question first; only then the text may be changed.

import { differences } from "../differences.js";
import { answered, digitOf, pieces } from "./parts.js";
import { TextBox } from "./text-box.js";

const VERDICTS = { 1: "yes", 2: "no" };
let screens = 0; // each with a question of its own

export default class Review {
  #element;
  #words;
  #output;
  #edit;
  #verdict = null;
  #box;

  // `item` has one candidate, details.edit and, after an undo, given.verdict and given.edit.
  constructor(item, words, element) {
    this.#element = element;
    this.#words = words;
    this.#output = item.candidates[0].text;
    this.#edit = item.details.edit;
    for (const name of ["output", "edited"]) this.#part(name).lang = item.target_language;
    this.#box = new TextBox(this.#part("edit"), item.target_language);
    this.#box.write(item.given?.edit ?? this.#edit);
    this.#box.onchange = () => this.#paint();
    for (const [name, text] of [
      ["from-edit", this.#edit],
      ["from-output", this.#output],
    ])
      this.#part(name).addEventListener("click", () => {
        this.#box.write(text);
        this.#box.focus();
      });
    screens += 1;
    for (const input of element.querySelectorAll("[type=radio]")) {
      input.name = `verdict-${screens}`;
      input.addEventListener("change", () => {
        this.#decide(input.value);
        this.#part("edit").scrollIntoView({ block: "nearest" });
      });
    }
    if (this.#output === this.#edit) {
      this.#part("before-edit").hidden = true;
      this.#part("edited-label").textContent = words.unchanged;
    }
    this.highlight(true);
    if (item.given) this.#decide(item.given.verdict);
  }

  get payload() {
    const text = this.#box.text;
    return { verdict: this.#verdict, edit: text === this.#edit ? null : text };
  }

  missing() {
    if (!this.#verdict) return { text: this.#words.no_verdict, at: 0 };
    if (!this.#box.text) return { text: this.#words.empty, at: 1 };
    if (this.#verdict === "no" && this.#box.text === this.#edit)
      return { text: this.#words.no_correction, at: 1 };
    return null;
  }

  focus(at, scroll = true) {
    if (at === 1) {
      this.#box.focus(scroll);
      return;
    }
    const radio = "[type=radio]";
    const chosen = this.#element.querySelector(`${radio}:checked`) ?? this.#element.querySelector(radio);
    chosen.focus({ preventScroll: true });
    if (scroll) this.#part("question").scrollIntoView({ block: "nearest" });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const verdict = VERDICTS[digitOf(event)];
    if (!verdict) return false;
    this.#decide(verdict);
    this.#box.focus();
    return true;
  }

  highlight(on) {
    const texts = [this.#output, this.#edit];
    const split = on ? differences(texts) : texts.map((text) => [{ text, differs: false }]);
    this.#part("output").replaceChildren(...pieces(split[0]));
    this.#part("edited").replaceChildren(...pieces(split[1]));
  }

  #part(name) {
    return this.#element.querySelector(`[data-${name}]`);
  }

  #decide(verdict) {
    this.#verdict = verdict;
    this.#element.querySelector(`[type=radio][value=${verdict}]`).checked = true;
    this.#part("after-verdict").hidden = false;
    this.#part("task").textContent = this.#words[verdict === "yes" ? "polish" : "correct"];
    this.#box.fit();
    this.#paint();
  }

  #paint() {
    if (!this.#verdict) return;
    const changed = this.#box.text !== this.#edit;
    const outcome =
      this.#verdict === "yes" ? (changed ? "polished" : "accepted") : changed ? "corrected" : "not_corrected";
    this.#part("outcome").textContent = this.#words[outcome];
    this.#part("from-edit").hidden = !changed;
    this.#part("from-output").hidden = this.#box.text === this.#output || this.#output === this.#edit;
    answered(this.#element);
  }
}
