// Constituent ranking: the ranking screen, with every output's phrase highlighted in its sentence.

import { make } from "./parts.js";
import Ranking from "./ranking.js";

const PIECE = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu;
// What tokenisers write instead of typographic punctuation.
const plain = (text) => text.replace(/[“”„«»]/g, '"').replace(/[’‘`´]/g, "'").replace(/[–—]/g, "-");

const phrase = (text) => make("mark", { className: "phrase" }, text);

export default class Constituent extends Ranking {
  passage(candidate) {
    return highlighted(candidate);
  }
}

// The sentence with the phrase marked from its first character on; words that the alignment left
// out stay as they are. Where the sentence is not known, the phrase alone.
function highlighted({ text, sentence, start }) {
  const wanted = plain(text).match(PIECE) ?? [];
  const first = [...sentence].slice(0, start ?? 0).join("").length; // the server counts characters
  const nodes = [];
  let end = 0;
  for (const piece of plain(sentence).matchAll(PIECE)) {
    if (piece.index < first || piece[0] !== wanted[0]) continue;
    wanted.shift();
    const between = sentence.slice(end, piece.index);
    const marked = sentence.slice(piece.index, piece.index + piece[0].length);
    if (nodes.length && !between.trim()) nodes.at(-1).append(between, marked);
    else nodes.push(between, phrase(marked));
    end = piece.index + piece[0].length;
  }
  return wanted.length ? ["… ", phrase(text), " …"] : [...nodes, sentence.slice(end)];
}
