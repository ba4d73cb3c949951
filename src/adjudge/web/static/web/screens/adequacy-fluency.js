// Adequacy and fluency: two five-point scales for every candidate, nothing chosen beforehand.
//
// A place is one scale of one candidate. Up and down or j and k go from place to place, digits
// score the place in focus and go on to the next without a score. Radio buttons underneath, so
// mouse, thumb and screen reader work alike.

import { differences } from "../differences.js";
import { storage } from "../storage.js";
import { LETTERS, answered, digitOf, make, pieces } from "./parts.js";

const POINTS = "adjudge.points"; // does the judge want to see what they mean?
const WIDE = window.matchMedia("(min-width: 46rem)");

export default class AdequacyFluency {
  #item;
  #element;
  #words;
  #places; // [{scale, candidate, set, says}], in the order of the screen
  #scores; // {adequacy: [4, null, …], fluency: […]}
  #current = 0;

  // `item` has candidates ({key, text}), scale.scales, scale.points and, after an undo, given.
  constructor(item, words, element) {
    this.#item = item;
    this.#element = element;
    this.#words = words;
    const { scales } = item.scale;
    this.#scores = Object.fromEntries(
      scales.map((scale) => [scale, item.given?.[scale].slice() ?? item.candidates.map(() => null)]),
    );
    this.#places = item.candidates.flatMap((_, candidate) =>
      scales.map((scale) => this.#place(scale, candidate, item.scale.points)),
    );
    const rows = item.candidates.map(({ text }, candidate) => this.#row(text, candidate));
    element.querySelector("[data-candidates]").append(...rows);
    const points = element.querySelector("[data-points]");
    points.open = storage.get(POINTS) ?? WIDE.matches;
    points.firstElementChild.addEventListener("click", () => storage.set(POINTS, !points.open));
    this.#paint();
  }

  get payload() {
    return this.#scores;
  }

  missing() {
    const without = this.#without();
    if (!without.length) return null;
    const names = without.map((at) => {
      const { scale, candidate } = this.#places[at];
      return `${LETTERS[candidate]} ${this.#words[scale]}`;
    });
    return { text: this.#words.missing.replace("%1", names.join(", ")), at: without[0] };
  }

  focus(at, scroll = true) {
    this.#current = (at + this.#places.length) % this.#places.length;
    const { set } = this.#places[this.#current];
    set.focus({ preventScroll: true });
    if (scroll) set.closest("li").scrollIntoView({ block: "nearest" });
    this.#paint();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const digit = digitOf(event);
    if (this.#item.scale.points.includes(digit)) {
      this.#score(this.#current, digit);
      const without = this.#without();
      this.focus(without.find((at) => at > this.#current) ?? without[0] ?? this.#current);
      return true;
    }
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!step) return false;
    this.focus(this.#current + step);
    return true;
  }

  highlight(on) {
    const texts = this.#item.candidates.map(({ text }) => text);
    const split = on ? differences(texts) : texts.map((text) => [{ text, differs: false }]);
    const shown = this.#element.querySelectorAll(".text");
    split.forEach((parts, i) => shown[i].replaceChildren(...pieces(parts)));
  }

  #without() {
    return this.#places.flatMap(({ scale, candidate }, at) => (this.#scores[scale][candidate] === null ? [at] : []));
  }

  #score(at, point) {
    const { scale, candidate, set } = this.#places[at];
    this.#scores[scale][candidate] = point;
    set.querySelector(`input[value="${point}"]`).checked = true;
    this.#paint();
    answered(this.#element);
  }

  #row(text, candidate) {
    const name = this.#words.candidate.replace("%1", LETTERS[candidate]);
    const letter = make("span", { className: "letter", id: `letter-${candidate}`, ariaLabel: name }, LETTERS[candidate]);
    letter.setAttribute("role", "img");
    const lang = this.#item.target_language;
    const passage = make("p", { className: "text", id: `text-${candidate}`, dir: "auto", lang }, text);
    const own = this.#places.filter((place) => place.candidate === candidate).map(({ set }) => set);
    return make("li", {}, letter, passage, make("div", { className: "scales" }, ...own));
  }

  #place(scale, candidate, points) {
    const at = candidate * this.#item.scale.scales.length + this.#item.scale.scales.indexOf(scale);
    const legend = make("legend", { id: `legend-${at}` }, this.#words[scale]);
    const buttons = points.map((point) => this.#button(scale, candidate, point, at));
    const says = make("p", { className: "says" });
    says.setAttribute("aria-hidden", "true"); // the buttons say it
    const set = make("fieldset", { tabIndex: -1 }, legend, make("div", { className: "scale" }, ...buttons), says);
    set.setAttribute("aria-labelledby", `letter-${candidate} legend-${at} text-${candidate}`);
    set.addEventListener("focusin", () => {
      this.#current = at;
      this.#paint();
    });
    return { scale, candidate, set, says };
  }

  #button(scale, candidate, point, at) {
    const meaning = this.#words[`${scale}-${point}`];
    const input = make("input", { type: "radio", name: `place-${at}`, value: point });
    input.checked = this.#scores[scale][candidate] === point;
    input.ariaLabel = `${point}, ${meaning}`;
    input.addEventListener("change", () => this.#score(at, point));
    return make("label", { title: meaning }, input, make("span", {}, String(point)));
  }

  #paint() {
    this.#places?.forEach(({ scale, candidate, set, says }, at) => {
      const score = this.#scores[scale][candidate];
      says.textContent = score === null ? "" : this.#words[`${scale}-${score}`];
      set.classList.toggle("current", at === this.#current);
      const row = set.closest("li");
      row?.classList.toggle("current", candidate === this.#places[this.#current].candidate);
      row?.classList.toggle("ranked", Object.values(this.#scores).every((some) => some[candidate] !== null));
    });
  }
}
