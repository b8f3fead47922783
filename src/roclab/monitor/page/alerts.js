// Alerts: which fire, which did, one of them as it was, and what people do about them.

import { get, isShared, post } from "./connection.js";
import { h, named, picture, prose, section, show, table } from "./elements.js";
import { changePicture } from "./drawing.js";
import { auc, cohort, count, duration, interval, moment, myZone, percent, plural, signed, zoneOf, zoned } from "./format.js";
import { badge, modelAddress, titled } from "./overview.js";
import { TimeChart } from "./timechart.js";
import { decomposition, partsOf } from "./trouble.js";

const stateOf = (one) => (one.state === "firing" && one.muted ? "muted" : one.state);

function lasted(one) {
  const length = duration((new Date(one.ended ?? Date.now()) - new Date(one.fired)) / 1000);
  return one.ended ? [length, h("span", { class: "note" }, one.ended_how ?? "ended")] : `${length} so far`;
}

const when = (time, zone) => [moment(time, zone), h("span", { class: "note" }, zoneOf(zone))];

/** An alert as a row of a table. */
export function alertRow(one, withModel = true) {
  const title = withModel || one.stream !== one.model ? [named(one.stream), `: ${one.rule}`] : one.rule;
  return h("tr", null,
    h("td", { "data-label": "State" }, badge(stateOf(one))),
    h("td", { class: "name" }, h("a", { href: `/alerts/${one.number}`, id: `alert-${one.number}` }, title), h("p", null, prose(one.sentence))),
    h("td", { "data-label": "Since" }, when(one.since, one.time_zone)),
    h("td", { "data-label": "Fired" }, when(one.fired, one.time_zone)),
    h("td", { "data-label": "Lasted" }, lasted(one)));
}

export const alertTable = (rows) => h("table", { class: "alerts" }, h("thead", null, h("tr", null, ["State", "What", "Since", "Fired", "Lasted"].map((one) => h("th", { scope: "col" }, one)))), h("tbody", null, rows));

export function alertsView(main) {
  titled("Alerts");
  const [firing, pending, muted, past, channels] = Array.from({ length: 5 }, () => h("div"));
  main.append(h("h1", null, "Alerts"), firing, pending, muted, past, channels);
  const listed = (title, id, alerts) => section(`${title}: ${count(alerts.length)}`, id, alertTable(alerts.map((one) => alertRow(one))));
  return {
    cares: (kind) => kind !== "reading",
    async update() {
      const [{ alerts }, { models }, names] = await Promise.all([get("/v1/alerts"), get("/v1/models"), get("/v1/channels")]);
      const of = (state) => alerts.filter((one) => stateOf(one) === state);
      const waiting = models.filter((one) => one.status === "pending");
      const minute = Math.floor(Date.now() / 60_000);
      titled("Alerts", of("firing").length);
      show(firing, [of("firing"), minute], ([found]) => (found.length ? listed("Firing", "firing", found) : section("Firing", "firing", h("p", null, "Nothing fires."))));
      show(pending, waiting.map((one) => [one.model, one.sentence]), (found) => (found.length ? section(`Pending: ${count(found.length)}`, "pending", h("ul", null, found.map(([model, sentence]) => h("li", null, h("a", { href: modelAddress(model) }, named(model)), ": ", prose(sentence))))) : []));
      show(muted, [of("muted"), minute], ([found]) => (found.length ? listed("Muted", "muted", found) : []));
      const ended = alerts.filter((one) => one.state !== "firing");
      show(past, ended, () => (ended.length ? listed("History", "history", ended) : section("History", "history", h("p", null, "No alert has ended yet."))));
      show(channels, names, () => section("Channels", "channels", channelList(names.channels)));
    },
  };
}

function channelList(names) {
  if (!names.length) return h("p", null, "Alerts are shown here and written to the log. To send them elsewhere, add a channel to the settings: ", h("code", null, "[[alerts.channel]]"), ".");
  return h("ul", { class: "channels" }, names.map((name, i) => {
    const said = h("span", { role: "status" });
    const test = h("button", { type: "button", id: `test-${i}`, "aria-label": `Test ${name}`, onclick: async () => {
      said.textContent = "sending…";
      try {
        await post(`/v1/channels/${encodeURIComponent(name)}/test`);
        said.textContent = "A test was delivered.";
      } catch (error) {
        said.textContent = error.message;
      }
    } }, "Test");
    return h("li", null, named(name), isShared() ? null : test, said);
  }));
}

