// One model: what broke, since when, how sure, for whom, and why.

import { get, isShared } from "./connection.js";
import { h, numbers, section, show, table } from "./elements.js";
import { arrivalPicture, aucLimits, calibrationPicture, changePicture, histogramPicture, rocPicture, sparkline } from "./drawing.js";
import { STATUS, ago, auc, cohort, count, duration, interval, moment, percent, plural, signed, zoneOf } from "./format.js";
import { TimeChart } from "./timechart.js";
import { actButtons, alertRow } from "./alerts.js";
import { badge } from "./overview.js";
import { go } from "./app.js";

const DAY = 86400;
const PRESETS = [["30 days", 30], ["90 days", 90], ["1 year", 365], ["all", null]];

/** The range of time in the address: seconds, or null for everything. */
function rangeInAddress() {
  const found = new URLSearchParams(location.search);
  const ends = ["from", "to"].map((name) => Date.parse(found.get(name)) / 1000);
  return ends.some(Number.isNaN) ? null : ends;
}

function setRange(ends) {
  const iso = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 16) + "Z";
  go(location.pathname + (ends ? `?from=${iso(ends[0])}&to=${iso(ends[1])}` : ""));
}

export function modelView(main, name) {
  document.title = `${name} · roclab monitor`;
  const address = `/v1/models/${encodeURIComponent(name)}`;
  const parts = Object.fromEntries(["head", "facts", "ranges", "readout", "changed", "segments", "labels", "shapes", "calibration", "revisions", "notice", "alerts", "settings"].map((one) => [one, h("div")]));
  parts.readout = h("p", { class: "readout", "aria-live": "polite" });
  let chart = null;
  const over = section("AUC over prediction time", "over-time", parts.ranges, parts.readout);
  main.append(parts.head, parts.facts, over, parts.changed, parts.segments, parts.labels, parts.shapes, parts.calibration, parts.revisions, parts.notice, parts.alerts, parts.settings);
  main.setAttribute("aria-busy", "true");

  return {
    cares: (_, content) => !content.model || content.model === name,
    pause: 1500,
    async update() {
      const [model, series, arrival, shapes] = await Promise.all([get(address), get(`${address}/series`), get(`${address}/arrival`), get(`${address}/distributions`)]);
      const zone = series.time_zone;
      const range = rangeInAddress();
      const shown = within(series, range);
      show(parts.head, [model, isShared()], () => head(model));
      show(parts.facts, [model, series.whole, arrival.seconds_95, Math.floor(Date.now() / 60000)], () => facts(model, series, arrival));
      if (!chart) {
        chart = new TimeChart({ label: `AUC of ${name} over prediction time`, zone: zoneOf(zone), onRange: setRange, onPoint: (place, columns) => show(parts.readout, [place, columns.cohort[place]], () => readout(place, columns, series)) });
        over.append(chart.element, legend(), h("div"));
      }
      show(parts.ranges, [range], () => ranges(series, range, () => chart));
      const text = JSON.stringify([series.whole, range, model.alerts, model.deployments]);
      if (chart.text !== text) {
        chart.text = text;
        chart.draw({
          series: shown.whole,
          reference: series.whole.reference,
          range,
          alarms: model.alerts.filter((one) => one.kind === "change" && one.stream === name).map((one) => ({ since: Date.parse(one.since) / 1000, firing: one.state === "firing" })),
          deployments: model.deployments.map((one) => ({ version: one.version, time: Date.parse(one.time) / 1000 })),
        });
      }
      show(over.lastElementChild, shown.whole, () => numbersOf("auc", name, series, shown.whole));
      show(parts.changed, model.alerts, () => changed(model));
      show(parts.segments, shown.segments, () => segments(name, series, shown.segments));
      show(parts.labels, [arrival, shown.whole], () => labels(arrival, model));
      show(parts.shapes, shapes, () => distributions(shapes));
      show(parts.calibration, shapes, () => calibration(shapes));
      show(parts.revisions, shown.whole, () => revisions(series, shown.whole));
      show(parts.notice, [model.notice, model.change], () => notice(model));
      show(parts.alerts, model.alerts, () => alertsOf(model));
      show(parts.settings, [model.settings, model.rules, model.challengers, model.challenger_of], () => settings(model));
    },
    close() {
      chart?.close();
    },
  };
}

