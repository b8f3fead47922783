// Champion and challenger: the difference over time, with an interval that holds at any time.

import { get } from "./connection.js";
import { h, numbers, section, show } from "./elements.js";
import { auc, count, interval, signed, zoneOf } from "./format.js";
import { modelAddress } from "./overview.js";
import { DifferenceChart } from "./timechart.js";

export function comparisonView(main, name) {
  document.title = `${name} against its champion · roclab monitor`;
  const head = h("div");
  const facts = h("div");
  const behind = h("div");
  let chart = null;
  const over = section("Difference of the AUCs over time", "over-time");
  main.append(head, facts, over, behind);
  return {
    cares: (_, content) => !content.model || content.model === name,
    async update() {
      const found = await get(`/v1/models/${encodeURIComponent(name)}/comparison`);
      const latest = found.cohorts.at(-1);
      show(head, found.sentence, () => [
        h("h1", null, `${found.challenger} against ${found.champion}`),
        h("p", { class: "sentence" }, found.sentence),
        h("p", null, h("a", { href: modelAddress(found.challenger) }, found.challenger), " · ", h("a", { href: modelAddress(found.champion) }, found.champion))]);
      show(facts, latest ?? null, () => (latest ? h("dl", { class: "facts" },
        fact("Difference", signed(-latest.difference), latest.low === null ? "" : interval(-latest.high, -latest.low)),
        fact(found.challenger, auc(latest.auc_challenger), "mean AUC of blocks"),
        fact(found.champion, auc(latest.auc_champion), "mean AUC of blocks"),
        fact("Events with both scores", count(latest.n_events), `in ${count(latest.n_blocks)} blocks`)) : []));
      if (!latest) return;
      if (!chart) {
        chart = new DifferenceChart({ label: `Difference of the AUCs of ${found.challenger} and ${found.champion}`, zone: zoneOf("UTC") });
        over.append(chart.element, h("p", { class: "note" }, `Above zero the challenger is better. The band contains the true difference at all times at once, with a probability of ${latest.confidence_level * 100} %, so that you may look and stop whenever you like.`));
      }
      const text = JSON.stringify(found.cohorts);
      if (chart.text !== text) {
        chart.text = text;
        chart.draw(found.cohorts, latest.margin);
      }
      show(behind, found.cohorts, () => numbers("comparison-numbers", `${name} comparison`, ["cohort", "difference", "low", "high", "auc_challenger", "auc_champion", "n_events"], found.cohorts.map((one) => [one.cohort, one.difference === null ? null : -one.difference, one.high === null ? null : -one.high, one.low === null ? null : -one.low, one.auc_challenger, one.auc_champion, one.n_events])));
    },
    close() {
      chart?.close();
    },
  };
}

function fact(title, figure, note) {
  return h("div", { class: "fact" }, h("dt", null, title), h("dd", null, h("span", { class: "figure" }, figure), h("span", { class: "note" }, note)));
}
