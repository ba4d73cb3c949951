// A box to write a sentence in: as high as its text, its spaces as the server keeps them.

export class TextBox {
  onchange = () => {};
  #box;

  constructor(box, language) {
    this.#box = box;
    box.lang = language;
    box.addEventListener("input", () => {
      this.fit();
      this.onchange();
    });
    new ResizeObserver(() => this.fit()).observe(box.parentElement);
  }

  get text() {
    return this.#box.value.trim().split(/\s+/).join(" ");
  }

  set disabled(disabled) {
    this.#box.disabled = disabled;
  }

  write(text) {
    this.#box.value = text;
    this.fit();
    this.onchange();
  }

  // A tap should not bring up a keyboard nobody asked for.
  focus(scroll = true) {
    if (!matchMedia("(pointer: coarse)").matches) {
      this.#box.focus({ preventScroll: true });
      this.#box.setSelectionRange(0, 0);
    }
    if (scroll) this.#box.scrollIntoView({ block: "nearest" });
  }

  fit() {
    this.#box.style.height = "auto";
    this.#box.style.height = `${this.#box.scrollHeight + 2}px`;
  }
}
