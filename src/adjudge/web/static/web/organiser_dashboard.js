// The dashboard renews its parts; a table that was scrolled sideways stays where it was.

const scrolled = new Map();

document.addEventListener("scroll", ({ target }) => scrolled.set(target.id, target.scrollLeft), {
  capture: true,
  passive: true,
});

function restore() {
  for (const [id, left] of scrolled) document.getElementById(id)?.scrollTo({ left });
}
document.addEventListener("htmx:afterSwap", restore);
document.addEventListener("htmx:oobAfterSwap", restore);
