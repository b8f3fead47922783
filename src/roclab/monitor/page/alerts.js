// Alerts: which fire, which did, one of them as it was, and what people do about them.

import { get, isShared, post } from "./connection.js";
import { h, section, show, table } from "./elements.js";
import { auc, count, duration, moment, plural, signed } from "./format.js";
import { badge, modelAddress } from "./overview.js";
import { changePicture } from "./drawing.js";

const lasted = (one) => duration((new Date(one.ended ?? Date.now()) - new Date(one.fired)) / 1000);

/** An alert as a row of a table. */
export function alertRow(one, withModel = true) {
  return h("tr", null,
    h("td", { "data-label": "State" }, badge(one.state === "firing" && one.muted ? "muted" : one.state)),
    h("td", { class: "name" }, h("a", { href: `/alerts/${one.number}` }, withModel ? `${one.stream}: ${one.rule}` : one.stream === one.model ? one.rule : `${one.stream}: ${one.rule}`), h("p", null, one.sentence)),
    h("td", { "data-label": "Since" }, moment(one.since)),
    h("td", { "data-label": "Fired" }, moment(one.fired)),
    h("td", { "data-label": "Lasted" }, `${lasted(one)}${one.ended ? `, ${one.ended_how ?? "ended"}` : ""}`));
}

const HEADS = ["State", "What", "Since", "Fired", "Lasted"];

export function alertsView(main) {
  document.title = "Alerts · roclab monitor";
  const firing = h("div");
  const pending = h("div");
  const past = h("div");
  const channels = h("div");
  main.append(h("h1", null, "Alerts"), firing, pending, past, channels);
  const tableOf = (alerts) => h("table", null, h("thead", null, h("tr", null, HEADS.map((one) => h("th", { scope: "col" }, one)))), h("tbody", null, alerts.map((one) => alertRow(one))));
  return {
    cares: (kind) => kind !== "reading",
    async update() {
      const [{ alerts }, { models }, named] = await Promise.all([get("/v1/alerts"), get("/v1/models"), get("/v1/channels")]);
      const open = alerts.filter((one) => one.state === "firing");
      const waiting = models.filter((one) => one.status === "pending");
      show(firing, open, () => section(`Firing: ${count(open.length)}`, "firing", open.length ? tableOf(open) : h("p", null, "Nothing fires.")));
      show(pending, waiting, () => (waiting.length ? section("Pending", "pending", h("ul", null, waiting.map((one) => h("li", null, h("a", { href: modelAddress(one.model) }, one.model), `: ${one.sentence}`)))) : []));
      const ended = alerts.filter((one) => one.state !== "firing");
      show(past, ended, () => section("History", "history", ended.length ? tableOf(ended) : h("p", null, "No alert has ended yet.")));
      show(channels, named, () => section("Channels", "channels", channelList(named.channels)));
    },
  };
}

function channelList(names) {
  if (!names.length) return h("p", null, "Alerts are shown here and written to the log. To be told elsewhere, add a channel to the settings: ", h("code", null, "[[alerts.channel]]"), ".");
  return h("ul", { class: "channels" }, names.map((name) => {
    const said = h("span", { role: "status" });
    const test = h("button", { type: "button", id: `test-${name}`, "aria-label": `Test ${name}`, onclick: async () => {
      said.textContent = " sending…";
      try {
        await post(`/v1/channels/${encodeURIComponent(name)}/test`);
        said.textContent = " A test was delivered.";
      } catch (error) {
        said.textContent = ` ${error.message}`;
      }
    } }, "Test");
    return h("li", null, `${name} `, isShared() ? null : test, said);
  }));
}

export function alertView(main, number) {
  document.title = `Alert ${number} · roclab monitor`;
  const part = h("div");
  main.append(part);
  return {
    cares: (kind) => kind !== "reading",
    async update() {
      const alert = await get(`/v1/alerts/${number}`);
      show(part, alert, () => one(alert));
    },
  };
}

