// What differs between the candidates. A word of one candidate is in another if both stand in a
// longest common subsequence of the two, so that a word that moved shows too. Words are
// compared as they are written.

const WORDS = /\p{L}[\p{L}\p{M}\p{N}'’-]*|\p{N}+(?:[.,]\p{N}+)*|[^\s\p{L}\p{N}]/gu;
// Scripts without spaces are compared character by character.
const CHARACTERS = /\S/gu;
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function tokens(text) {
  const pattern = NO_SPACES.test(text) ? CHARACTERS : WORDS;
  return [...text.matchAll(pattern)].map((match) => ({ word: match[0], at: match.index }));
}

// Which words of `a` stand in a longest common subsequence of a and b.
function shared(a, b) {
  const length = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      length[i][j] =
        a[i] === b[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
  const kept = new Array(a.length).fill(false);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      kept[i] = true;
      i++;
      j++;
    } else if (length[i + 1][j] >= length[i][j + 1]) i++;
    else j++;
  }
  return kept;
}

// For every text, its pieces in order: {text, differs}, where `differs` is true for what more than
// half of the other candidates lack. What most of them have is not marked: a mark on it would say
// nothing about the candidate it stands in.
export function differences(texts) {
  const split = texts.map(tokens);
  const words = split.map((list) => list.map(({ word }) => word));
  return texts.map((text, k) => {
    const lacking = words[k].map(() => 0);
    words.forEach((other, l) => {
      if (l !== k) shared(words[k], other).forEach((kept, i) => (lacking[i] += kept ? 0 : 1));
    });
    const half = (texts.length - 1) / 2;
    return pieces(text, split[k], lacking.map((number) => number > half));
  });
}

function pieces(text, split, differs) {
  const found = [];
  let at = 0;
  const add = (piece, marked) => {
    if (!piece) return;
    const last = found.at(-1);
    if (last?.differs === marked) last.text += piece;
    else found.push({ text: piece, differs: marked });
  };
  split.forEach(({ word, at: start }, i) => {
    // The gap between two words marked alike is marked with them.
    add(text.slice(at, start), i > 0 && differs[i - 1] && differs[i]);
    add(word, differs[i]);
    at = start + word.length;
  });
  add(text.slice(at), false);
  return found;
}
