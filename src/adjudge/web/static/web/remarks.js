// What a judge has to say besides answers: a comment on an item, or a word to the organisers.
//
// What is being written is a draft until it is sent or the dialog is closed.

export class Remarks {
  #dialog;
  #box;
  #drafts;
  #about = null; // the item; null: to the organisers

  // `send({text, about})` keeps a remark until the server has it.
  constructor(dialog, drafts, send) {
    this.#dialog = dialog;
    this.#drafts = drafts;
    this.#box = dialog.querySelector("textarea");
    this.#box.addEventListener("input", () => drafts.keepComment(this.#about, this.#box.value));
    dialog.addEventListener("close", () => {
      const text = this.#box.value.trim();
      if (dialog.returnValue === "send" && text) send({ text, about: this.#about });
      drafts.keepComment(this.#about, "");
    });
  }

  // Is something being written?
  get begun() {
    return this.#dialog.open && Boolean(this.#box.value.trim());
  }

  about(item) {
    this.#open(item);
  }

  toOrganisers() {
    this.#open(null);
  }

  // Goes on with what a reload interrupted.
  resume(about) {
    if (!this.#dialog.open && this.#drafts.comment(about)) this.#open(about);
  }

  #open(about) {
    this.#about = about;
    this.#dialog.querySelector("[data-on-item]").hidden = about === null;
    this.#dialog.querySelector("[data-to-organisers]").hidden = about !== null;
    this.#box.value = this.#drafts.comment(about);
    this.#dialog.returnValue = "";
    this.#dialog.showModal();
    this.#box.focus();
  }
}
