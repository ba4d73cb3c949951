// The source of an item, with its context and its reference, in the panel above the answer.
//
// On a phone the panel stays in sight, and its context can be folded away.

import { phraseIn } from "./screens/parts.js";
import { storage } from "./storage.js";

const FOLDED = "adjudge.folded";
const PASSAGES = ["before", "source", "after", "reference"];

export class Texts {
  #panel;
  #fold;

  constructor(panel) {
    this.#panel = panel;
    this.#fold = panel.querySelector("[data-fold]");
    this.#paint(storage.get(FOLDED) ?? false);
    this.#fold.addEventListener("click", () => {
      const folded = !panel.classList.contains("folded");
      storage.set(FOLDED, folded);
      this.#paint(folded);
    });
  }

  show(item) {
    for (const name of PASSAGES) {
      const passage = this.#panel.querySelector(`[data-${name}]`);
      passage.textContent = item[name] ?? "";
      passage.lang = name === "reference" ? item.target_language : item.source_language;
      this.#panel.querySelector(`[data-passage="${name}"]`).hidden = !item[name];
    }
    if (item.source && item.parts.length === 1)
      this.#panel.querySelector("[data-source]").replaceChildren(...phraseIn(item.source, item.parts[0].words));
    this.#panel.hidden = !item.source && !item.reference;
    this.#fold.hidden = !item.before && !item.after && !item.reference;
  }

  // Where the judge begins to read: screen readers say the source then. False: nothing is shown.
  focus() {
    this.#panel.focus({ preventScroll: true });
    return !this.#panel.hidden;
  }

  #paint(folded) {
    this.#panel.classList.toggle("folded", folded);
    this.#fold.ariaExpanded = String(!folded);
  }
}
