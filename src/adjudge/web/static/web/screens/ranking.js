// The ranking screen: every candidate gets a rank, ties allowed, nothing ranked beforehand.
//
// Up and down or j and k move between candidates, digits rank the one in focus and go on to the
// next without a rank. Radio buttons underneath, so mouse, thumb and screen reader work alike.

import { differences } from "../differences.js";
import { LETTERS, answered, digitOf, make, pieces } from "./parts.js";

export default class Ranking {
  #item;
  #element;
  #words;
  #scale;
  #ranks;
  #rows;
  #current = 0;

  // `item` has candidates ({key, text}), scale.ranks and, after an undo, given.ranks.
  constructor(item, words, element) {
    this.#item = item;
    this.#element = element;
    this.#words = words;
    this.#scale = item.scale.ranks;
    this.#ranks = item.given?.ranks.slice() ?? item.candidates.map(() => null);
    this.#rows = item.candidates.map((candidate, i) => this.#row(candidate, i));
    element.querySelector("[data-candidates]").append(...this.#rows);
    this.#paint();
  }

  get payload() {
    return { ranks: this.#ranks };
  }

  // What is missing: {text, at}, in words and the first place; null when the answer is complete.
  missing() {
    const without = this.#ranks.flatMap((rank, i) => (rank === null ? [i] : []));
    if (!without.length) return null;
    const letters = without.map((i) => LETTERS[i]).join(", ");
    return { text: this.#words.missing.replace("%1", letters), at: without[0] };
  }

  focus(i, scroll = true) {
    this.#current = (i + this.#rows.length) % this.#rows.length;
    const row = this.#rows[this.#current];
    row.firstElementChild.focus({ preventScroll: true });
    if (scroll) row.scrollIntoView({ block: "nearest" });
    this.#paint();
  }

  // Does this key mean something here?
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const digit = digitOf(event);
    if (this.#scale.includes(digit)) {
      this.#rank(this.#current, digit);
      const after = this.#ranks.indexOf(null, this.#current);
      const next = after >= 0 ? after : this.#ranks.indexOf(null);
      this.focus(next >= 0 ? next : this.#current);
      return true;
    }
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!step) return false;
    this.focus(this.#current + step);
    return true;
  }

  // What is shown of a candidate, as nodes.
  passage({ text }) {
    return [text];
  }

  highlight(on) {
    const texts = this.#item.candidates.map(({ text }) => text);
    const split = on ? differences(texts) : texts.map((text) => [{ text, differs: false }]);
    this.#rows.forEach((row, i) => row.querySelector(".text").replaceChildren(...pieces(split[i])));
  }

  #rank(i, rank) {
    this.#ranks[i] = rank;
    this.#rows[i].querySelector(`input[value="${rank}"]`).checked = true;
    this.#paint();
    answered(this.#element);
  }

  #row(candidate, i) {
    const name = this.#words.candidate.replace("%1", LETTERS[i]);
    const letter = make("span", { className: "letter", id: `letter-${i}`, ariaLabel: name }, LETTERS[i]);
    letter.setAttribute("role", "img");
    const lang = this.#item.target_language;
    const shown = this.passage(candidate);
    const passage = make("p", { className: "text", id: `text-${i}`, dir: "auto", lang }, ...shown);
    const scale = make("div", { className: "scale" }, ...this.#scale.map((rank) => this.#button(rank, i)));
    const set = make("fieldset", { tabIndex: -1 }, letter, passage, scale);
    set.setAttribute("aria-labelledby", `letter-${i} text-${i}`);
    set.addEventListener("focusin", () => {
      this.#current = i;
      this.#paint();
    });
    return make("li", {}, set);
  }

  #button(rank, i) {
    const ends = { [this.#scale[0]]: this.#words.best, [this.#scale.at(-1)]: this.#words.worst };
    const input = make("input", { type: "radio", name: `candidate-${i}`, value: rank });
    input.checked = this.#ranks[i] === rank;
    input.ariaLabel = [this.#words.rank.replace("%1", rank), ends[rank]].filter(Boolean).join(", ");
    input.addEventListener("change", () => this.#rank(i, rank));
    return make("label", { title: ends[rank] ?? "" }, input, make("span", {}, String(rank)));
  }

  #paint() {
    this.#rows.forEach((row, i) => {
      row.classList.toggle("current", i === this.#current);
      row.classList.toggle("ranked", this.#ranks[i] !== null);
    });
  }
}
