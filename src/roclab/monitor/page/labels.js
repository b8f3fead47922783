// How long labels take.

import { h, numbers, picture, section, show } from "./elements.js";
import { ARRIVAL, arrivalPicture } from "./drawing.js";
import { auc, duration, percent } from "./format.js";

const UNITS = [["days", 86400], ["hours", 3600], ["minutes", 60], ["seconds", 1]];

/** The section of the labels, with a function that fills it. */
export function labelsPart(model) {
  const part = h("div");
  const behind = numbers("labels-numbers", `${model} labels`, ["class", "seconds", "share"]);
  const element = section("Labels", "labels", part, behind);
  return {
    element,
    update(arrival, found, labelFree) {
      const entries = Object.entries(arrival.classes);
      behind.hidden = !entries.length;
      behind.update(() => entries.flatMap(([name, one]) => one.seconds.map((seconds, i) => [name, seconds, one.share[i]])));
      show(part, [arrival, found.settings, labelFree], () => labels(arrival, found.settings, labelFree));
    },
  };
}

function labels(arrival, settings, labelFree) {
  const entries = Object.entries(arrival.classes);
  const absent = settings.missing_label === "negative" ? ` A label that does not come within ${duration(settings.horizon_seconds)} counts as negative.` : "";
  const rule = `A ${settings.cohort} is mature with ${percent(settings.coverage)} of its labels${settings.horizon_seconds ? `, or ${duration(settings.horizon_seconds)} after it ends` : ", or when 95 % have had the time to come"}.${absent}`;
  if (!entries.length) return [h("p", null, "Too few labels have come to say how long they take: ten of a class are needed."), h("p", { class: "note" }, rule)];
  const most = Math.max(...entries.map(([, one]) => one.seconds.at(-1)), 1);
  const [unit, length] = UNITS.find(([, seconds]) => most > 2 * seconds) ?? UNITS.at(-1);
  return h("div", { class: "two" },
    picture(ARRIVAL, (width) => arrivalPicture(width, arrival.classes, { most, unit, length, mark: arrival.seconds_95 })),
    h("div", null,
      h("p", null, arrival.seconds_95 ? `95 % of labels come within ${duration(arrival.seconds_95)}.` : "Too few labels of each class have come to say how long they take."),
      h("p", { class: "note" }, "Of young predictions only the quick labels can be known yet. The curves are corrected for that, and end with the oldest label that is known."),
      h("p", { class: "note" }, rule),
      labelFree.shown ? h("p", { class: "note" }, `While labels are missing, the chart above has a dotted line: the AUC that the scores imply. Of past cohorts it missed the truth by ${auc(labelFree.error)} on average; "nothing changed" missed it by ${auc(labelFree.error_unchanged)}.`) : null));
}