function one(alert) {
  const { alarm, why } = alert;
  const best = why?.by?.find((each) => why.sentence.includes(` ${each.by} `)) ?? why?.by?.[0];
  return [
    h("div", { class: "title" }, h("h1", null, `${alert.stream}: ${alert.rule}`), badge(alert.state)),
    h("p", { class: "sentence" }, alert.sentence),
    h("p", null, `Since ${moment(alert.since)}, fired ${moment(alert.fired)}${alert.ended ? `, ended ${moment(alert.ended)} (${alert.ended_how ?? "ended"})` : ""}, times in UTC unless you chose yours. `, h("a", { href: modelAddress(alert.model) }, `${alert.model} now`)),
    isShared() || alert.state !== "firing" ? null : actButtons({ model: alert.model }, alert.number),
    alarm ? section("As it was at that moment", "then",
      h("div", { class: "two" }, best ? changePicture([{ name: "all of it", value: best.difference, strong: true }, { name: "ranking", value: best.ranking, strong: true }, { name: "mix of segments", value: best.mix, strong: true }, ...best.segments.map((each) => ({ name: `${best.by} ${each.segment}`, value: each.share }))]) : null,
        table("As it was", ["what", "value"], [
          ["mean AUC since the change", { text: auc(alarm.mean), number: true }],
          ["mean AUC of the reference", { text: auc(alarm.reference_mean), number: true }],
          ["difference", { text: signed(alarm.difference), number: true }],
          ["blocks since the change", alarm.n_blocks],
          ["positives, negatives", { text: `${count(alarm.n_pos)}, ${count(alarm.n_neg)}`, number: true }],
          ["evidence, of what an alarm needs", { text: `${count(Math.round(alarm.statistic))} of ${count(Math.round(alarm.threshold))}`, number: true }],
        ])),
      h("p", { class: "note" }, `One false alarm is expected in ${count(Math.round(alarm.average_run_length))} cohorts of this stream, if ${alarm.condition}.`)) : null,
    section("Deliveries", "deliveries", alert.deliveries.length ? table("Deliveries", ["channel", "kind", "state", "attempts", "created", "error"], alert.deliveries.map((each) => [each.channel, each.kind, each.state, each.attempts, moment(each.created), each.error ?? ""])) : h("p", null, "It was delivered nowhere: there is no channel, it was muted, or it is history.")),
    section("What people did", "acts", alert.acts.length ? h("ul", null, alert.acts.map((each) => h("li", null, `${moment(each.at)}, ${each.author}: ${each.kind}. ${each.reason}`))) : h("p", null, "Nothing yet.")),
  ].filter(Boolean);
}

const UNTIL = [["1 hour", 3600], ["1 day", 86400], ["1 week", 604800]];

/** Buttons for what people do about a model: each asks for a reason, and is recorded. */
export function actButtons(model, alert = null) {
  const firing = alert ?? model.alerts?.find((one) => one.state === "firing")?.number ?? null;
  const acts = [["mute", "Mute…"], firing !== null ? ["close", "Close the alert…"] : null, ["rebase", "Re-base…"], ["note", "Note…"]].filter(Boolean);
  return h("div", { class: "acts" }, acts.map(([kind, words]) => h("button", { type: "button", id: `act-${kind}`, onclick: () => ask(kind, model.model, firing) }, words)));
}

const EXPLAINED = {
  mute: "Alerts of this model are recorded and shown, and delivered to nobody until then. Those that still fire then are delivered.",
  close: "The alert ends now. If the model still ranks worse, the next evidence begins from nothing.",
  rebase: "What the model does from now on is the new normal: its streams learn a new reference, and notice nothing meanwhile.",
  note: "A note for those who look at this later.",
};

function ask(kind, model, alert) {
  const reason = h("textarea", { id: "reason", required: true, maxlength: 2000, rows: 3 });
  const until = h("select", { id: "until" }, UNTIL.map(([word, seconds]) => h("option", { value: seconds }, word)));
  const said = h("p", { role: "alert" });
  const dialog = h("dialog", { "aria-labelledby": "ask-title" },
    h("form", { method: "dialog", onsubmit: async (event) => {
      event.preventDefault();
      try {
        await post(`/v1/models/${encodeURIComponent(model)}/acts`, {
          kind,
          reason: reason.value.trim(),
          ...(kind === "mute" ? { until: new Date(Date.now() + 1000 * until.value).toISOString() } : {}),
          ...(alert !== null && kind !== "rebase" ? { alert } : {}),
        });
        dialog.close();
      } catch (error) {
        said.textContent = error.message;
      }
    } },
      h("h2", { id: "ask-title" }, { mute: `Mute ${model}`, close: `Close alert ${alert}`, rebase: `Re-base ${model}`, note: `Note on ${model}` }[kind]),
      h("p", { class: "note" }, EXPLAINED[kind]),
      kind === "mute" ? h("p", null, h("label", { for: "until" }, "For "), until) : null,
      h("p", null, h("label", { for: "reason" }, "Reason, for the record"), reason),
      said,
      h("p", { class: "acts" }, h("button", { type: "submit", class: "primary" }, "Record it"), h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  reason.focus();
}
