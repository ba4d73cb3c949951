// Short segments: the candidates of every phrase of a sentence are put into ranks or into garbage,
// ties allowed, nothing placed beforehand.
//
// Three ways to place a candidate: drag it; choose it (a tap, up and down, j and k) and press a
// digit, or g for garbage; or choose it and tap the rank. Left and right move it one rank up or
// down, Backspace takes it out again. Placed by key or tap, the next candidate has its turn.

import { draggable } from "./dragging.js";
import { answered, digitOf, make, phraseIn } from "./parts.js";

export default class Segments {
  #item;
  #element;
  #words;
  #phrases; // {candidates: their indices, garbage: the rank after the last, holds: rank -> element}
  #ranks; // of each candidate; null: not placed
  #chips;
  #current = 0;

  // `item` has parts ({text, words}), candidates ({text, part}) and, after an undo, given.ranks.
  constructor(item, words, element) {
    this.#item = item;
    this.#element = element;
    this.#words = words;
    this.#ranks = item.given?.ranks.flat() ?? item.candidates.map(() => null);
    this.#chips = item.candidates.map(({ text }, i) => this.#chip(text, i));
    const indices = item.candidates.map((_, i) => i);
    this.#phrases = item.parts.map((_, part) => {
      const candidates = indices.filter((i) => item.candidates[i].part === part);
      return { candidates, garbage: candidates.length + 1, holds: new Map() };
    });
    const sections = this.#phrases.map((phrase, number) => this.#section(phrase, number));
    element.querySelector("[data-phrases]").append(...sections);
    this.#phrases.forEach(({ candidates }, number) =>
      candidates.forEach((i) => draggable(this.#chips[i], sections[number], (place) => this.#drop(i, place))),
    );
    indices.forEach((i) => this.#put(i));
    this.#paint();
  }

  get payload() {
    return { ranks: this.#phrases.map(({ candidates }) => candidates.map((i) => this.#ranks[i])) };
  }

  missing() {
    const at = this.#ranks.indexOf(null);
    if (at < 0) return null;
    const left = this.#phrases.flatMap((phrase, number) => (this.#left(phrase) ? [number + 1] : []));
    return { text: this.#words.not_placed.replace("%1", left.join(", ")), at };
  }

  focus(i, scroll = true) {
    this.#current = i;
    this.#chips[i].focus({ preventScroll: true });
    if (scroll) this.#chips[i].scrollIntoView({ block: "nearest" });
    this.#paint();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const { garbage } = this.#phraseOf(this.#current);
    const letter = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace("Key", "").toLowerCase();
    const digit = digitOf(event);
    const rank = letter === "g" ? garbage : digit === 0 ? 10 : digit;
    if (letter === "g" || (rank && rank < garbage)) {
      this.#place(this.#current, rank);
      this.#goOn();
      return true;
    }
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key] ?? { j: 1, k: -1 }[letter];
    if (step) {
      const seen = [...this.#element.querySelectorAll(".chip")];
      const at = seen.indexOf(this.#chips[this.#current]) + step;
      this.focus(this.#chips.indexOf(seen[(at + seen.length) % seen.length]));
      return true;
    }
    if (event.key === "Backspace" || event.key === "Delete") {
      this.#place(this.#current, null);
      this.focus(this.#current);
      return true;
    }
    const better = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!better) return false;
    const now = this.#ranks[this.#current] ?? (better > 0 ? 0 : garbage + 1);
    this.#place(this.#current, Math.min(Math.max(now + better, 1), garbage));
    this.focus(this.#current);
    return true;
  }

  #phraseOf(i) {
    return this.#phrases[this.#item.candidates[i].part];
  }

  #left({ candidates }) {
    return candidates.filter((i) => this.#ranks[i] === null).length;
  }

  #drop(i, place) {
    this.#place(i, place.dataset.drop === "" ? null : Number(place.dataset.drop));
    this.focus(i, false);
  }

  // A tap on a rank: the chosen candidate goes there; if it is another phrase's, choose first.
  #tap(phrase, rank) {
    if (this.#phraseOf(this.#current) !== phrase) {
      this.focus(phrase.candidates.find((i) => this.#ranks[i] === null) ?? phrase.candidates[0], false);
      return;
    }
    this.#place(this.#current, rank);
    this.#goOn();
  }

  #place(i, rank) {
    this.#ranks[i] = rank;
    this.#put(i);
    this.#paint();
    const where = rank === null ? this.#words.tray : this.#name(this.#phraseOf(i), rank);
    this.#element.querySelector("[data-said]").textContent = `${this.#item.candidates[i].text}: ${where}`;
    answered(this.#element);
  }

  // The next candidate that is not placed yet, of this phrase before others.
  #goOn() {
    const free = (some) => some.find((i) => this.#ranks[i] === null);
    const all = this.#ranks.map((_, i) => i);
    const next = free(this.#phraseOf(this.#current).candidates) ?? free(all.slice(this.#current)) ?? free(all);
    this.focus(next ?? this.#current);
  }

  // Where its rank is; candidates keep the order in which they were shown.
  #put(i) {
    const { holds } = this.#phraseOf(i);
    const place = holds.get(this.#ranks[i]);
    const after = [...place.children].find((chip) => this.#chips.indexOf(chip) > i);
    place.insertBefore(this.#chips[i], after ?? null);
  }

  #name({ garbage }, rank) {
    if (rank === garbage) return this.#words.garbage;
    const ends = [rank === 1 && this.#words.best, rank > 1 && rank === garbage - 1 && this.#words.worst];
    return [this.#words.rank.replace("%1", rank), ...ends].filter(Boolean).join(", ");
  }

  #chip(text, i) {
    const chip = make("div", { className: "chip", dir: "auto", lang: this.#item.target_language }, text);
    chip.setAttribute("role", "option");
    for (const kind of ["pointerdown", "click"]) chip.addEventListener(kind, () => this.focus(i, false));
    chip.addEventListener("focus", () => {
      this.#current = i;
      this.#paint();
    });
    return chip;
  }

  #section(phrase, number) {
    const { text, words } = this.#item.parts[number];
    const title = this.#words.phrase.replace("%1", number + 1);
    const heading = make("h3", {}, title, make("span", { className: "soft", ariaHidden: "true" }));
    const lang = this.#item.source_language;
    const source = make("p", { className: "passage", dir: "auto", lang }, ...phraseIn(this.#item.source, words));
    const tray = make("div", { className: "tray" }, this.#hold(phrase, null, this.#words.tray));
    tray.dataset.drop = "";
    const ranks = Array.from({ length: phrase.garbage }, (_, i) => this.#rank(phrase, i + 1));
    const sorting = make("div", { className: "sorting" }, tray, make("div", { className: "ranks" }, ...ranks));
    const section = make("section", { className: "card phrase-card", ariaLabel: `${title}: ${text}` });
    section.append(heading, source, sorting);
    return section;
  }

  #rank(phrase, rank) {
    const name = this.#name(phrase, rank);
    const garbage = rank === phrase.garbage;
    const shown = garbage ? this.#words.garbage : String(rank);
    const end = garbage ? this.#words.unusable : name.split(", ")[1];
    const button = make("button", { type: "button", tabIndex: -1 }, shown);
    if (end) button.append(" ", make("small", {}, end));
    const row = make("div", { className: garbage ? "rank garbage" : "rank" }, button, this.#hold(phrase, rank, name));
    row.dataset.drop = rank;
    row.addEventListener("click", (event) => {
      if (!event.target.closest(".chip")) this.#tap(phrase, rank);
    });
    return row;
  }

  // What holds the candidates of a rank, or those without one.
  #hold(phrase, rank, name) {
    const hold = make("div", { className: "hold", ariaLabel: name });
    hold.setAttribute("role", "listbox");
    phrase.holds.set(rank, hold);
    return hold;
  }

  #paint() {
    this.#chips.forEach((chip, i) => {
      chip.classList.toggle("chosen", i === this.#current);
      chip.ariaSelected = String(i === this.#current);
    });
    this.#element.querySelectorAll(".phrase-card").forEach((section, number) => {
      const phrase = this.#phrases[number];
      const left = this.#left(phrase);
      section.classList.toggle("placed", !left);
      section.querySelector("h3 span").textContent = left ? this.#words.left_to_place.replace("%1", left) : "✓";
      // One stop for the Tab key in each phrase.
      const stop = this.#phraseOf(this.#current) === phrase ? this.#current : phrase.candidates[0];
      phrase.candidates.forEach((i) => (this.#chips[i].tabIndex = i === stop ? 0 : -1));
    });
  }
}
