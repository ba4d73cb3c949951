// Choosing words of a text: by dragging with a mouse, tapping the first and the last word, or with
// the arrow keys and Shift.
//
// Words are what Intl.Segmenter takes for words, so that a text without spaces has them too; a
// punctuation mark is one of its own, and white space is none. Positions outside are characters
// as people count them in Python: code points, not the UTF-16 units of JavaScript.

import { make } from "./parts.js";

// {start, end, text} of every word of `text`; the rest is between them.
export function wordsOf(text, lang) {
  const found = [];
  let at = 0; // in code points
  for (const { segment } of segmenterFor(lang).segment(text)) {
    const length = [...segment].length;
    if (segment.trim()) found.push({ start: at, end: at + length, text: segment });
    at += length;
  }
  return found;
}

function segmenterFor(lang) {
  const granularity = { granularity: "word" };
  try {
    return new Intl.Segmenter(lang || undefined, granularity);
  } catch {
    return new Intl.Segmenter(undefined, granularity); // of a language with a name of its own
  }
}

export class WordRange {
  words;
  elements = []; // of the words
  gaps = []; // before each of them: white space
  first = null; // of the chosen words; null: none are
  last = null;
  cursor = 0;
  #element;
  #changed;
  #anchor = null; // where the choice began
  #open = false; // the next tap is the last word
  #pressed = null; // the word under the mouse when its button went down
  #dragged = false;

  // Fills `element` with the words of `text`; calls `changed()` whenever the choice changes.
  constructor(element, text, lang, changed) {
    this.#element = element;
    this.#changed = changed;
    this.words = wordsOf(text, lang);
    this.#fill(text);
    element.lang = lang;
    element.addEventListener("pointerdown", (event) => this.#press(event));
    element.addEventListener("pointermove", (event) => this.#drag(event));
    element.addEventListener("click", (event) => this.#tap(event));
  }

  // Where the chosen words are: {start, end} in code points; null: none are chosen.
  get place() {
    if (this.first === null) return null;
    return { start: this.words[this.first].start, end: this.words[this.last].end };
  }

  // Choose the words that lie in {start, end}.
  choose({ start, end }) {
    const inside = this.words.flatMap((word, i) => (word.start < end && word.end > start ? [i] : []));
    this.#anchor = inside[0];
    this.#open = false;
    this.#to(inside.at(-1));
  }

  clear() {
    this.first = this.last = this.#anchor = null;
    this.#open = false;
    this.#changed();
  }

  // Does this key mean something here?
  key({ key, shiftKey }) {
    const forward = getComputedStyle(this.#element).direction === "rtl" ? -1 : 1;
    const step = { ArrowRight: forward, ArrowLeft: -forward }[key];
    const ends = { Home: 0, End: this.words.length - 1 };
    if ((!step && !(key in ends)) || !this.words.length) return false;
    const to = Math.min(this.words.length - 1, Math.max(0, ends[key] ?? this.cursor + step));
    if (!shiftKey) {
      this.cursor = to;
      this.clear();
      return true;
    }
    // Shift chooses the word under the cursor first, and then goes on from it.
    if (this.#anchor === null) {
      this.#anchor = this.cursor;
      this.#to(key in ends ? to : this.cursor);
    } else this.#to(to);
    return true;
  }

  #fill(text) {
    const characters = [...text];
    let at = 0;
    for (const [i, { start, end, text: word }] of this.words.entries()) {
      const element = make("span", { className: "word", id: `word-${i}` }, word);
      element.setAttribute("role", "option");
      element.dataset.index = i;
      const gap = make("span", { className: "gap" }, characters.slice(at, start).join(""));
      this.#element.append(gap, element);
      this.elements.push(element);
      this.gaps.push(gap);
      at = end;
    }
    this.#element.append(characters.slice(at).join(""));
  }

  #at(event) {
    const word = document.elementFromPoint(event.clientX, event.clientY)?.closest(".word");
    return word && this.#element.contains(word) ? Number(word.dataset.index) : null;
  }

  #to(word) {
    this.cursor = word;
    this.first = Math.min(this.#anchor, word);
    this.last = Math.max(this.#anchor, word);
    this.#changed();
  }

  #press(event) {
    this.#pressed = null;
    this.#dragged = false;
    if (event.pointerType === "touch" || event.button) return; // a finger scrolls
    const word = this.#at(event);
    if (word === null) return;
    event.preventDefault(); // no selection of the browser's
    this.#element.focus({ preventScroll: true });
    this.#element.setPointerCapture(event.pointerId);
    this.#pressed = word;
  }

  #drag(event) {
    if (this.#pressed === null || !this.#element.hasPointerCapture(event.pointerId)) return;
    const word = this.#at(event);
    if (word === null || (word === this.#pressed && !this.#dragged)) return;
    this.#dragged = true;
    this.#open = false;
    this.#anchor = this.#pressed;
    this.#to(word);
  }

  // A click or tap: the first word, then the last; with Shift the last. A drag has done it all.
  #tap(event) {
    const word = this.#at(event);
    if (this.#dragged || word === null) return;
    const goesOn = this.#open || (event.shiftKey && this.#anchor !== null);
    if (!goesOn) this.#anchor = word;
    this.#open = !goesOn;
    this.#to(word);
  }
}
