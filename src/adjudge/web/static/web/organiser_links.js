// The page of links: buttons that copy one, all of them, or the text of the mail.

const copied = document.querySelector("[data-copied]");

// Browsers give pages that come without TLS no clipboard; there the old way still works.
function copyTheOldWay(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyTheOldWay(text);
  }
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy], [data-copy-field]");
  if (!button) return;
  const text = button.dataset.copy ?? document.getElementById(button.dataset.copyField).value;
  copied.hidden = !(await copy(text));
  button.focus();
});
