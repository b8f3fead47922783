// Scores now against the reference: ROC curve, histogram and calibration.

import { h, numbers, picture, section, show } from "./elements.js";
import { SQUARE, calibrationPicture, histogramPicture, rocPicture } from "./drawing.js";
import { auc, duration } from "./format.js";

/** The sections of the scores, with a function that fills them. */
export function shapesPart(model) {
  const element = h("div");
  const place = h("div");
  const calibrated = h("div");
  const behind = {
    histogram: numbers("histogram-numbers", `${model} scores`, ["from", "to", "now", "reference"], " of scores"),
    roc: numbers("roc-numbers", `${model} ROC`, ["curve", "fpr", "tpr"], " of ROC curves"),
    calibration: numbers("calibration-numbers", `${model} calibration`, ["curve", "mean_probability", "observed_rate", "low", "high", "count"]),
  };
  const scores = section("Scores now against the reference", "shapes", place, h("div", { class: "square" }, behind.roc, behind.histogram));
  const calibration = h("details", { id: "calibration", class: "folded" }, h("summary", null, h("h2", null, "Calibration")), calibrated, behind.calibration);
  return {
    element,
    update(shapes, window) {
      const curves = [["now", shapes.now], ["reference", shapes.reference]].filter(([, one]) => one);
      show(element, [shapes.histogram !== null, shapes.now.calibration !== null], ([some, probable]) => [some ? scores : null, probable ? calibration : null]);
      if (shapes.histogram) show(place, shapes, () => distributions(shapes, window));
      if (shapes.now.calibration) show(calibrated, shapes, () => calibrationOf(shapes));
      behind.histogram.update(() => shapes.histogram.now.map((one, i) => [shapes.histogram.edges[i], shapes.histogram.edges[i + 1], one, shapes.histogram.reference?.[i] ?? null]));
      behind.roc.hidden = !curves.some(([, one]) => one.roc);
      behind.roc.update(() => curves.flatMap(([name, one]) => (one.roc?.fpr ?? []).map((fpr, i) => [name, fpr, one.roc.tpr[i]])));
      behind.calibration.update(() => curves.flatMap(([name, { calibration: one }]) => (one?.count ?? []).map((count, i) => [name, one.mean_probability[i], one.observed_rate[i], one.low[i], one.high[i], count])));
    },
  };
}

function legend(reference, window) {
  return h("p", { class: "legend note" }, h("span", null, h("span", { class: "key line" }), `now: the last ${duration(window)}`), reference ? h("span", null, h("span", { class: "key dashed" }), "reference") : h("span", null, "The reference is still being learned."));
}

function distributions(shapes, window) {
  const { now, reference } = shapes;
  const roc = now.roc || reference?.roc;
  return [
    legend(reference, window),
    h("div", { class: "square" },
      roc ? h("figure", null, picture(SQUARE, (width) => rocPicture(width, now.roc, reference?.roc)), h("figcaption", null, `ROC curve: AUC ${now.roc ? auc(now.roc.auc) : "unknown, with too few labels,"} now${reference?.roc ? `, ${auc(reference.roc.auc)} in the reference` : ""}`))
        : h("p", { class: "note" }, "Too few labels for a ROC curve: ten of each class are needed."),
      h("figure", null, picture(SQUARE, (width) => histogramPicture(width, shapes.histogram)), h("figcaption", null, "Scores of all predictions, with and without labels")))];
}

function calibrationOf({ now, reference }) {
  return h("figure", { class: "lone" }, picture(SQUARE, (width) => calibrationPicture(width, now.calibration, reference?.calibration)),
    h("figcaption", null, "Share of positives against the mean score: on the diagonal, scores are probabilities. Now with 95 % intervals, the reference dashed"));
}
