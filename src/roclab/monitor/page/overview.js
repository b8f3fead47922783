// All models, trouble first.

import { get } from "./connection.js";
import { copyable, h, show } from "./elements.js";
import { sparkline } from "./drawing.js";
import { STATUS, ago, auc, count, duration, interval, percent } from "./format.js";

/** Shape and word of a status. */
export function badge(status) {
  const { shape, word, color } = STATUS[status] ?? STATUS["no data"];
  return h("span", { class: `status ${color}` }, h("span", { "aria-hidden": "true" }, shape), ` ${word}`);
}

export const modelAddress = (name) => `/models/${encodeURIComponent(name)}`;

export function overviewView(main) {
  document.title = "Models · roclab monitor";
  let models = null;
  const filter = h("input", { id: "filter", type: "search", placeholder: "Filter by name or status", "aria-label": "Filter models", oninput: () => draw() });
  const summary = h("p", { class: "sentence", "aria-live": "polite" });
  const list = h("div");
  main.append(h("h1", null, "Models"), summary, filter, list);
  addEventListener("keydown", slash);

  function slash(event) {
    if (event.key === "/" && !/INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) {
      event.preventDefault();
      filter.focus();
    }
  }

  function draw() {
    filter.hidden = !models.length;
    show(summary, sentence(models), (text) => text);
    if (!models.length) {
      show(list, "empty", empty);
      return;
    }
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = models.filter((one) => words.every((word) => `${one.model} ${one.status}`.toLowerCase().includes(word)));
    show(list, kept, tableOf);
  }

  return {
    cares: (kind) => kind !== "act",
    pause: 1500,
    async update() {
      ({ models } = await get("/v1/models"));
      draw();
    },
    close() {
      removeEventListener("keydown", slash);
    },
  };
}

function sentence(models) {
  if (!models.length) return "";
  const firing = models.filter((one) => one.status === "firing");
  const total = models.length === 1 ? "The one model" : `All ${count(models.length)} models`;
  if (firing.length === 1) return `${firing[0].model} needs attention${models.length > 1 ? `; of ${count(models.length)} models it is the only one` : ""}.`;
  if (firing.length) return `${count(firing.length)} of ${count(models.length)} models need attention: ${firing.slice(0, 5).map((one) => one.model).join(", ")}${firing.length > 5 ? ", …" : ""}.`;
  const quiet = models.filter((one) => one.status === "no data").length;
  return quiet ? `No alarm. ${quiet === 1 ? "One model is" : `${quiet} models are`} silent.` : `${total} ${models.length === 1 ? "is" : "are"} without an alarm.`;
}

function tableOf(models) {
  if (!models.length) return h("p", null, "No model matches.");
  return h("table", { class: "models" },
    h("thead", null, h("tr", null, ["Status", "Model", "AUC now", "Recent cohorts", "Labels", "Predictions"].map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", null, models.map((one) => h("tr", { class: one.status === "firing" ? "trouble" : null },
      h("td", { "data-label": "Status" }, badge(one.status)),
      h("td", { class: "name" }, h("a", { href: modelAddress(one.model), id: `model-${one.stream}` }, one.model), h("p", null, one.sentence)),
      h("td", { class: "number", "data-label": "AUC now" }, h("span", { class: "figure" }, auc(one.now.auc)), h("span", { class: "note" }, interval(one.now.low, one.now.high))),
      h("td", { class: "spark", "data-label": "Recent cohorts" }, sparkline(one.recent.map((each) => (each.mature ? each : { ...each, auc: null, low: null, high: null })), { reference: one.reference ?? null })),
      h("td", { class: "number", "data-label": "Labels" }, percent(one.coverage), h("span", { class: "note" }, one.label_delay_seconds ? `95 % within ${duration(one.label_delay_seconds)}` : "")),
      h("td", { class: "number", "data-label": "Predictions" }, count(one.volume), h("span", { class: "note" }, `last ${ago(one.last_prediction)}`))))));
}

function empty() {
  const url = location.origin;
  const now = new Date().toISOString().slice(0, 19);
  return h("div", { class: "empty" },
    h("p", { class: "sentence" }, h("span", { class: "pulse", "aria-hidden": "true" }), "Waiting for the first event… this page changes by itself."),
    h("h2", null, "From Python"),
    copyable(`from roclab.monitor import Client\nwith Client("${url}", model="credit") as client:\n    client.log_prediction(0.83, label=True)`, "three lines of Python"),
    h("h2", null, "From a shell"),
    copyable(`curl -H 'Content-Type: application/json' ${url}/v1/predictions -d '{"model": "credit", "id": "1", "score": 0.83, "time": "${now}Z", "label": 1}'`, "a line for curl"),
    h("h2", null, "From a file of the past"),
    copyable("roclab monitor import scores.csv --model credit --label outcome --score p --time decided_at", "a command"),
    h("p", { class: "note" }, "To look around first: ", h("code", null, "roclab monitor serve --demo --port 8712"), " shows a fleet that is made up."));
}