/** The cohorts within a range. */
function within(series, range) {
  if (!range) return series;
  const cut = (one) => {
    const kept = one.cohort.map((time, i) => [time, one.end[i]]).map(([time, end], i) => (end > range[0] && time < range[1] ? i : -1)).filter((i) => i >= 0);
    return Object.fromEntries(Object.entries(one).map(([key, value]) => [key, Array.isArray(value) ? kept.map((i) => value[i]) : value]));
  };
  return { ...series, whole: cut(series.whole), segments: series.segments.map(cut) };
}

function head(model) {
  return [
    h("div", { class: "title" }, h("h1", null, model.model), badge(model.status)),
    h("p", { class: "sentence" }, model.sentence),
    isShared() ? null : actButtons(model)];
}

function fact(title, figure, note) {
  return h("div", { class: "fact" }, h("dt", null, title), h("dd", null, h("span", { class: "figure" }, figure), h("span", { class: "note" }, note)));
}

function facts(model, series, arrival) {
  const { now, settings: chosen } = model;
  const done = series.whole.end.findLastIndex((end) => end <= Date.now() / 1000);
  const at = (column) => (done < 0 ? null : series.whole[column][done]);
  const day = done < 0 ? "" : cohort(at("cohort") * 1000, series.period, series.time_zone);
  const mature = series.whole.frozen_auc.filter((one) => one !== null).slice(-7);
  const mean = mature.length ? mature.reduce((a, b) => a + b) / mature.length : null;
  const reference = series.whole.reference;
  return h("dl", { class: "facts" },
    fact("AUC now", auc(now.auc), `${interval(now.low, now.high)}, last ${duration(chosen.window_seconds)}: ${count(now.n_pos)} positive, ${count(now.n_neg)} negative`),
    fact("Against the reference", reference === null || mean === null ? "–" : signed(mean - reference), reference === null ? "the reference is still being learned" : `last ${plural(mature.length, `mature ${series.period}`)}: ${auc(mean)}; reference ${auc(reference)}`),
    fact("Labels", percent(at("coverage")), `of ${day || "no complete cohort"}${arrival.seconds_95 ? `; 95 % come within ${duration(arrival.seconds_95)}` : ""}`),
    fact("Predictions", count(at("n")), `${day ? `on ${day}; ` : ""}the last one ${model.last_prediction ? `${ago(model.last_prediction)}, ${moment(model.last_prediction, series.time_zone)} ${zoneOf(series.time_zone)}` : "never"}`));
}

function ranges(series, range, chart) {
  const last = series.whole.end.at(-1) ?? Date.now() / 1000;
  const near = (days) => (days === null ? range === null : range !== null && Math.abs(range[1] - last) < 60 && Math.abs(range[1] - range[0] - days * DAY) < 60);
  const zoom = h("button", { type: "button", id: "zoom", "aria-pressed": String(chart().full), onclick: () => {
    chart().zoom(!chart().full);
    zoom.setAttribute("aria-pressed", String(chart().full));
  } }, "Zoom to the values");
  return h("div", { class: "ranges", role: "group", "aria-label": "Range of time" },
    PRESETS.map(([word, days]) => h("button", { type: "button", id: `range-${word.replace(" ", "-")}`, "aria-pressed": String(near(days)), onclick: () => setRange(days === null ? null : [last - days * DAY, last]) }, word)),
    zoom,
    range ? h("span", { class: "note" }, "Drag across the chart for another range.") : h("span", { class: "note" }, "Drag across the chart to look closer."));
}

function legend() {
  return h("p", { class: "legend note" },
    h("span", { class: "key line" }), "AUC of a mature cohort with its 95 % interval ",
    h("span", { class: "key circle" }), "provisional: labels are missing ",
    h("span", { class: "key hatched" }), "bounds over the missing labels ",
    h("span", { class: "key bars" }), "share of labels");
}

