// The page works without: this sorts tables, filters claims and copies commands.
for (const table of document.querySelectorAll("table.sorted")) {
  table.querySelectorAll("th").forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") === "ascending";
      table.querySelectorAll("th").forEach((h) => h.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      // cells that begin with a number (~0.5 too) by it, behind them the other texts
      const text = (row) => row.cells[column].textContent;
      const number = (s) => parseFloat(s.replace("~", ""));
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const x = text(a), y = text(b), u = number(x), v = number(y);
        const order = isNaN(u) - isNaN(v) || u - v || x.localeCompare(y);
        return falling ? -order : order;
      });
      table.tBodies[0].append(...rows);
    });
  });
}
for (const table of document.querySelectorAll("table.filtered")) {
  const label = document.createElement("label"), input = document.createElement("input");
  label.className = "filter";
  input.type = "search";
  label.append("Show rows with ", input);
  table.parentElement.before(label);
  input.addEventListener("input", () => {
    for (const row of table.tBodies[0].rows)
      row.hidden = !row.textContent.toLowerCase().includes(input.value.toLowerCase());
  });
}
for (const box of document.querySelectorAll("pre.command")) {
  const button = document.createElement("button"), text = box.textContent;
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  });
  box.append(button);
}
addEventListener("beforeprint", () => {
  for (const d of document.querySelectorAll("details.printed")) d.open = true;
});
