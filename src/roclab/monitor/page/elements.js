// Elements of the page: made, filled and replaced without markup in texts.

import { ago } from "./format.js";
import { inTurn } from "./work.js";

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

/** A name that users chose, whose direction of writing leaves what is around it alone. */
export const named = (text) => h("bdi", null, text);

/** A sentence of the service: its dates and numbers stay on one line, with the minus sign of the page. */
export function prose(text) {
  return text.split(/(\d{4}-\d\d-\d\d|[+-]\d\.\d+)/).map((one, i) => (i % 2 ? h("span", { class: "together" }, one.replace(/^-/, "−")) : one));
}

const contents = new WeakMap();

/** Show what `make` returns for data inside an element, unless the same data is shown already. */
export function show(element, data, make) {
  const text = JSON.stringify(data);
  if (contents.get(element) === text) return;
  contents.set(element, text);
  const focused = element.contains(document.activeElement) ? document.activeElement.id : null;
  const opened = new Set([...element.querySelectorAll("details[open]")].map((one) => one.id));
  element.replaceChildren(...[make(data)].flat().filter(Boolean));
  for (const id of opened) if (id) element.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** A section with a heading that its parts are filled into. */
export function section(title, id, ...children) {
  return h("section", { "aria-labelledby": `${id}-title`, id }, h("h2", { id: `${id}-title` }, title), children);
}

/** One of the facts at the head of a page: a figure, and lines that say of what. */
export function fact(title, figure, ...lines) {
  return h("div", { class: "fact" }, h("dt", null, title),
    h("dd", null, h("span", { class: "figure" }, figure), lines.filter(Boolean).map((one) => h("span", { class: "note" }, one))));
}

/** How long ago a time is, kept up to date. */
export function since(time) {
  return time ? h("time", { datetime: time, class: "ago" }, ago(time)) : "never";
}
setInterval(() => {
  for (const one of document.querySelectorAll("time.ago")) {
    const text = ago(one.getAttribute("datetime"));
    if (one.textContent !== text) one.textContent = text;
  }
}, 15_000);

const cell = (one) => h("td", { class: one?.number || typeof one === "number" ? "number" : null }, one?.text ?? one);

/** A table from rows of cells; numbers are aligned to the right. */
export function table(caption, columns, rows, numeric = []) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", null, h("caption", { class: "hidden" }, caption),
      h("thead", null, h("tr", null, columns.map((one, i) => h("th", { scope: "col", class: numeric.includes(i) ? "number" : null }, one)))),
      h("tbody", null, rows.map((row) => h("tr", null, row.map(cell))))));
}

const SHOWN = 200; // rows of a table; the file has all

function csv(columns, rows) {
  // A text that begins like a formula would be one in a spreadsheet.
  const safe = (one) => (typeof one === "string" && /^[=+\-@\t]/.test(one) ? `'${one}` : String(one));
  const text = (one) => (one === null || one === undefined ? "" : /[",\r\n]/.test(safe(one)) ? `"${safe(one).replaceAll('"', '""')}"` : safe(one));
  return [columns, ...rows].map((row) => `${row.map(text).join(",")}\r\n`).join("");
}

/** The numbers behind a chart: a folded table, and a file. `update` gives them; they are made when they are asked for. */
export function numbers(id, name, columns, what = "") {
  let rows = () => [];
  const body = h("div");
  const details = h("details", { id, class: "numbers", ontoggle: () => draw() }, h("summary", null, `Table and CSV${what}`), body);
  const said = h("span");
  const download = h("button", { type: "button", onclick: () => {
    const address = URL.createObjectURL(new Blob([csv(columns, rows())], { type: "text/csv" }));
    h("a", { href: address, download: `${name}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  } }, "Download CSV");
  const place = h("div");
  function draw() {
    if (!details.open) return;
    if (!body.childElementCount) body.append(h("p", { class: "note" }, download, " ", said), place);
    const all = rows();
    said.textContent = all.length > SHOWN ? `The latest ${SHOWN} of ${all.length.toLocaleString("en")} rows; the file has all.` : "";
    const shown = all.slice(-SHOWN);
    const top = place.firstElementChild?.scrollTop ?? 0;
    const numeric = columns.map((_, i) => i).filter((i) => shown.some((row) => typeof row[i] === "number"));
    show(place, shown, () => table(name, columns, shown.map((row) => row.map((one) => (typeof one === "number" ? Number(one.toPrecision(6)) : one ?? ""))), numeric));
    if (top) place.firstElementChild.scrollTop = top;
  }
  details.update = (make) => {
    rows = make;
    draw();
    return details;
  };
  return details;
}

/** A place for a picture that is drawn as wide as there is room: `make(width)` returns it. */
export function picture(height, make) {
  const place = h("div", { class: "picture" });
  place.style.minHeight = `${height}px`;
  let width = 0;
  new ResizeObserver(([entry]) => {
    const room = Math.floor(entry.contentRect.width);
    if (!room || room === width) return;
    width = room;
    inTurn(place, () => place.replaceChildren(make(width)));
  }).observe(place);
  return place;
}

/** Lines of text that can be copied, below a heading. */
export function copyable(title, text, label, note) {
  return h("div", { class: "copyable" }, h("div", null, h("h2", null, title), copyButton(text, label)),
    h("pre", { tabindex: 0 }, h("code", null, text)), note ? h("p", { class: "note" }, note) : null);
}

export function copyButton(text, label) {
  const button = h("button", { type: "button", "aria-label": `Copy ${label}`, onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy by hand";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  } }, "Copy");
  return button;
}
