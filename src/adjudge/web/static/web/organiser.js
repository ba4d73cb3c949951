// The page that creates a campaign: the texts come in one of three ways, a preset fills in its
// values, several protocols ask for the screens of each one's batch, and a preview is taken away
// as soon as it no longer shows what would be created.

const form = document.querySelector("[data-create]");
const presets = JSON.parse(document.getElementById("presets").textContent);

const words = (text) => (text ?? "").split(" ");

// Only the fields of the chosen way are shown and sent.
function showWay() {
  const way = form.querySelector("[name=texts_from]:checked").value;
  for (const field of form.querySelectorAll("[data-ways]")) {
    field.hidden = !words(field.dataset.ways).includes(way);
    for (const input of field.querySelectorAll("input")) input.disabled = field.hidden;
  }
  for (const mark of form.querySelectorAll("[data-needed]"))
    mark.hidden = !words(mark.dataset.needed).includes(way);
}

function showScreens() {
  const several = form.querySelectorAll("[name=protocol]:checked").length > 1;
  for (const row of form.querySelectorAll(".protocol"))
    row.querySelector(".screens").hidden = !several || !row.querySelector("[name=protocol]").checked;
}

showWay(); // a browser that goes back keeps what was chosen
showScreens();

form.addEventListener("input", ({ target }) => {
  document.getElementById("checked").replaceChildren();
  if (target.name === "texts_from") showWay();
  if (target.name === "protocol") showScreens();
  if (target.name !== "preset") return;
  for (const [name, value] of Object.entries(presets[target.value])) form.elements[name].value = value;
});

// What is wrong is not left out of sight: the first of it gets the focus, else the preview.
form.addEventListener("htmx:afterSettle", () => {
  const wrong = [...form.querySelectorAll(".field .error")].filter((error) => error.textContent);
  for (const field of form.querySelectorAll(".field")) {
    const error = wrong.find((said) => field.contains(said));
    field.classList.toggle("wrong", Boolean(error));
    for (const input of field.querySelectorAll("input, select, textarea")) {
      input.toggleAttribute("aria-invalid", Boolean(error));
      if (error) input.setAttribute("aria-errormessage", error.id);
    }
  }
  for (const error of wrong) error.closest("details")?.setAttribute("open", "");
  const field = wrong[0]?.closest(".field");
  const place = field?.querySelector("input, select, textarea") ?? form.querySelector("[data-preview] h2");
  place?.focus({ preventScroll: true });
  (field ?? place)?.scrollIntoView({ block: "start" });
});
