// Segments of a model as small multiples: the same axes for all, those that cost most first.

import { h, named, numbers, picture, section, show } from "./elements.js";
import { aucLimits, multiple } from "./drawing.js";
import { STATUS, auc, cohort, percent } from "./format.js";

const SHOWN = 12;

/** The section of the segments, with a function that fills it. */
export function segmentsPart(model) {
  const part = h("div");
  const behind = numbers("segments-numbers", `${model} segments`, ["segment", "cohort", "state", "n", "coverage", "auc", "low", "high"]);
  const list = h("div");
  const whole = section("Segments", "segments", list, behind);
  return {
    element: part,
    update(version, series, range, alerts) {
      const since = new Map(alerts.filter((one) => one.kind === "change" && one.state === "firing").map((one) => [one.stream, Date.parse(one.since) / 1000]));
      show(part, series.segments.length > 0, (some) => (some ? whole : []));
      show(list, [version, range, [...since]], () => multiples(series, range, since));
      behind.update(() => series.segments.flatMap((one) => one.cohort.map((time, i) => [`${one.segment} ${one.value}`, cohort(time * 1000, series.period, series.time_zone), one.mature[i] ? "mature" : "open", one.n[i], one.coverage[i], one.auc[i], one.low[i], one.high[i]])));
    },
  };
}

function multiples(series, range, since) {
  const { segments, period, time_zone: zone } = series;
  const limits = aucLimits(segments.flatMap((one) => one.auc.filter((_, i) => one.mature[i])));
  const dates = range.map((one, i) => cohort(1000 * (one - i), period === "hour" ? "hour" : "day", zone));
  const one = (stream) => h("li", { class: few(stream) ? "few" : stream.status === "firing" ? "firing" : null },
    h("p", null, h("strong", null, named(`${stream.segment} ${stream.value}`)), stream.status === "firing" ? h("span", { class: "status alarm" }, h("span", { "aria-hidden": "true" }, ` ${STATUS.firing.shape}`), " firing") : null),
    few(stream) ? null : picture(112, (width) => multiple(width, stream, { limits, ends: range, dates, since: since.get(stream.name), label: `AUC of ${stream.segment} ${stream.value} over time, the latest ${auc(latest(stream))}` })),
    h("p", { class: "note" }, few(stream) ? "Too few labels: an AUC needs ten of each class in a cohort." : `AUC ${auc(latest(stream))}${stream.reference === null ? "" : `, reference ${auc(stream.reference)}`}`),
    h("p", { class: "note" }, `${percent(stream.share)} of predictions${stream.cost > 0.0005 ? `, costs ${stream.cost.toFixed(3)}` : ""}`));
  const lists = (streams) => h("ul", { class: "multiples" }, streams.map(one));
  const costs = segments.some((each) => each.cost > 0.0005);
  return [
    h("p", { class: "note" }, `AUC of mature cohorts on the same axes.${costs ? " The cost is the fall below the reference in the last seven of them, times the share of predictions; those that cost most come first." : ""}`),
    lists(segments.slice(0, SHOWN)),
    segments.length > SHOWN ? h("details", { id: "more-segments" }, h("summary", null, `${segments.length - SHOWN} more`), lists(segments.slice(SHOWN))) : null];
}

const latest = (stream) => stream.auc.findLast((one, i) => stream.mature[i] && one !== null);
const few = (stream) => latest(stream) === undefined;
