// One model: what broke, since when, how sure, for whom, and why.

import { get, isShared } from "./connection.js";
import { fact, h, named, numbers, picture, prose, section, show, since, table } from "./elements.js";
import { changePicture } from "./drawing.js";
import { auc, cohort, count, duration, interval, percent, plural, signed, zoneOf, zoned } from "./format.js";
import { actButtons, actList, alertRow, alertTable } from "./alerts.js";
import { labelsPart } from "./labels.js";
import { badge, titled } from "./overview.js";
import { segmentsPart } from "./segments.js";
import { Series } from "./series.js";
import { shapesPart } from "./shapes.js";
import { TimeChart } from "./timechart.js";
import { decomposition, mainChange, partsOf, troubleList } from "./trouble.js";

const DAY = 86400;
const PRESETS = [["30 days", 30], ["90 days", 90], ["1 year", 365], ["All", null]];
const SLOW = 20_000; // milliseconds between two looks at what changes slowly and costs much

const soon = () => Math.ceil(Date.now() / 1000 / 3600) * 3600; // now, and the same for an hour

/** From the first cohort until now, so that a silence is seen, unless it would leave no room for the rest. */
function everything({ cohort: begins, end: ends }) {
  const [first, last] = [begins[0] ?? 0, ends.at(-1) ?? 1];
  return [first, Math.max(last, Math.min(soon(), last + (last - first) / 4))];
}

/** The range of time in the address: seconds, or null for everything; and the days of a preset. */
function rangeInAddress() {
  const found = new URLSearchParams(location.search);
  const days = parseInt(found.get("last") ?? "", 10);
  if (days > 0) {
    const now = soon();
    return { ends: [now - days * DAY, now], days };
  }
  const ends = ["from", "to"].map((name) => Date.parse(found.get(name)) / 1000);
  return ends.some(Number.isNaN) || ends[0] >= ends[1] ? { ends: null, days: null } : { ends, days: undefined };
}

function setRange(query) {
  dispatchEvent(new CustomEvent("range", { detail: location.pathname + query }));
}