export function alertView(main, number) {
  titled(`Alert ${number}`);
  const [head, then, rest] = Array.from({ length: 3 }, () => h("div"));
  main.append(head, then, rest);
  let chart = null;
  return {
    cares: (kind) => kind !== "reading",
    async update() {
      const alert = await get(`/v1/alerts/${number}`);
      titled(`${alert.stream}: ${alert.rule}`, alert.state === "firing");
      show(head, [alert, isShared()], () => headOf(alert));
      if (!chart) {
        chart = await chartOf(alert);
        then.append(asItWas(alert, chart));
      }
      show(rest, [alert.deliveries, alert.acts], () => afterwards(alert));
    },
    close() {
      chart?.close();
    },
  };
}

function headOf(alert) {
  const zone = alert.time_zone;
  return [
    h("div", { class: "title" }, h("h1", null, named(alert.stream), `: ${alert.rule}`), badge(stateOf(alert))),
    h("p", { class: "sentence" }, prose(alert.sentence)),
    h("p", null, `Since ${zoned(alert.since, zone)}, fired ${zoned(alert.fired, zone)}${alert.ended ? `, ended ${zoned(alert.ended, zone)} (${alert.ended_how ?? "ended"})` : ""}. `, h("a", { href: modelAddress(alert.model) }, named(alert.model), " now")),
    isShared() ? null : actButtons({ model: alert.model, alerts: [alert] }, { acts: alert.state === "firing" ? ["mute", "close", "rebase", "note"] : ["note"], alert: alert.number })];
}

const BEFORE = 30; // cohorts of the chart before the alert began

/** The readings as they were frozen when the alert fired, which later labels have not changed. */
async function chartOf(alert) {
  const of = alert.segment ? `&segment=${encodeURIComponent(alert.segment)}&value=${encodeURIComponent(alert.segment_value)}` : "";
  const { cohorts } = await get(`/v1/models/${encodeURIComponent(alert.model)}/history?until=${alert.fired}${of}`);
  const known = cohorts.filter((one) => one.frozen && one.frozen_at <= alert.fired);
  const first = Math.max(0, known.findIndex((one) => one.cohort >= alert.since) - BEFORE);
  const shown = known.slice(first);
  const seconds = (text) => Date.parse(text) / 1000;
  const column = (name) => shown.map((one) => one.frozen[name]);
  const readout = h("p", { class: "readout", "aria-live": "polite" });
  const chart = new TimeChart({ label: `AUC of ${alert.stream} as it was when the alert fired`, zone: zoneOf(alert.time_zone), onPoint: (place, columns) => show(readout, place, () => (place === null || columns.n[place] === null ? "\u00a0" : `${cohort(columns.cohort[place] * 1000, alert.period, alert.time_zone)}: AUC ${auc(columns.auc[place])} ${interval(columns.low[place], columns.high[place])}, ${percent(columns.coverage[place])} labelled`)) });
  chart.empty = !shown.some((one) => one.frozen.auc !== null);
  chart.readout = readout;
  chart.draw({
    series: { cohort: shown.map((one) => seconds(one.cohort)), end: shown.map((one) => seconds(one.end)), gap: shown.map((one, i) => i > 0 && one.cohort > shown[i - 1].end), mature: shown.map(() => true), auc: column("auc"), low: column("low"), high: column("high"), coverage: column("coverage"), n: column("n") },
    reference: alert.alarm?.reference_mean ?? null,
    range: null,
    alarms: [{ since: seconds(alert.since), firing: true, words: `since ${cohort(alert.since, alert.period, alert.time_zone)}` }],
    deployments: [],
  });
  return chart;
}

function asItWas(alert, chart) {
  const { alarm } = alert;
  const best = decomposition(alert);
  const number = (text) => ({ text, number: true });
  const expected = alarm ? h("p", { class: "note" }, `One false alarm is expected in ${plural(Math.round(alarm.average_run_length), alert.period)} of this stream, if ${alarm.condition}.`) : null;
  return section("As it was at that moment", "then",
    chart.empty ? null : [chart.readout, chart.element],
    h("p", { class: "note" }, chart.empty ? "No cohort with an AUC was mature when it fired." : `What was known when it fired, ${zoned(alert.fired, alert.time_zone)}; labels that came later have not changed it.${alarm ? ` Dashed: the reference, ${auc(alarm.reference_mean)}.` : ""}`),
    alarm ? [
      h("div", { class: "two then" },
        best ? picture(26 * (best.segments.length + 3) + 22, (width) => changePicture(width, partsOf(best))) : null,
        table("As it was", ["what", "value"], [
          ["mean AUC since the change", number(auc(alarm.mean))],
          ["mean AUC of the reference", number(auc(alarm.reference_mean))],
          ["difference", number(signed(alarm.difference))],
          [`${alert.period}s since the change`, number(count(alarm.n_blocks))],
          ["positives since the change", number(count(alarm.n_pos))],
          ["negatives since the change", number(count(alarm.n_neg))],
          ["evidence", number(count(Math.round(alarm.statistic)))],
          ["evidence that an alarm needs", number(count(Math.round(alarm.threshold)))],
        ], [1]),
        best ? null : expected),
      best ? expected : null] : null);
}

