// Practice: every answer is compared with ours, which is then shown, before the next item comes.
//
// How far the judge is, as the server signed it, is kept in the browser: a reload goes on there.
// Nothing waits to be sent: without a network the judge is told to try again.

import { storage } from "./storage.js";

export class Practice {
  #state;
  #send;
  #name;
  #at; // {done, practised}
  #sending = false;

  // `send({url, body})` as the page has it.
  constructor(state, send) {
    this.#state = state;
    this.#send = send;
    this.#name = `adjudge.practice.${state.judge}`;
    const kept = storage.get(this.#name);
    this.#at = kept?.done < state.items.length ? kept : { done: 0, practised: state.practice.practised };
  }

  get done() {
    return this.#at.done;
  }

  // What the server makes of an answer: {agrees, ours, feedback}, or {message} for why it cannot
  // say; null while it is being asked.
  async compare(answer) {
    if (this.#sending) return null;
    this.#sending = true;
    const body = { practised: this.#at.practised, answer };
    const reply = await this.#send({ url: this.#state.urls.practice, body }).catch(() => null);
    this.#sending = false;
    if (reply?.status === 400) storage.remove(this.#name); // a reload begins anew
    if (reply?.status !== 200) return { message: reply?.body.message ?? this.#state.words.practice_waits };
    this.#at = { done: this.#at.done + 1, practised: reply.body.practised };
    storage.set(this.#name, this.#at);
    return reply.body;
  }

  end() {
    storage.remove(this.#name);
    window.location.replace(this.#state.practice.next);
  }
}
