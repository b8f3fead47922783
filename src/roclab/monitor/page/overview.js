// All models, trouble first.

import { get, hasToken } from "./connection.js";
import { copyable, h, named, prose, show, since } from "./elements.js";
import { sparkline } from "./drawing.js";
import { STATUS, auc, cohort, count, duration, interval, percent } from "./format.js";
import { REMEDIES, advice, concerned, mainChange } from "./trouble.js";
import { inTurn } from "./work.js";

/** Shape and word of a status. */
export function badge(status) {
  const { shape, word, color } = STATUS[status] ?? STATUS["no data"];
  return h("span", { class: `status ${color}` }, h("span", { "aria-hidden": "true" }, shape), ` ${word}`);
}

export const modelAddress = (name) => `/models/${encodeURIComponent(name)}`;

/** The title of the window begins with trouble, so that it is seen among others. */
export function titled(words, firing) {
  const title = `${firing ? `${STATUS.firing.shape} ` : ""}${words} · roclab monitor`;
  if (document.title !== title) document.title = title;
}

const LENGTHS = { hour: 3600, day: 86400, week: 604800 };
const COLUMNS = ["Status", "Model", "AUC now", "AUC of recent cohorts", "Labels known", "Predictions"];

export function overviewView(main) {
  titled("Models");
  let models = [];
  let alerts = new Map();
  const filter = h("input", { id: "filter", type: "search", placeholder: "Filter by name or status", "aria-label": "Filter models", "aria-keyshortcuts": "/", oninput: () => sift() });
  const summary = h("p", { class: "sentence", "aria-live": "polite" });
  const nothing = h("p", { hidden: true }, "No model matches.");
  // Rows are laid out each by itself, so that only those in sight cost time. The roles say what it still is.
  const body = h("tbody", { role: "rowgroup" });
  const table = h("table", { class: "models", role: "table", hidden: true }, h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, COLUMNS.map((one) => h("th", { scope: "col", role: "columnheader" }, one)))), body);
  const start = h("div");
  const rows = new Map();
  filter.hidden = true;
  main.append(h("h1", null, "Models"), summary, filter, table, nothing, start);
  addEventListener("keydown", slash);

  function slash(event) {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    filter.focus();
  }

  /** Hide the rows that do not match what was typed. */
  function sift() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let kept = 0;
    for (const one of models) {
      const row = rows.get(one.model);
      row.hidden = !words.every((word) => `${one.model} ${one.status}`.toLowerCase().includes(word));
      kept += !row.hidden;
    }
    table.hidden = !kept;
    nothing.hidden = kept > 0 || !models.length;
  }

  function draw() {
    const firing = models.filter((one) => one.status === "firing").length;
    titled("Models", firing);
    filter.hidden = !models.length;
    show(summary, sentence(models, alerts), prose);
    show(start, models.length ? null : location.origin, (origin) => (origin ? empty(origin) : []));
    const gone = new Set(rows.keys());
    for (const one of models) {
      gone.delete(one.model);
      if (!rows.has(one.model)) rows.set(one.model, h("tr", { role: "row" }, COLUMNS.map((label, i) => h("td", { role: "cell", class: ["", "name", "number", "spark", "number", "number"][i] || null, "data-label": i === 1 ? null : label }))));
      const row = rows.get(one.model);
      inTurn(row, () => fill(row, one, alerts.get(one.model) ?? []));
    }
    for (const name of gone) {
      rows.get(name).remove();
      rows.delete(name);
    }
    arrange(body, models.map((one) => rows.get(one.model)));
    sift();
  }

  return {
    cares: (kind) => kind !== "act",
    async update() {
      const [found, firing] = await Promise.all([get("/v1/models"), get("/v1/alerts?firing=true")]);
      models = found.models;
      alerts = Map.groupBy(firing.alerts, (one) => one.model);
      draw();
    },
    close() {
      removeEventListener("keydown", slash);
    },
  };
}

/** Put rows into an order; those that are in their place are not touched, so that focus stays. */
function arrange(body, rows) {
  rows.forEach((row, i) => {
    if (body.children[i] === row) return;
    const focused = row.contains(document.activeElement) ? document.activeElement : null;
    body.insertBefore(row, body.children[i] ?? null);
    focused?.focus({ preventScroll: true });
  });
}

