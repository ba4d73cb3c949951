// Keys that act wherever the focus is. Those of one letter or digit can be switched off (WCAG 2.1.4):
// who speaks to the computer, or slips, would set off many of them.

import { storage } from "./storage.js";

const SHORTCUTS = "adjudge.shortcuts";

export class Shortcuts {
  #box;

  constructor(box) {
    this.#box = box;
    box.checked = storage.get(SHORTCUTS) ?? true;
    box.addEventListener("change", () => {
      storage.set(SHORTCUTS, box.checked);
      this.#paint();
    });
    this.#paint();
  }

  allow({ key }) {
    return this.#box.checked || [...key].length > 1;
  }

  #paint() {
    document.documentElement.dataset.shortcuts = this.#box.checked ? "on" : "off";
  }
}
