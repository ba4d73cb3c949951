// The page of links: buttons that copy one, all of them, or the text of the mail.

const copied = document.querySelector("[data-copied]");

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy], [data-copy-field]");
  if (!button) return;
  const text = button.dataset.copy ?? document.getElementById(button.dataset.copyField).value;
  await navigator.clipboard.writeText(text);
  copied.hidden = false;
  button.focus();
});
