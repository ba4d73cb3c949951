// Dragging with mouse, pen or finger. A piece is dropped on one of the places of its field: the
// elements with `data-drop`. Near the upper or lower end of the window the page moves along.
// Escape takes the piece back.

const FAR = 6; // pixels before a press becomes a drag
const EDGE = 70; // pixels from an end of the window
const STEP = 12; // pixels a frame

// `dropped(place)` is called once the piece is let go over a place. The piece should have the
// style `touch-action: none`, else a finger moves the page instead.
export function draggable(piece, field, dropped) {
  piece.addEventListener("pointerdown", (press) => {
    if (press.isPrimary && press.button === 0) follow(piece, field, press, dropped);
  });
}

function follow(piece, field, press, dropped) {
  const listening = new AbortController();
  const { signal } = listening;
  const from = { x: press.clientX + window.scrollX, y: press.clientY + window.scrollY };
  let at = press;
  let dragging = false;
  let over = null;

  function move(event) {
    at = event;
    if (!dragging && Math.hypot(at.clientX - press.clientX, at.clientY - press.clientY) < FAR) return;
    if (!dragging) begin();
    paint();
  }

  function begin() {
    dragging = true;
    piece.setPointerCapture(press.pointerId);
    piece.classList.add("dragged");
    requestAnimationFrame(scroll);
  }

  function paint() {
    const x = at.clientX + window.scrollX - from.x;
    const y = at.clientY + window.scrollY - from.y;
    piece.style.transform = `translate(${x}px, ${y}px)`;
    const place = document.elementFromPoint(at.clientX, at.clientY)?.closest("[data-drop]");
    mark(place && field.contains(place) ? place : null);
  }

  function mark(place) {
    over?.classList.remove("over");
    place?.classList.add("over");
    over = place;
  }

  function scroll() {
    if (!dragging) return;
    const bottom = document.querySelector("[data-actions]")?.getBoundingClientRect().top ?? window.innerHeight;
    const step = at.clientY < EDGE ? -STEP : at.clientY > Math.min(bottom, window.innerHeight) - EDGE ? STEP : 0;
    const before = window.scrollY;
    if (step) window.scrollBy(0, step);
    if (window.scrollY !== before) paint();
    requestAnimationFrame(scroll);
  }

  function end(place) {
    listening.abort();
    if (!dragging) return;
    dragging = false;
    mark(null);
    piece.classList.remove("dragged");
    piece.style.transform = "";
    // The press ends in a click, which is not meant.
    const unmeant = (event) => event.stopPropagation();
    piece.addEventListener("click", unmeant, { capture: true, once: true });
    setTimeout(() => piece.removeEventListener("click", unmeant, { capture: true }));
    if (place) dropped(place);
  }

  document.addEventListener("pointermove", (event) => event.pointerId === press.pointerId && move(event), { signal });
  document.addEventListener("pointerup", (event) => event.pointerId === press.pointerId && end(over), { signal });
  document.addEventListener("pointercancel", () => end(null), { signal });
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(null), { signal });
}
