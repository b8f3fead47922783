// The arithmetic of the decision panel: counts at the thresholds of a model, and what they mean for a prevalence,
// a ratio of costs and a capacity. No drawing here, so that the numbers can be compared with those of the library.
"use strict";

const decision = (() => {
  // A normal quantile of 97.5 %.
  const Z = 1.959963984540054;
  const SLACK = 1e-12;

  // Wilson's interval of a rate among `size` examples; the same with effective numbers where examples are weighted.
  function wilson(rate, size) {
    if (!(size > 0)) return [NaN, NaN];
    const w = (Z * Z) / size;
    const middle = (rate + w / 2) / (1 + w);
    const half = Math.sqrt(w * (rate * (1 - rate) + w / 4)) / (1 + w);
    return [Math.max(middle - half, 0), Math.min(middle + half, 1)];
  }

  // Rates at a place among the thresholds of a model.
  function rates(model, place) {
    return { tpr: model.tp[place] / model.pos, fpr: model.fp[place] / model.neg };
  }

  // Share of examples that are called positive, at a prevalence.
  function calledPositive({ tpr, fpr }, prevalence) {
    return prevalence * tpr + (1 - prevalence) * fpr;
  }

  // Expected cost per example, in units of a false positive.
  function expectedCost({ tpr, fpr }, prevalence, costRatio) {
    return prevalence * (1 - tpr) * costRatio + (1 - prevalence) * fpr;
  }

  // Net benefit per example, in units of a true positive (Vickers and Elkin, 2006).
  function netBenefit({ tpr, fpr }, prevalence, costRatio) {
    return prevalence * tpr - ((1 - prevalence) * fpr) / costRatio;
  }

  // The place of the lowest cost within the capacity, the strictest of equally good ones.
  function best(model, { prevalence, costRatio, capacity }) {
    const most = prevalence * costRatio + (1 - prevalence);
    let lowest = Infinity;
    let found = 0;
    for (let place = 0; place < model.threshold.length; ++place) {
      const at = rates(model, place);
      if (calledPositive(at, prevalence) > capacity + SLACK) continue;
      const cost = expectedCost(at, prevalence, costRatio) / most;
      if (cost < lowest - SLACK) {
        lowest = cost;
        found = place;
      }
    }
    return found;
  }

  // Everything that the panel shows of a place.
  function at(model, place, { prevalence, costRatio }) {
    const point = rates(model, place);
    const called = calledPositive(point, prevalence);
    const caught = prevalence * point.tpr;
    return {
      threshold: model.threshold[place],
      tp: model.tp[place],
      fp: model.fp[place],
      fn: model.pos - model.tp[place],
      tn: model.neg - model.fp[place],
      tpr: point.tpr,
      tprInterval: wilson(point.tpr, model.effective_pos),
      fpr: point.fpr,
      fprInterval: wilson(point.fpr, model.effective_neg),
      ppv: called > 0 ? caught / called : NaN,
      npv: called < 1 ? (1 - called - prevalence + caught) / (1 - called) : NaN,
      calledPositive: called,
      expectedCost: expectedCost(point, prevalence, costRatio),
      netBenefit: netBenefit(point, prevalence, costRatio),
    };
  }

  return { wilson, best, at };
})();

if (typeof module !== "undefined") module.exports = decision;