function setEnds(ends) {
  const minute = (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`;
  setRange(`?from=${minute(ends[0])}&to=${minute(ends[1])}`);
}

export function modelView(main, name) {
  titled(name);
  const address = `/v1/models/${encodeURIComponent(name)}`;
  const series = new Series(address);
  const [head, facts, ranges, under, notice, revisions, alerts, acts, settings] = Array.from({ length: 9 }, () => h("div"));
  const readout = h("p", { class: "readout", "aria-live": "polite" });
  const behind = numbers("auc-numbers", `${name} AUC`, ["cohort", "state", ...COLUMNS]);
  const over = section("AUC over prediction time", "over-time", ranges, readout);
  const parts = { changed: changedPart(name), segments: segmentsPart(name), labels: labelsPart(name), shapes: shapesPart(name) };
  let chart = null;
  let slow = { at: -Infinity };
  main.append(head, facts, over, ...Object.values(parts).map((one) => one.element), revisions, notice, alerts, acts, settings);
  for (const one of main.children) one.hidden = true; // until there is something to show

  function charted(zone) {
    chart = new TimeChart({
      label: `AUC of ${name} over prediction time`,
      zone: zoneOf(zone),
      onRange: setEnds,
      onPoint: (place, columns) => show(readout, [place, columns.cohort[place]], () => cohortLine(place, columns, series.found)),
    });
    over.append(chart.element, under, behind);
  }

  return {
    cares: (_, content) => !content.model || content.model === name,
    hear: (kind, content) => series.hear(kind === "reading" ? content.cohort : null),
    async update() {
      const { ends, days } = rangeInAddress();
      const asked = performance.now();
      const old = asked - slow.at > SLOW;
      const [model, arrival, shapes] = await Promise.all([get(address), old ? get(`${address}/arrival`) : slow.arrival, old ? get(`${address}/distributions`) : slow.shapes, series.update(ends)]);
      if (old) slow = { at: asked, arrival, shapes };
      const { found, version } = series;
      for (const one of main.children) one.hidden = false;
      titled(name, model.status === "firing");
      const firing = model.alerts.filter((one) => one.state === "firing");
      show(head, [model.status, model.sentence, firing, model.acts, model.deployments, isShared(), minutes()], () => headOf(model));
      show(facts, [model.now, model.last_prediction?.slice(0, 16), version, arrival.seconds_95], () => factsOf(model, found, arrival));
      if (!chart) charted(found.time_zone);
      show(ranges, [ends, days], () => rangesOf(days, chart));
      const shown = ends ?? everything(found.whole);
      const drawn = [version, shown, model.alerts.map((one) => [one.number, one.state]), model.deployments];
      if (chart.shown !== JSON.stringify(drawn)) {
        chart.shown = JSON.stringify(drawn);
        chart.draw({
          series: found.whole,
          reference: found.whole.reference,
          range: shown,
          alarms: model.alerts.filter((one) => one.kind === "change" && !one.segment).map((one) => ({ since: Date.parse(one.since) / 1000, firing: one.state === "firing", words: `since ${cohort(one.since, one.period, one.time_zone)}` })),
          deployments: model.deployments.map((one) => ({ version: one.version, time: Date.parse(one.time) / 1000 })),
        });
      }
      show(under, keysOf(found), (keys) => legend(found, keys));
      behind.update(() => rowsOf(found, found.whole));
      parts.changed.update(model.alerts);
      parts.segments.update(version, found, shown, model.alerts);
      parts.labels.update(arrival, model, found.label_free);
      parts.shapes.update(shapes, model.settings.window_seconds);
      show(notice, [model.notice, model.change], () => noticeOf(model));
      show(revisions, version, () => revisionsOf(found));
      show(alerts, model.alerts, () => (model.alerts.length ? section("Alerts", "model-alerts", alertTable(model.alerts.slice(0, 20).map((one) => alertRow(one, false)))) : []));
      show(acts, model.acts, () => (model.acts.length ? section("What people did", "acts", actList(model.acts, model.time_zone)) : []));
      show(settings, [model.settings, model.rules, model.challengers, model.challenger_of], () => settingsOf(model));
    },
    close() {
      chart?.close();
    },
  };
}

const minutes = () => Math.floor(Date.now() / 60_000);

/** The end of the mute that holds, if one does. */
function mutedUntil(acts) {
  const [latest] = acts.filter((one) => ["mute", "unmute"].includes(one.kind));
  return latest?.kind === "mute" && Date.parse(latest.until) > Date.now() ? latest.until : null;
}

/** The sentence, without the reason that is said below it. */
function lead({ sentence, alerts }) {
  const reason = mainChange(alerts)?.why.sentence;
  return reason ? sentence.replace(reason, "").trim() : sentence;
}

function headOf(model) {
  const until = mutedUntil(model.acts);
  return [
    h("div", { class: "title" }, h("h1", null, named(model.model)), badge(model.status), until ? h("span", { class: "note" }, `${badge("muted").textContent} until ${zoned(until, model.time_zone)}`) : null),
    h("p", { class: "sentence" }, prose(lead(model))),
    troubleList(model),
    isShared() ? null : actButtons(model, { muted: until !== null })];
}

function factsOf(model, series, arrival) {
  const { now, settings } = model;
  const { whole } = series;
  const done = whole.end.findLastIndex((end) => end <= Date.now() / 1000);
  const at = (column) => (done < 0 ? null : whole[column][done]);
  const day = done < 0 ? null : cohort(at("cohort") * 1000, series.period, series.time_zone);
  const mature = whole.frozen_auc.filter((one) => one !== null).slice(-7);
  const mean = mature.length ? mature.reduce((a, b) => a + b) / mature.length : null;
  const { reference } = whole;
  return h("dl", { class: "facts" },
    fact(`AUC now, last ${duration(settings.window_seconds)}`, auc(now.auc), interval(now.low, now.high) || "too few labels", `${count(now.n_pos)} positive, ${count(now.n_neg)} negative`),
    reference === null || mean === null
      ? fact("Against the reference", "–", "The reference is still being learned.")
      : fact("Against the reference", signed(mean - reference), `${auc(mean)}, last ${plural(mature.length, `mature ${series.period}`)}`, `${auc(reference)} in the reference`),
    fact("Labels known", percent(at("coverage")), day ? `of ${day}` : "no complete cohort", arrival.seconds_95 ? `95 % within ${duration(arrival.seconds_95)}` : null),
    fact("Predictions", count(at("n")), day ? `of ${day}` : "no complete cohort", ["latest ", since(model.last_prediction)]));
}

function rangesOf(days, chart) {
  const zoom = h("button", { type: "button", id: "zoom", "aria-pressed": String(chart.near), onclick: () => {
    chart.zoom(!chart.near);
    zoom.setAttribute("aria-pressed", String(chart.near));
  } }, "Zoom to the values");
  return h("div", { class: "ranges" },
    h("div", { class: "joined", role: "group", "aria-label": "Range of time" },
      PRESETS.map(([words, one]) => h("button", { type: "button", id: `range-${one ?? "all"}`, "aria-pressed": String(days === one), onclick: () => setRange(one === null ? "" : `?last=${one}d`) }, words))),
    zoom,
    h("span", { class: "note wide" }, "Drag across the chart for another range."));
}

/** What there is to explain in the chart. */
function keysOf({ whole, label_free: labelFree }) {
  const open = whole.mature.includes(false);
  return { open, reference: whole.reference, bounds: open && whole.bound_low.some((one, i) => !whole.mature[i] && one !== null), implied: open && labelFree.shown };
}

function legend(series, { open, reference, bounds, implied }) {
  const zone = zoneOf(series.time_zone);
  const keys = [
    ["line", `AUC of a mature ${series.period}, 95 % interval`],
    reference === null ? null : ["dashed", `reference ${auc(reference)}`],
    open ? ["circle", "provisional: labels are missing"] : null,
    bounds ? ["hatched", "bounds over the missing labels"] : null,
    implied ? ["dotted", "implied by the scores"] : null,
    ["bars", "share of labels"],
  ].filter(Boolean);
  return h("p", { class: "legend note" },
    keys.map(([kind, words]) => h("span", null, h("span", { class: `key ${kind}` }), words)),
    h("span", null, `${series.period}s in ${series.time_zone}${zone === series.time_zone ? "" : `, axis in ${zone}`}`));
}

function cohortLine(place, columns, series) {
  if (place === null || columns.n[place] === null) return "\u00a0";
  const at = (name) => columns[name][place];
  const day = cohort(at("cohort") * 1000, series.period, series.time_zone);
  const value = at("auc") === null ? "too few labels for an AUC" : at("mature") ? `AUC ${auc(at("auc"))} ${interval(at("low"), at("high"))}` : `provisional AUC ${auc(at("provisional") ?? at("auc"))}`;
  return `${day}: ${value}, ${plural(at("n"), "prediction")}, ${percent(at("coverage"))} labelled`;
}

const COLUMNS = ["n", "n_labelled", "n_pos", "coverage", "auc", "low", "high", "frozen_auc", "provisional", "bound_low", "bound_high", "expected_auc", "positive_rate", "mean_score", "expected_positives", "psi", "psi_critical"];

function rowsOf(series, stream) {
  return stream.cohort.map((time, i) => [cohort(time * 1000, series.period, series.time_zone), stream.mature[i] ? "mature" : "open", ...COLUMNS.map((one) => stream[one][i])]);
}

function changedPart(model) {
  const element = h("div");
  const behind = numbers("changed-numbers", `${model} change`, ["by", "part", "change of the AUC", "low", "high"]);
  return {
    element,
    update(alerts) {
      const alert = mainChange(alerts);
      const best = decomposition(alert);
      behind.update(() => alert.why.by.flatMap((by) => partsOf(by).map((one) => [by.by, one.name, one.value, one.low ?? null, one.high ?? null])));
      show(element, best ? alert : null, () => {
        if (!best) return [];
        const { alarm } = alert;
        const rows = partsOf(best);
        return section("What changed", "changed",
          h("div", { class: "two" },
            picture(26 * rows.length + 22, (width) => changePicture(width, rows)),
            h("div", null,
              h("p", null, `The mean AUC of ${plural(alarm.n_blocks, alert.period)} from ${cohort(alert.since, alert.period, alert.time_zone)} on was ${auc(alarm.mean)}, and ${auc(alarm.reference_mean)} in the reference. The evidence was ${count(Math.round(alarm.statistic))}; an alarm needs ${count(Math.round(alarm.threshold))}.`),
              h("p", { class: "note" }, "Ranking: the same kinds of cases are ranked worse. Mix: there are more of the cases that are harder to rank. Segments add up to the total; a pair of two segments counts half for each. Lines are 95 % intervals."),
              h("p", null, h("a", { href: `/alerts/${alert.number}` }, "The alert as it was")))),
          behind);
      });
    },
  };
}

function revisionsOf(series) {
  const { whole: stream, period } = series;
  const rows = stream.cohort.map((time, i) => [time, stream.frozen_auc[i], stream.auc[i]]).filter(([, frozen, now]) => frozen !== null && now !== null && Math.abs(frozen - now) > 5e-7);
  if (!rows.length) return [];
  const number = (text) => ({ text, number: true });
  return h("details", { id: "revisions", class: "folded" }, h("summary", null, h("h2", null, `Revisions: ${plural(rows.length, period)}`)),
    h("p", { class: "note" }, `Labels that came or were corrected after a ${period} was mature change what is drawn, and not what was judged.`),
    table("Revisions", [period, "as judged then", "as known now", "difference"], rows.slice(-100).map(([time, frozen, now]) => [cohort(time * 1000, period, series.time_zone), number(auc(frozen)), number(auc(now)), number(signed(now - frozen))]), [1, 2, 3]));
}

function noticeOf(model) {
  const title = "What this monitor could notice";
  const { cohort: period } = model.settings;
  const { missing, problem } = model.change;
  if (!model.notice.length) return section(title, "notice", h("p", null, `Nothing yet. ${missing ? `${plural(missing, `more mature ${period}`)} ${missing === 1 ? "is" : "are"} needed for a reference.` : problem ?? ""}`));
  return section(title, "notice",
    h("ul", null, model.notice.map((one) => h("li", null, one.cohorts === null ? `A drop of ${one.drop.toFixed(2)} would probably not be noticed within a year.` : `A drop of the AUC by ${one.drop.toFixed(2)} would be noticed within ${plural(one.cohorts, period)}, in half of the cases.`))),
    h("p", { class: "note" }, `Found by drawing ${period}s from the reference again, lowered by the drop. One false alarm is expected in ${count(Math.round(model.change.threshold))} ${period}s of this stream, if ${model.change.condition}.`));
}

function settingsOf(model) {
  const { settings } = model;
  const rows = [
    ["cohorts", `${settings.cohort}s, ${settings.time_zone}`],
    ["mature", `${percent(settings.coverage)} of labels${settings.horizon_seconds ? `, or ${duration(settings.horizon_seconds)}` : ""}`],
    ["a missing label is", settings.missing_label],
    ["reference", settings.reference],
    ["window of the AUC now", duration(settings.window_seconds)],
    ...model.rules.map((one) => [`rule ${one.name}`, `${one.when}: ${one.state} (${one.stream})`]),
  ];
  const links = [...(model.challenger_of ? [[model.model, `Compared with ${model.challenger_of}, its champion`]] : []), ...model.challengers.map((one) => [one, `Compared with ${one}, its challenger`])];
  return [
    links.length ? section("Champion and challenger", "challengers", links.map(([name, words]) => h("p", null, h("a", { href: `/models/${encodeURIComponent(name)}/comparison` }, words)))) : null,
    h("details", { id: "settings", class: "folded" }, h("summary", null, h("h2", null, "Settings")), h("p", { class: "note" }, "They are those of the file, which is the only place to change them."), table("Settings", ["what", "value"], rows))];
}
