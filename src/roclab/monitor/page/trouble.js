// What someone who was woken asks of a model: since when, for whom, why, and what to do.

import { h, named, prose } from "./elements.js";
import { auc, cohort, cohortAgo, signed } from "./format.js";

const DAY = 86400_000;

/** The change of a model that fires: of the whole, or else of the segment that fell most. */
export function mainChange(alerts) {
  const changes = alerts.filter((one) => one.kind === "change" && one.state === "firing");
  return changes.find((one) => !one.segment) ?? changes.toSorted((a, b) => a.alarm.difference - b.alarm.difference)[0] ?? null;
}

/** The decomposition of a change that its sentence speaks of: by the segment that says most. */
export function decomposition(alert) {
  const all = alert?.why?.by ?? [];
  return all.find((one) => alert.why.sentence.includes(` ${one.by} `)) ?? all[0] ?? null;
}

/** Parts of a change, as rows of a picture. */
export function partsOf(found) {
  return [
    { name: "total", value: found.difference, low: found.low, high: found.high, strong: true },
    { name: "ranking", value: found.ranking, low: found.ranking_low, high: found.ranking_high, strong: true },
    { name: "mix of segments", value: found.mix, low: found.mix_low, high: found.mix_high, strong: true },
    ...found.segments.map((one) => ({ name: `${found.by} ${one.segment}`, value: one.share })),
  ];
}

const of = (one) => `${one.segment} ${one.segment_value}`;

/** Names of the segments that are concerned: those that fire, or else the one that contributes most. */
export function concerned(alerts) {
  const firing = alerts.filter((one) => one.kind === "change" && one.state === "firing" && one.segment).toSorted((a, b) => a.alarm.difference - b.alarm.difference);
  if (firing.length) return firing.map((one) => ({ name: of(one), before: one.alarm.reference_mean, after: one.alarm.mean }));
  const found = decomposition(mainChange(alerts));
  if (!found) return [];
  const worst = found.segments.toSorted((a, b) => a.share - b.share)[0];
  if (worst.share > found.difference / 2) return [];
  return [{ name: `${found.by} ${worst.segment}`, before: worst.auc_before, after: worst.auc_after }];
}

const dayOf = (alert) => cohort(alert.since, alert.period, alert.time_zone);

function forWhom(alerts, main) {
  const found = concerned(alerts);
  if (!found.length) return decomposition(main) ? "For all segments alike." : "It is not known: predictions come without segments.";
  const shown = found.slice(0, 3).map((one, i) => [i ? "; " : "", h("strong", null, named(one.name)), `, whose AUC fell from ${auc(one.before)} to ${auc(one.after)}`]);
  return [shown, found.length > 3 ? `; and ${found.length - 3} more` : "", "."];
}

function why(main) {
  const found = decomposition(main);
  if (!found) return main.segment ? "The ranking: cases of this segment are ranked worse than before." : null;
  const { mix, ranking } = found;
  const parts = `(ranking ${signed(ranking)}, mix ${signed(mix)})`;
  if (Math.abs(ranking) >= 2 * Math.abs(mix)) return [h("strong", null, "The ranking"), `, not the mix: the same kinds of cases are ranked worse ${parts}.`];
  if (Math.abs(mix) >= 2 * Math.abs(ranking)) return [h("strong", null, "The mix"), `, not the ranking: there are more cases that are harder to rank ${parts}.`];
  return [h("strong", null, "Both ranking and mix"), `: cases are ranked worse, and there are more of the harder ones ${parts}.`];
}

/** What can be done about a change: at once, and then. */
export function advice(alerts, deployments = []) {
  const main = mainChange(alerts);
  if (!main) return null;
  const found = decomposition(main);
  const near = deployments.find((one) => Math.abs(Date.parse(one.time) - Date.parse(main.since)) < 3 * DAY);
  const deployed = near ? ` Version ${near.version} was deployed on ${near.time.slice(0, 10)}.` : "";
  if (found && Math.abs(found.mix) >= 2 * Math.abs(found.ranking)) return [`Find out why there are more of the harder cases since ${dayOf(main)}.${deployed}`, " If they stay, re-base."];
  const [worst] = concerned(alerts);
  const [where, there] = worst ? [` for ${worst.name}`, " there"] : ["", ""];
  return [`See what changed${where} around ${dayOf(main)}: a deployment, a feature, a source of data.${deployed}`, ` Until it is repaired, do not rely on the scores${there}. If it is meant to stay so, re-base.`];
}

/** What to do about a quantity of a rule that fires, by its name. */
export const REMEDIES = {
  silence: "See whether predictions are still made and sent; the log of the client says what it dropped.",
  volume: "See whether all predictions are still made and sent; the log of the client says what it dropped.",
  label_silence: "See whether labels are still collected and sent.",
  label_delay: "See what holds up the labels; until they come, new changes are noticed later.",
  coverage: "See which labels do not come; what is known of this cohort may not be typical.",
  psi: "Compare the scores below with the reference: inputs, or who is scored, have changed.",
  mean_score: "Compare the scores below with the reference: inputs, or who is scored, have changed.",
  positive_rate: "See whether there are more positives, or whether labels are collected otherwise.",
  auc: "See below which segments rank worse, and since when.",
  now: "See below which segments rank worse, and since when.",
};

/** What to do about a model that nothing has happened to but time. */
function todoOf(model, alerts) {
  if (model.status === "no data") return REMEDIES.silence;
  if (model.status === "learning" && model.change?.missing) return "Nothing: it learns by itself. If you have decisions of the past with their labels, roclab monitor import makes a reference of them at once.";
  const rule = alerts.length ? model.rules?.find((one) => one.name === alerts[0].rule) : model.rules?.find((one) => one.state === "pending");
  return rule ? REMEDIES[rule.when.split(/[ .]/)[0]] ?? null : null;
}

/** The answers, as a list of questions and answers; null where there is nothing to ask. */
export function troubleList(model) {
  const alerts = model.alerts.filter((one) => one.state === "firing");
  const main = mainChange(alerts) ?? alerts.at(-1) ?? null;
  const rows = [];
  if (main) {
    rows.push(["Since", [h("strong", { class: "together" }, dayOf(main)), `, ${cohortAgo(main.since, main.period, main.time_zone)}; noticed `, h("span", { class: "together" }, `${cohort(main.fired, main.period === "hour" ? "hour" : "day", main.time_zone)}.`)]]);
    if (main.kind === "change") rows.push(["For whom", forWhom(alerts, main)], ["Why", why(main)]);
  }
  rows.push(["What to do", advice(alerts, model.deployments)?.map(prose) ?? todoOf(model, alerts)]);
  const shown = rows.filter(([, text]) => text);
  return shown.length ? h("dl", { class: "answers" }, shown.map(([question, text]) => h("div", null, h("dt", null, question), h("dd", null, text)))) : null;
}