function readout(place, columns, series) {
  if (place === null || columns.n[place] === null) return "\u00a0";
  const at = (name) => columns[name][place];
  const day = cohort(at("cohort") * 1000, series.period, series.time_zone);
  const value = at("auc") === null ? "too few labels for an AUC" : at("mature") ? `AUC ${auc(at("auc"))} ${interval(at("low"), at("high"))}` : `provisional AUC ${auc(at("provisional") ?? at("auc"))}`;
  return `${day}: ${value}, ${plural(at("n"), "prediction")}, ${percent(at("coverage"))} labelled`;
}

const COLUMNS = ["n", "n_labelled", "n_pos", "coverage", "auc", "low", "high", "frozen_auc", "provisional", "bound_low", "bound_high", "positive_rate", "mean_score", "psi", "psi_critical"];

function numbersOf(id, name, series, stream) {
  const rows = stream.cohort.map((time, i) => [cohort(time * 1000, series.period, series.time_zone), stream.mature[i] ? "mature" : "open", ...COLUMNS.map((one) => stream[one][i])]);
  return numbers(`${id}-numbers`, `${name} ${id}`, ["cohort", "state", ...COLUMNS], rows);
}

function changed(model) {
  const alert = model.alerts.find((one) => one.kind === "change" && one.stream === model.model) ?? model.alerts.find((one) => one.kind === "change");
  if (!alert || !alert.why?.by?.length) return [];
  const best = alert.why.by.find((one) => alert.why.sentence.includes(` ${one.by} `)) ?? alert.why.by[0];
  const rows = [
    { name: "all of it", value: best.difference, strong: true },
    { name: "ranking", value: best.ranking, strong: true },
    { name: "mix of segments", value: best.mix, strong: true },
    ...best.segments.map((one) => ({ name: `${best.by} ${one.segment}`, value: one.share })),
  ];
  const { alarm } = alert;
  return section(`What changed${alert.stream === model.model ? "" : ` in ${alert.stream}`}`, "changed",
    h("div", { class: "two" },
      changePicture(rows),
      h("div", null,
        h("p", null, alert.why.sentence),
        h("p", null, `The mean AUC of ${plural(alarm.n_blocks, "block")} since then is ${auc(alarm.mean)}, and ${auc(alarm.reference_mean)} in the reference. The evidence is ${count(Math.round(alarm.statistic))}; an alarm needs ${count(Math.round(alarm.threshold))}.`),
        h("p", null, h("strong", null, "What to do: "), advice(alert, best, model)),
        h("p", { class: "note" }, `Ranking: the same kinds of cases are ranked worse. Mix: there are more of the cases that are harder to rank. `, h("a", { href: `/alerts/${alert.number}` }, "The alert as it was")))),
    numbers("changed-numbers", `${model.model} change`, ["part", "change of the AUC"], rows.map((one) => [one.name, one.value])));
}

/** What someone who was woken can do about a change. */
function advice(alert, best, model) {
  const day = alert.since.slice(0, 10);
  const worst = best.segments.toSorted((a, b) => a.share - b.share)[0];
  const near = model.deployments.find((one) => Math.abs(Date.parse(one.time) - Date.parse(alert.since)) < 3 * DAY * 1000);
  const deployed = near ? ` Version ${near.version} was deployed on ${near.time.slice(0, 10)}.` : "";
  if (Math.abs(best.mix) >= 2 * Math.abs(best.ranking)) return `each kind of case is ranked as before, but there are more of the harder ones. Find out why they come; if they stay, re-base.${deployed}`;
  return `look at what changed for ${best.by} ${worst.segment} around ${day}: a deployment, a feature, a source of data.${deployed} Do not rely on its scores there until then. If it is meant to stay like this, re-base.`;
}

