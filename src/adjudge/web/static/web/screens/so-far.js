// The document so far: the segments before this one with the same system's translations.
//
// Its fixed parts are templates/web/judging/parts/so_far.html.

import { make } from "./parts.js";

// `item` has details.so_far ([{source, text}]).
export function showSoFar(element, item) {
  const before = item.details.so_far;
  element.querySelector("[data-so-far]").hidden = !before.length;
  const pairs = element.querySelector("[data-pairs]");
  pairs.append(
    ...before.map(({ source, text }) =>
      make(
        "li",
        {},
        make("p", { dir: "auto", lang: item.source_language }, source),
        make("p", { dir: "auto", lang: item.target_language }, text),
      ),
    ),
  );
  // What came right before matters most; there is no height yet to scroll by.
  requestAnimationFrame(() => (pairs.scrollTop = pairs.scrollHeight));
}