function afterwards(alert) {
  const zone = alert.time_zone;
  return [
    section("Deliveries", "deliveries", alert.deliveries.length
      ? table("Deliveries", ["channel", "kind", "state", "attempts", `created, ${zoneOf(zone)}`, "error"], alert.deliveries.map((one) => [one.channel, one.kind, one.state, one.attempts, moment(one.created, zone), one.error ?? ""]), [3])
      : h("p", null, "It was delivered nowhere: there is no channel, it was muted, or it is history that was imported.")),
    section("What people did", "acts", alert.acts.length ? actList(alert.acts.toReversed(), zone) : h("p", null, "Nothing yet."))];
}

const DONE = { mute: "muted", unmute: "ended the mute", close: "closed the alert", rebase: "re-based", note: "noted" };

/** What people did, the newest first. */
export function actList(acts, zone) {
  return h("ul", { class: "done" }, acts.map((one) => h("li", null,
    h("span", { class: "note" }, `${zoned(one.at, zone)}, `, named(one.author), ` ${DONE[one.kind] ?? one.kind}${one.until && one.kind === "mute" ? ` until ${zoned(one.until, zone)}` : ""}`),
    h("p", { dir: "auto" }, one.reason))));
}

const UNTIL = [["1 hour", 3600], ["1 day", 86400], ["1 week", 604800]];
const WORDS = { mute: "Mute…", unmute: "Unmute…", close: "Close the alert…", rebase: "Re-base…", note: "Note…" };

/** Buttons for what people do about a model: each asks for a reason, and is recorded. */
export function actButtons(model, { acts = null, alert = null, muted = false }) {
  const firing = alert ?? model.alerts.find((one) => one.state === "firing")?.number ?? null;
  const kinds = acts ?? [muted ? "unmute" : "mute", ...(firing === null ? [] : ["close"]), "rebase", "note"];
  return h("div", { class: "acts" }, kinds.map((kind) => h("button", { type: "button", id: `act-${kind}`, onclick: () => ask(kind, model.model, firing) }, WORDS[kind])));
}

const EXPLAINED = {
  mute: "Alerts of this model are recorded and shown, and delivered to nobody until then. Those that still fire then are delivered.",
  unmute: "Alerts of this model are delivered again.",
  close: "The alert ends now. If the model still ranks worse, evidence is collected from nothing.",
  rebase: "What the model does from now on is the new normal: it learns a new reference, and notices nothing meanwhile.",
  note: "A note for those who look at this later.",
};
const TITLES = { mute: "Mute", unmute: "Unmute", close: "Close the alert of", rebase: "Re-base", note: "Note on" };

function ask(kind, model, alert) {
  const reason = h("textarea", { id: "reason", required: true, maxlength: 2000, rows: 3 });
  const until = h("select", { id: "until", onchange: () => tell() }, UNTIL.map(([word, seconds]) => h("option", { value: seconds }, word)));
  const end = h("span", { class: "note" });
  const said = h("p", { role: "alert", class: "alarm" });
  const record = h("button", { type: "submit", class: "primary" }, "Record it");
  const ends = () => new Date(Date.now() + 1000 * until.value);
  const tell = () => (end.textContent = ` until ${zoned(ends(), myZone)}`);
  tell();
  const dialog = h("dialog", { "aria-labelledby": "ask-title" },
    h("form", { method: "dialog", onsubmit: async (event) => {
      event.preventDefault();
      const words = reason.value.trim();
      if (!words) {
        said.textContent = "A reason is needed.";
        return;
      }
      record.disabled = true;
      try {
        await post(`/v1/models/${encodeURIComponent(model)}/acts`, {
          kind,
          reason: words,
          ...(kind === "mute" ? { until: ends().toISOString() } : {}),
          ...(alert !== null && ["close", "note", "mute"].includes(kind) ? { alert } : {}),
        });
        dialog.close();
        dispatchEvent(new Event("acted"));
      } catch (error) {
        said.textContent = error.message;
      }
      record.disabled = false;
    } },
      h("h2", { id: "ask-title" }, TITLES[kind], " ", named(model)),
      h("p", { class: "note" }, EXPLAINED[kind]),
      kind === "mute" ? h("p", null, h("label", { for: "until" }, "For "), until, end) : null,
      h("p", null, h("label", { for: "reason" }, kind === "note" ? "Note" : "Reason, for the record"), reason),
      said,
      h("p", { class: "acts" }, record, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"))));
  dialog.addEventListener("close", () => {
    dialog.remove();
    document.getElementById(`act-${kind}`)?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  reason.focus();
}
