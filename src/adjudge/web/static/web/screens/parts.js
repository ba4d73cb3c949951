// What the screens of several protocols are made of.

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export function make(kind, properties, ...children) {
  const element = Object.assign(document.createElement(kind), properties);
  element.append(...children);
  return element;
}

// The digit of a key, also where the layout has letters on the digit row (Czech, French).
export function digitOf({ key, code, shiftKey }) {
  if (/^[0-9]$/.test(key)) return Number(key);
  const row = /^Digit([0-9])$/.exec(code);
  return row && !shiftKey ? Number(row[1]) : null;
}

// Tells the page that the answer changed.
export function answered(element) {
  element.dispatchEvent(new CustomEvent("answer", { bubbles: true }));
}

// What `differences` found, as nodes.
export function pieces(split) {
  return split.map(({ text, differs }) =>
    differs ? make("mark", {}, text) : text,
  );
}

// A source sentence as nodes, these of its words marked as a phrase.
export function phraseIn(source, words) {
  const chosen = new Set(words);
  const nodes = [];
  source.split(" ").forEach((word, i) => {
    const space = i ? " " : "";
    if (!chosen.has(i)) nodes.push(space + word);
    else if (chosen.has(i - 1)) nodes.at(-1).append(space + word);
    else nodes.push(space, make("mark", { className: "phrase" }, word));
  });
  return nodes;
}
