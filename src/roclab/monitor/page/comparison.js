// Champion and challenger: the difference over time, with an interval that holds at any time.

import { get } from "./connection.js";
import { fact, h, named, numbers, prose, section, show } from "./elements.js";
import { auc, cohort, count, signed, zoneOf } from "./format.js";
import { modelAddress, titled } from "./overview.js";
import { DifferenceChart } from "./timechart.js";

export function comparisonView(main, name) {
  titled(`${name} against its champion`);
  const address = `/v1/models/${encodeURIComponent(name)}`;
  const head = h("div");
  const facts = h("div");
  const behind = numbers("comparison-numbers", `${name} comparison`, ["cohort", "difference", "low", "high", "auc_challenger", "auc_champion", "n_events"]);
  const over = section("Difference of the AUCs over time", "over-time");
  let chart = null;
  main.append(head, facts, over);
  over.hidden = true;
  return {
    cares: (_, content) => !content.model || content.model === name,
    async update() {
      const [found, { period, time_zone: zone }] = await Promise.all([get(`${address}/comparison`), get(address)]);
      const latest = found.cohorts.at(-1);
      show(head, found.sentence, () => [
        h("h1", null, named(found.challenger), " against ", named(found.champion)),
        h("p", { class: "sentence" }, prose(found.sentence)),
        h("p", null, "Challenger: ", h("a", { href: modelAddress(found.challenger) }, named(found.challenger)), ". Champion: ", h("a", { href: modelAddress(found.champion) }, named(found.champion)), ".")]);
      if (!latest) return;
      over.hidden = false;
      show(facts, latest, () => h("dl", { class: "facts" },
        fact("Difference", signed(-latest.difference), latest.low === null ? "" : `[${signed(-latest.high)}, ${signed(-latest.low)}]`, "challenger minus champion"),
        fact("Challenger", auc(latest.auc_challenger), "mean AUC of all blocks"),
        fact("Champion", auc(latest.auc_champion), "mean AUC of all blocks"),
        fact("Events with both scores", count(latest.n_events), `in ${count(latest.n_blocks)} blocks`)));
      if (!chart) {
        chart = new DifferenceChart({ label: `Difference of the AUCs of ${found.challenger} and ${found.champion}`, zone: zoneOf(zone) });
        over.append(chart.element, h("p", { class: "note" }, `The band contains the true difference at all times at once, with a probability of ${latest.confidence_level * 100} %: you may look, and stop, whenever you like.${latest.margin ? ` Dashed: the margin of ±${latest.margin} within which both count as equal.` : ""} Times in ${zoneOf(zone)}.`), behind);
      }
      const text = JSON.stringify(found.cohorts);
      if (chart.shown !== text) {
        chart.shown = text;
        chart.draw(found.cohorts, latest.margin);
      }
      const negative = (value) => (value === null ? null : -value);
      behind.update(() => found.cohorts.map((one) => [cohort(one.cohort, period, zone), negative(one.difference), negative(one.high), negative(one.low), one.auc_challenger, one.auc_champion, one.n_events]));
    },
    close() {
      chart?.close();
    },
  };
}
