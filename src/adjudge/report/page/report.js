"use strict";
// Sorts tables, saves them, turns the colours around, opens everything before printing.

const collator = new Intl.Collator("en", { numeric: true });

function compare(a, b) {
  if (a.by !== null && b.by !== null) return a.by - b.by;
  return collator.compare(a.text, b.text);
}

function sortable(table) {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 2) return;
  const original = [...body.rows];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const next = { ascending: "descending", descending: null }[heading.ariaSort];
      const order = next === undefined ? "ascending" : next;
      headings.forEach((one) => one.removeAttribute("aria-sort"));
      table.toggleAttribute("data-sorted", order !== null);
      if (order === null) {
        body.append(...original);
      } else {
        heading.ariaSort = order;
        body.append(...sorted(original, column, order === "ascending" ? 1 : -1));
      }
    });
  });
}

function sorted(rows, column, sign) {
  const keyed = rows.map((row) => {
    const cell = row.cells[column];
    const by = cell.dataset.by === undefined ? null : Number(cell.dataset.by);
    return { row, by, text: cell.textContent };
  });
  const known = keyed.filter((one) => one.text !== "");
  known.sort((a, b) => sign * compare(a, b));
  return [...known, ...keyed.filter((one) => one.text === "")].map((one) => one.row);
}

function summary() {
  return JSON.parse(document.getElementById("summary").textContent);
}

function rowsAt(place) {
  const all = summary();
  if (place === "*") return all;
  if (place === "overview") return all.overview;
  const [pair, name] = place.split("/");
  return all.pairs[pair].tables[name];
}

function csv(rows) {
  const keys = [...new Set(rows.flatMap(Object.keys))];
  const field = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [keys, ...rows.map((row) => keys.map((key) => row[key]))]
    .map((line) => line.map(field).join(",") + "\n")
    .join("");
}

function save(text, kind, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function saving(tools) {
  const place = tools.dataset.rows;
  const name = place === "*" ? "report" : place.split("/").at(-1);
  const make = (label, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", act);
    tools.append(button);
  };
  if (place !== "*") make("CSV", () => save(csv(rowsAt(place)), "text/csv", `${name}.csv`));
  make("JSON", () => save(JSON.stringify(rowsAt(place), null, 1), "application/json", `${name}.json`));
  tools.hidden = false;
}

function colours(button) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const scheme = () => document.documentElement.dataset.scheme ?? (dark.matches ? "dark" : "light");
  const show = () => { button.ariaPressed = String(scheme() === "dark"); };
  button.addEventListener("click", () => {
    document.documentElement.dataset.scheme = scheme() === "dark" ? "light" : "dark";
    show();
  });
  dark.addEventListener("change", show);
  show();
  button.hidden = false;
}

function printing() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open], .long)")];
    opened.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((one) => { one.open = false; }));
}

document.querySelectorAll(".table table").forEach(sortable);
document.querySelectorAll(".tools").forEach(saving);
colours(document.querySelector(".theme"));
printing();
