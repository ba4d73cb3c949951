// The page that creates a campaign: a preset fills in its values, several protocols ask for the
// screens of each one's batch, and a preview is taken away as soon as it no longer shows what
// would be created.

const form = document.querySelector("[data-create]");
const presets = JSON.parse(document.getElementById("presets").textContent);

function showScreens() {
  const several = form.querySelectorAll("[name=protocol]:checked").length > 1;
  for (const row of form.querySelectorAll(".protocol"))
    row.querySelector(".screens").hidden = !several || !row.querySelector("[name=protocol]").checked;
}
showScreens(); // a browser that goes back keeps what was chosen

form.addEventListener("input", ({ target }) => {
  document.getElementById("checked").replaceChildren();
  if (target.name === "protocol") showScreens();
  if (target.name !== "preset") return;
  for (const [name, value] of Object.entries(presets[target.value])) form.elements[name].value = value;
});

// What is wrong is not left out of sight.
form.addEventListener("htmx:afterSettle", () => {
  const wrong = [...form.querySelectorAll(".field .error")].filter((error) => error.textContent);
  for (const field of form.querySelectorAll(".field"))
    field.classList.toggle("wrong", wrong.some((error) => field.contains(error)));
  for (const error of wrong) error.closest("details")?.setAttribute("open", "");
  (wrong[0]?.parentElement ?? form.querySelector("[data-preview]"))?.scrollIntoView({ block: "start" });
});