function segments(name, series, shown) {
  if (!shown.length) return [];
  const every = shown.flatMap((one) => [...one.low, ...one.high]);
  const limits = aucLimits(every);
  const few = (one) => !one.auc.some((value) => value !== null);
  return section("Segments", "segments",
    h("p", { class: "note" }, `The same axis for all, from ${limits[0]} to 1; those that cost the whole most come first.`),
    h("ul", { class: "multiples" }, shown.map((one) => {
      const recent = one.cohort.map((_, i) => ({ auc: one.mature[i] ? one.auc[i] : null, low: one.mature[i] ? one.low[i] : null, high: one.mature[i] ? one.high[i] : null }));
      const last = recent.findLast((each) => each.auc !== null);
      return h("li", { class: few(one) ? "few" : one.status === "firing" ? "firing" : null },
        h("p", null, h("strong", null, `${one.segment} ${one.value}`), one.status === "firing" ? h("span", { class: "status alarm" }, ` ${STATUS.firing.shape} firing`) : null),
        few(one) ? h("p", { class: "note" }, "too few labels for an AUC") : sparkline(recent, { width: 240, height: 72, reference: one.reference, limits, label: `AUC of ${one.segment} ${one.value} over time, the latest ${auc(last?.auc)}` }),
        h("p", { class: "note" }, `${few(one) ? "" : `AUC ${auc(last?.auc)}, `}${percent(one.share)} of predictions${one.cost === null ? "" : one.cost > 0.0005 ? `, costs ${one.cost.toFixed(3)}` : ""}`));
    })),
    numbers("segments-numbers", `${name} segments`, ["segment", "cohort", "state", "n", "auc", "low", "high"], shown.flatMap((one) => one.cohort.map((time, i) => [`${one.segment} ${one.value}`, cohort(time * 1000, series.period, series.time_zone), one.mature[i] ? "mature" : "open", one.n[i], one.auc[i], one.low[i], one.high[i]]))));
}

function labels(arrival, model) {
  const entries = Object.entries(arrival.classes);
  if (!entries.length) return section("Labels", "labels", h("p", null, "Too few labels have come to say how long they take."));
  const most = Math.max(...entries.map(([, one]) => one.seconds.at(-1)), 1);
  const [unit, length] = most > 2 * DAY ? ["days", DAY] : most > 7200 ? ["hours", 3600] : ["minutes", 60];
  const horizon = model.settings.horizon_seconds;
  return section("Labels", "labels",
    h("div", { class: "two" }, arrivalPicture(arrival.classes, most, unit, length),
      h("div", null,
        h("p", null, arrival.seconds_95 ? `95 % of labels come within ${duration(arrival.seconds_95)}.` : "Too few labels of each class have come to say how long they take."),
        h("p", { class: "note" }, `Of young predictions only quick labels can be known; the curves are corrected for that, and end where the oldest prediction does. Cohorts are mature with ${percent(model.settings.coverage)} of their labels${horizon ? `, or ${duration(horizon)} after they end` : ", or once 95 % have had the time to come"}.`))),
    numbers("labels-numbers", `${model.model} labels`, ["class", "seconds", "share"], entries.flatMap(([name, one]) => one.seconds.map((seconds, i) => [name, seconds, one.share[i]]))));
}

function distributions(shapes) {
  if (!shapes.histogram) return [];
  const { now, reference } = shapes;
  return section("Scores now against the reference", "shapes",
    h("p", { class: "legend note" }, h("span", { class: "key line" }), "now ", h("span", { class: "key dashed" }), reference ? "reference" : "no reference yet"),
    h("div", { class: "two even" },
      now.roc || reference?.roc ? h("figure", null, rocPicture(now.roc, reference?.roc), h("figcaption", null, `ROC: AUC ${auc(now.roc?.auc)} now${reference?.roc ? `, ${auc(reference.roc.auc)} in the reference` : ""}`)) : null,
      h("figure", null, histogramPicture(shapes.histogram), h("figcaption", null, "Scores of all predictions"))),
    numbers("shapes-numbers", `${shapes.model} scores`, ["from", "to", "now", "reference"], shapes.histogram.now.map((one, i) => [shapes.histogram.edges[i], shapes.histogram.edges[i + 1], one, shapes.histogram.reference?.[i] ?? null])));
}

