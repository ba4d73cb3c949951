// What a judge has to say besides answers: a comment on an item, or a word to the organisers.

export class Remarks {
  #dialog;
  #box;
  #about = null; // the item; null: to the organisers

  // `send({text, about})` keeps a remark until the server has it.
  constructor(dialog, send) {
    this.#dialog = dialog;
    this.#box = dialog.querySelector("textarea");
    dialog.addEventListener("close", () => {
      const text = this.#box.value.trim();
      if (dialog.returnValue === "send" && text) send({ text, about: this.#about });
    });
  }

  about(item) {
    this.#open(item);
  }

  toOrganisers() {
    this.#open(null);
  }

  #open(about) {
    this.#about = about;
    this.#dialog.querySelector("[data-on-item]").hidden = about === null;
    this.#dialog.querySelector("[data-to-organisers]").hidden = about !== null;
    this.#box.value = "";
    this.#dialog.returnValue = "";
    this.#dialog.showModal();
    this.#box.focus();
  }
}
