// Error spans: mark words, say how bad the error is (and what kind, where the campaign asks), say
// whether something is missing; then a score from 0 to 100.
//
// Marks do not overlap: one that meets others becomes one with them. Nothing is marked beforehand.

import { answered, digitOf, make } from "./parts.js";
import { Slider } from "./slider.js";
import { showSoFar } from "./so-far.js";
import { WordRange } from "./word-range.js";

const OMISSION = "omission";
const TEXT = 0; // places to go to
const MARKS = 1;
const SCORE = 2;

export default class ErrorSpans {
  #element;
  #words;
  #text; // as code points
  #scale;
  #box;
  #cancel;
  #range;
  #slider;
  #marks; // as stored: {start, end, severity, category}; of something missing, no start and end
  #changing = null; // the mark whose words are being chosen anew
  #last = null; // the mark made last

  // `item` has one candidate, scale.severities and scale.categories, details.so_far and, after an
  // undo, given ({spans, score}).
  constructor(item, words, element) {
    this.#element = element;
    this.#words = words;
    this.#scale = item.scale;
    this.#text = [...item.candidates[0].text];
    this.#marks = (item.given?.spans ?? []).map((mark) => ({ ...mark }));
    showSoFar(element, item);
    this.#box = element.querySelector("[data-words]");
    const { text } = item.candidates[0];
    this.#range = new WordRange(this.#box, text, item.target_language, () => this.#paint());
    this.#slider = new Slider(element.querySelector("[data-slider]"), item.given?.score);
    for (const button of this.#severityButtons())
      button.addEventListener("click", () => this.#mark(button.dataset.severity));
    this.#cancel = element.querySelector("[data-cancel]");
    this.#cancel.addEventListener("click", () => this.#stop());
    element.querySelector("[data-missing]").addEventListener("click", () => this.#omission());
    this.#list();
  }

  get payload() {
    return { spans: this.#marks, score: this.#slider.value };
  }

  missing() {
    if (this.#range.place) return { text: this.#words.unfinished, at: TEXT };
    if (this.#marks.length > this.#scale.most)
      return { text: this.#words.too_many.replace("%1", this.#scale.most), at: MARKS };
    if (this.#marks.some(({ severity }) => !severity)) return { text: this.#words.no_severity, at: MARKS };
    if (this.#marks.some((mark) => !this.#hasKind(mark))) return { text: this.#words.no_category, at: MARKS };
    return this.#slider.value === null ? { text: this.#words.no_score, at: SCORE } : null;
  }

  focus(at, scroll = true) {
    if (at === SCORE) this.#slider.focus();
    else if (at === MARKS) {
      const unfinished = this.#marks.find((mark) => !mark.severity || !this.#hasKind(mark));
      const row = this.#rowOf(unfinished ?? this.#marks.at(-1));
      row.querySelector(unfinished?.severity ? "select" : "input").focus();
    } else this.#box.focus({ preventScroll: true });
    if (scroll) document.activeElement.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (this.#slider.has(target)) return false;
    const mark = this.#of(target);
    if (!mark && this.#range.key(event)) return true;
    const severity = { m: "minor", M: "major" }[key] ?? this.#scale.severities[digitOf(event) - 1];
    if (severity && mark) this.#judge(mark, severity);
    else if (severity) this.#mark(severity);
    else if (key === "Delete" || key === "Backspace") this.#remove(mark ?? this.#under());
    else if (key === "Escape") this.#backToText();
    else if (key === "c" && this.#scale.categories.length) this.#kind(mark ?? this.#under());
    else if (key === "o") this.#omission();
    else if (key === "s") this.focus(SCORE);
    else return false;
    return true;
  }

  // The mark in whose row of the list an element is.
  #of(element) {
    const row = element.closest("[data-marks] li");
    return row ? this.#marks[[...row.parentElement.children].indexOf(row)] : null;
  }

  #severityButtons() {
    return this.#element.querySelectorAll("button[data-severity]");
  }

  #hasKind({ category, start }) {
    return start === null || !this.#scale.categories.length || category !== null;
  }

  // The mark on the word under the cursor.
  #under() {
    const word = this.#range.words[this.#range.cursor];
    return word && this.#marks.find((mark) => touch(mark, word));
  }

  // Mark the chosen words, or the one under the cursor; marks they meet become part of it.
  #mark(severity) {
    const place = this.#range.place ?? this.#range.words[this.#range.cursor];
    if (!place) return;
    const others = this.#marks.filter((mark) => mark !== this.#changing);
    const met = others.filter((mark) => touch(mark, place));
    const category = (this.#changing ?? met[0])?.category ?? null;
    const start = Math.min(place.start, ...met.map((mark) => mark.start));
    const end = Math.max(place.end, ...met.map((mark) => mark.end));
    this.#marks = others.filter((mark) => !met.includes(mark));
    const mark = { start, end, severity, category };
    this.#marks.push(mark);
    this.#stop();
    this.#changed();
    this.#last = mark;
    this.#box.focus({ preventScroll: true }); // the button that was pressed is of no more use
  }

  // On to the kind of this error, or of the one marked last.
  #kind(mark) {
    const chosen = mark ?? (this.#marks.includes(this.#last) ? this.#last : null);
    if (chosen) this.#rowOf(chosen).querySelector("select")?.focus();
  }

  #backToText() {
    this.#stop();
    this.#box.focus({ preventScroll: true });
  }

  #omission() {
    this.#marks.push({ start: null, end: null, severity: null, category: OMISSION });
    this.#changed();
    this.#element.querySelector("[data-marks] li:last-child input").focus();
  }

  #remove(mark) {
    if (!mark) return;
    this.#marks = this.#marks.filter((other) => other !== mark);
    this.#stop();
    this.#changed();
    this.#box.focus({ preventScroll: true });
  }

  #change(mark) {
    this.#changing = mark;
    this.#range.choose(mark);
    this.#box.focus();
  }

  #stop() {
    this.#changing = null;
    this.#range.clear();
  }

  #changed() {
    const place = ({ start }) => start ?? Infinity;
    this.#marks.sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
    this.#list();
    answered(this.#element);
  }

  #rowOf(mark) {
    return this.#element.querySelectorAll("[data-marks] li")[this.#marks.indexOf(mark)];
  }

  #judge(mark, severity) {
    mark.severity = severity;
    this.#rowOf(mark).querySelector(`input[value="${severity}"]`).checked = true;
    this.#paint();
    answered(this.#element);
  }

  #list() {
    const rows = this.#marks.map((mark, i) => this.#row(mark, i));
    this.#element.querySelector("[data-marks]").replaceChildren(...rows);
    this.#paint();
  }

  #row(mark, i) {
    const missing = mark.start === null;
    const words = missing ? this.#words.omission : this.#text.slice(mark.start, mark.end).join("");
    const quote = make("span", { className: missing ? "omitted" : "quote", dir: "auto" }, words);
    const scale = make("span", { className: "severities" }, ...this.#severities(mark, i));
    scale.setAttribute("role", "radiogroup");
    scale.ariaLabel = words;
    const remove = make("button", { type: "button", className: "plain" }, this.#words.remove);
    remove.addEventListener("click", () => this.#remove(mark));
    const row = make("li", {}, quote, scale);
    if (!missing && this.#scale.categories.length) row.append(this.#categories(mark));
    if (!missing) {
      const change = make("button", { type: "button", className: "plain" }, this.#words.change);
      change.addEventListener("click", () => this.#change(mark));
      row.append(change);
    }
    row.append(remove);
    return row;
  }

  #severities(mark, i) {
    return this.#scale.severities.map((severity) => {
      const input = make("input", { type: "radio", name: `severity-${i}`, value: severity });
      input.checked = mark.severity === severity;
      input.addEventListener("change", () => this.#judge(mark, severity));
      return make("label", { className: severity }, input, make("span", {}, this.#words[severity]));
    });
  }

  #categories(mark) {
    const option = (value, text) => make("option", { value }, text);
    const known = this.#scale.categories.map((name) => option(name, this.#words[`category-${name}`]));
    const select = make("select", { ariaLabel: this.#words.kind }, option("", this.#words.kind), ...known);
    select.value = mark.category ?? "";
    select.addEventListener("change", () => {
      mark.category = select.value || null;
      answered(this.#element);
    });
    return select;
  }

  #paint() {
    const range = this.#range;
    const marks = range.words.map((word) => this.#marks.find((mark) => touch(mark, word)));
    range.elements.forEach((element, i) => {
      const mark = marks[i];
      const chosen = range.first !== null && i >= range.first && i <= range.last;
      paint(element, mark, chosen);
      paint(range.gaps[i], mark === marks[i - 1] ? mark : null, chosen && i > range.first);
      element.classList.toggle("cursor", i === range.cursor);
      element.ariaSelected = String(chosen || Boolean(mark));
      element.ariaDescription = mark?.severity ? this.#words[mark.severity] : "";
    });
    if (range.elements.length) this.#box.setAttribute("aria-activedescendant", `word-${range.cursor}`);
    for (const button of this.#severityButtons()) button.disabled = !range.place;
    this.#cancel.hidden = !range.place;
  }
}

function paint(element, mark, chosen) {
  for (const severity of ["minor", "major"])
    element.classList.toggle(severity, mark?.severity === severity);
  element.classList.toggle("chosen", chosen);
}

// What is missing is nowhere and so touches nothing.
function touch(a, b) {
  return a.start !== null && a.start < b.end && b.start < a.end;
}