const list = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]);

/** What is the matter, in one sentence or two. */
function sentence(models, alerts) {
  if (!models.length) return "";
  const of = (status) => models.filter((one) => one.status === status);
  const firing = of("firing");
  const silent = of("no data");
  const said = [];
  if (firing.length === 1) {
    const mine = alerts.get(firing[0].model) ?? [];
    const main = mainChange(mine);
    const [whom] = concerned(mine);
    said.push(`${firing[0].model} ${main ? `ranks worse since ${cohort(main.since, main.period, main.time_zone)}${whom ? `, for ${whom.name}` : ""}` : "needs attention"}.`);
  } else if (firing.length) said.push(`${count(firing.length)} of ${count(models.length)} models need attention: ${firing.length > 5 ? `${firing.slice(0, 5).map((one) => one.model).join(", ")}, …` : `${list(firing.map((one) => one.model))}.`}`);
  else said.push(models.length === 1 ? "The one model is without an alarm." : `All ${count(models.length)} models are without an alarm.`);
  if (silent.length) said.push(silent.length < 4 ? `${list(silent.map((one) => one.model))} ${silent.length === 1 ? "is" : "are"} silent.` : `${count(silent.length)} are silent.`);
  return said.join(" ");
}

function fill(row, one, alerts) {
  const [status, name, now, spark, labels, volume] = row.children;
  row.className = one.status === "firing" ? "trouble" : "";
  show(status, one.status, badge);
  const todo = advice(alerts)?.[0] ?? (one.status === "no data" ? REMEDIES.silence : null); // the rest is on the page of the model
  const muted = alerts.length > 0 && alerts.every((each) => each.muted);
  show(name, [one.model, one.sentence, todo, muted], () => [
    h("a", { href: modelAddress(one.model), id: `model-${one.stream}` }, named(one.model)),
    h("p", null, prose(one.sentence)),
    todo ? h("p", { class: "todo" }, h("strong", null, "What to do: "), prose(todo)) : null,
    muted ? h("p", null, `${badge("muted").textContent}: delivered to nobody for now`) : null]);
  show(now, [one.now.auc, one.now.low, one.now.high], () => [h("span", { class: "figure" }, auc(one.now.auc)), h("span", { class: "note" }, one.now.auc === null ? "too few labels" : interval(one.now.low, one.now.high))]);
  show(spark, [one.recent, one.reference], () => (one.recent.auc.some((value) => value !== null) ? sparkline(one.recent, { reference: one.reference, period: LENGTHS[one.period] }) : h("span", { class: "note" }, `no mature ${one.period} with an AUC yet`)));
  const last = one.complete;
  show(labels, [last?.coverage, last?.cohort, one.label_delay_seconds], () => [percent(last?.coverage), h("span", { class: "note" }, one.label_delay_seconds ? `95 % in ${duration(one.label_delay_seconds)}` : last ? `of ${cohort(last.cohort, one.period, one.time_zone)}` : "")]);
  show(volume, [last?.n, one.last_prediction?.slice(0, 16), one.period], () => [last ? `${count(last.n)} a ${one.period}` : "–", h("span", { class: "note" }, "latest ", since(one.last_prediction))]);
}

function empty(url) {
  const [argument, header] = hasToken() ? [', token="…"', " -H 'Authorization: Bearer …'"] : ["", ""];
  return [
    h("p", { class: "sentence" }, h("span", { class: "pulse", "aria-hidden": "true" }), "Waiting for the first event… this page changes by itself."),
    h("div", { class: "empty" },
      copyable("From Python", `from roclab.monitor import Client\nwith Client("${url}", model="credit"${argument}) as client:\n    client.log_prediction(0.83, label=True)`, "three lines of Python"),
      copyable("From a shell", `curl${header} -H 'Content-Type: application/json' ${url}/v1/predictions -d '{"model": "credit", "id": "1", "score": 0.83, "label": 1}'`, "a line for curl"),
      copyable("From a file of the past", "roclab monitor import scores.csv --model credit --label outcome --score p --time decided_at", "a command that imports a file", "Stop this service meanwhile: one process at a time writes a store."),
      copyable("Look around first", "roclab monitor serve --demo --port 8712", "the command of the demonstration", "It shows models that are made up, beside this service."))];
}
