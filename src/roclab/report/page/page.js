// What moves on the page: values under the pointer, and the decision panel. All arithmetic is in decision.js.
"use strict";

(() => {
  const short = (value, digits = 3) => (Number.isFinite(value) ? value.toFixed(digits) : Number.isNaN(value) ? "undefined" : "none");
  const four = (value) => String(Number(value.toPrecision(4)));
  const count = (value) => Number(value.toPrecision(12)).toLocaleString("en-US", { maximumFractionDigits: 2 });

  // Values under the pointer: the nearest point of a line, read off its path.
  function pointsOf(path) {
    return path.getAttribute("d").split(/[ML]/).filter(Boolean).map((pair) => pair.split(" ").map(Number));
  }

  for (const plot of document.querySelectorAll(".roclab-plot")) {
    const lines = [...plot.querySelectorAll("path[data-label]")].map((path) => ({ label: path.dataset.label, points: pointsOf(path) }));
    if (!lines.length) continue;
    const [x0, x1, y0, y1, log] = plot.dataset.axes.split(" ").map(Number);
    const [left, right, bottom, top] = plot.dataset.area.split(" ").map(Number);
    const tip = document.createElement("div");
    tip.className = "tip";
    tip.hidden = true;
    plot.parentNode.append(tip);
    plot.addEventListener("pointermove", (event) => {
      const box = plot.getBoundingClientRect();
      const factor = plot.viewBox.baseVal.width / box.width;
      const at = [(event.clientX - box.left) * factor, (event.clientY - box.top) * factor];
      let found = null;
      for (const { label, points } of lines) {
        for (const point of points) {
          const distance = Math.hypot(point[0] - at[0], point[1] - at[1]);
          if (!found || distance < found.distance) found = { label, point, distance };
        }
      }
      if (!found || found.distance > 40) {
        tip.hidden = true;
        return;
      }
      const across = x0 + ((found.point[0] - left) / (right - left)) * (x1 - x0);
      const share = (found.point[1] - bottom) / (top - bottom);
      const up = log ? y0 * (y1 / y0) ** share : y0 + share * (y1 - y0);
      tip.textContent = `${found.label.split(",")[0]}: ${four(across)}, ${four(up)}`;
      tip.hidden = false;
      const outer = plot.parentNode.getBoundingClientRect();
      const x = box.left - outer.left + found.point[0] / factor;
      tip.style.left = `${Math.max(0, Math.min(x + 10, outer.width - tip.offsetWidth))}px`;
      tip.style.top = `${box.top - outer.top + found.point[1] / factor - 28}px`;
    });
    plot.addEventListener("pointerleave", () => { tip.hidden = true; });
  }

  // The decision panel.
  const panel = document.querySelector(".decision");
  if (!panel) return;
  const models = JSON.parse(document.getElementById("decision-data").textContent);
  const part = (name) => panel.querySelector(`[data-part="${name}"]`);
  const [choice, threshold, prevalence, ratio, capacity] = ["model", "threshold", "prevalence", "ratio", "capacity"].map(part);

  const state = () => ({
    prevalence: 1 / (1 + Math.exp(-Number(prevalence.value))),
    costRatio: 10 ** Number(ratio.value),
    capacity: Number(capacity.value) / 100,
  });
  const model = () => models[Number(choice.value)];
  // The slider runs from lenient to strict, thresholds the other way round.
  const place = () => model().threshold.length - 1 - Number(threshold.value);
  const move = (to) => { threshold.value = model().threshold.length - 1 - to; };

  function neighbours(best) {
    const last = model().threshold.length - 1;
    const step = Math.max(1, Math.round(last / 20));
    return [...new Set([best - step, best - 1, best, best + 1, best + step])].filter((at) => at >= 0 && at <= last);
  }

  function show() {
    const options = state();
    const now = decision.at(model(), place(), options);
    const best = decision.best(model(), options);
    const values = {
      "threshold-value": now.threshold,
      "prevalence-value": `${(100 * options.prevalence).toPrecision(3)} %`,
      "ratio-value": `${Number(options.costRatio.toPrecision(3))} : 1`,
      "capacity-value": `${capacity.value} %`,
      tp: count(now.tp), fp: count(now.fp), fn: count(now.fn), tn: count(now.tn),
      tpr: `${short(now.tpr)} [${now.tprInterval.map((end) => short(end)).join(", ")}]`,
      fpr: `${short(now.fpr)} [${now.fprInterval.map((end) => short(end)).join(", ")}]`,
      ppv: short(now.ppv), npv: short(now.npv), called: short(now.calledPositive),
      cost: short(now.expectedCost, 4), benefit: short(now.netBenefit, 4),
      best: decision.at(model(), best, options).threshold,
    };
    for (const [name, value] of Object.entries(values)) part(name).textContent = value;
    part("over").hidden = now.calledPositive <= options.capacity + 1e-12;
    const rows = neighbours(best).map((at) => {
      const row = document.createElement("tr");
      const one = decision.at(model(), at, options);
      for (const cell of [one.threshold + (at === best ? " (best)" : ""), short(one.tpr), short(one.fpr), short(one.expectedCost, 4)]) {
        row.append(Object.assign(document.createElement("td"), { textContent: cell }));
      }
      return row;
    });
    part("neighbours").replaceChildren(...rows);
  }

  function chooseModel() {
    threshold.max = model().threshold.length - 1;
    prevalence.value = Math.log(model().pos / model().neg);
    move(decision.best(model(), state()));
    show();
  }

  choice.addEventListener("change", chooseModel);
  for (const control of [threshold, prevalence, ratio, capacity]) control.addEventListener("input", show);
  part("use").addEventListener("click", () => { move(decision.best(model(), state())); show(); });
  chooseModel();
})();