function calibration(shapes) {
  const { now, reference } = shapes;
  if (!now.calibration) return [];
  return h("details", { id: "calibration", class: "folded" }, h("summary", null, h("h2", null, "Calibration")),
    h("figure", null, calibrationPicture(now.calibration, reference?.calibration), h("figcaption", null, "Share of positives against the mean score, now (with 95 % intervals) and in the reference")));
}

function revisions(series, stream) {
  const rows = stream.cohort.map((time, i) => [time, stream.frozen_auc[i], stream.auc[i]]).filter(([, frozen, now]) => frozen !== null && now !== null && Math.abs(frozen - now) > 5e-7);
  if (!rows.length) return [];
  return h("details", { id: "revisions", class: "folded" }, h("summary", null, h("h2", null, `Revisions: ${plural(rows.length, series.period)}`)),
    h("p", { class: "note" }, "Labels that came or were corrected after a cohort was mature change what is drawn, and not what was judged."),
    table("Revisions", [series.period, "as judged then", "as known now", "difference"], rows.slice(-100).map(([time, frozen, now]) => [cohort(time * 1000, series.period, series.time_zone), { text: auc(frozen), number: true }, { text: auc(now), number: true }, { text: signed(now - frozen), number: true }])));
}

function notice(model) {
  const title = "What this monitor could notice";
  if (!model.notice.length) return section(title, "notice", h("p", null, `Nothing yet. ${model.change.missing ? `${plural(model.change.missing, `more mature ${model.settings.cohort}`)} are needed for a reference.` : model.change.problem ?? ""}`));
  return section(title, "notice",
    h("ul", null, model.notice.map((one) => h("li", null, one.cohorts === null ? `A drop of ${one.drop.toFixed(2)} would probably not be noticed within a year.` : `A drop of ${one.drop.toFixed(2)} would be noticed within ${plural(one.cohorts, model.settings.cohort)}, in half of the cases.`))),
    h("p", { class: "note" }, `Found by drawing ${model.settings.cohort}s from the reference again, lowered by the drop. One false alarm is expected in ${count(Math.round(model.change.threshold))} ${model.settings.cohort}s of this stream, if ${model.change.condition}.`));
}

function alertsOf(model) {
  if (!model.alerts.length) return [];
  return section("Alerts", "model-alerts", h("table", null, h("thead", null, h("tr", null, ["State", "What", "Since", "Fired", "Lasted"].map((one) => h("th", { scope: "col" }, one)))), h("tbody", null, model.alerts.slice(0, 20).map((one) => alertRow(one, false)))));
}

function settings(model) {
  const { settings: chosen } = model;
  const rows = [
    ["cohorts", `${chosen.cohort}s, ${chosen.time_zone}`],
    ["mature", `${percent(chosen.coverage)} of labels${chosen.horizon_seconds ? `, or ${duration(chosen.horizon_seconds)}` : ""}`],
    ["a missing label is", chosen.missing_label],
    ["reference", chosen.reference],
    ["window of the AUC now", duration(chosen.window_seconds)],
    ...model.rules.map((one) => [`rule ${one.name}`, `${one.when}: ${one.state} (${one.stream})`]),
  ];
  const links = [...(model.challenger_of ? [[model.model, `Compared with ${model.challenger_of}, its champion`]] : []), ...model.challengers.map((one) => [one, `Compared with ${one}, its challenger`])];
  return [
    links.length ? section("Champion and challenger", "challengers", links.map(([name, words]) => h("p", null, h("a", { href: `/models/${encodeURIComponent(name)}/comparison` }, words)))) : null,
    h("details", { id: "settings", class: "folded" }, h("summary", null, h("h2", null, "Settings")), h("p", { class: "note" }, "They are those of the file; it is the only place to change them."), table("Settings", ["what", "value"], rows)),
  ].filter(Boolean);
}
