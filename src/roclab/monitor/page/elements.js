// Elements of the page: made, filled and replaced without markup in texts.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}

/** An element of HTML. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

const contents = new WeakMap();

/** Show what `make` returns for data inside an element, unless the same data is shown already. */
export function show(element, data, make) {
  const text = JSON.stringify(data);
  if (contents.get(element) === text) return;
  contents.set(element, text);
  const focused = element.contains(document.activeElement) ? document.activeElement.id : null;
  const opened = new Set([...element.querySelectorAll("details[open]")].map((one) => one.id));
  element.replaceChildren(...[make(data)].flat());
  for (const id of opened) if (id) element.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** A section with a heading that its parts are filled into. */
export function section(title, id, ...children) {
  return h("section", { "aria-labelledby": `${id}-title`, id }, h("h2", { id: `${id}-title` }, title), children);
}

/** A table from rows of cells; numbers are aligned to the right. */
export function table(caption, columns, rows) {
  const cell = (one) => h("td", { class: typeof one === "number" || one?.number ? "number" : null }, one?.text ?? one);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", null, h("caption", { class: "hidden" }, caption),
      h("thead", null, h("tr", null, columns.map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", null, rows.map((row) => h("tr", null, row.map(cell))))));
}

/** The numbers behind a chart: a folded table, and a file. */
export function numbers(id, name, columns, rows) {
  const details = h("details", { id, class: "numbers" }, h("summary", null, "Table and CSV"));
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    const text = (one) => (one === null || one === undefined ? "" : /[",\n]/.test(String(one)) ? `"${String(one).replaceAll('"', '""')}"` : String(one));
    const lines = [columns, ...rows].map((row) => row.map(text).join(",")).join("\r\n");
    const file = URL.createObjectURL(new Blob([lines, "\r\n"], { type: "text/csv" }));
    details.append(h("p", null, h("a", { href: file, download: `${name}.csv` }, "Download CSV")),
      table(name, columns, rows.map((row) => row.map((one) => (typeof one === "number" ? { text: Number(one.toPrecision(6)), number: true } : one ?? "")))));
  });
  return details;
}

/** A line of text that can be copied. */
export function copyable(text, label) {
  const button = h("button", { type: "button", "aria-label": `Copy: ${label}` }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard?.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  return h("div", { class: "copyable" }, h("pre", { tabindex: 0 }, h("code", null, text)), button);
}
