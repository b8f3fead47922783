// Small pictures as SVG: sparklines, small multiples, ROC curves, histograms, calibration, delays.

import { s } from "./elements.js";

/** From values to places. */
const scale = (low, high, start, end) => (value) => start + ((value - low) / (high - low || 1)) * (end - start);
const place = (value) => Math.round(value * 10) / 10;

/** Path through points; a missing value begins a new line. */
export function path(xs, ys, x, y) {
  let text = "";
  let pen = false;
  ys.forEach((value, i) => {
    if (value === null || value === undefined) pen = false;
    else {
      text += `${pen ? "L" : "M"}${place(x(xs[i]))} ${place(y(value))}`;
      pen = true;
    }
  });
  return text;
}

/** Area between two lines, divided where one is missing. */
function area(xs, lows, highs, x, y) {
  let text = "";
  let run = [];
  const end = () => {
    if (run.length > 1) {
      text += run.map((i, n) => `${n ? "L" : "M"}${place(x(xs[i]))} ${place(y(highs[i]))}`).join("");
      text += [...run].reverse().map((i) => `L${place(x(xs[i]))} ${place(y(lows[i]))}`).join("") + "Z";
    }
    run = [];
  };
  lows.forEach((low, i) => (low === null || low === undefined ? end() : run.push(i)));
  end();
  return text;
}

/** Limits of an axis of AUCs: from .5 to 1, and lower where a value is. */
export function aucLimits(values) {
  const least = Math.min(0.5, ...values.filter((one) => one !== null && one !== undefined));
  return [Math.floor(least * 10) / 10, 1];
}

function drawing(width, height, label, ...parts) {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, class: "drawing" }, parts);
}

/** AUC of recent cohorts with its band, and the reference. */
export function sparkline(recent, { width = 160, height = 36, reference = null, limits = null, label = "" } = {}) {
  const values = recent.map((one) => one.auc);
  if (!values.some((one) => one !== null)) return drawing(width, height, label || "no AUC yet");
  const [low, high] = limits ?? aucLimits(values);
  const x = scale(0, Math.max(1, recent.length - 1), 3, width - 5);
  const y = scale(low, high, height - 3, 3);
  const xs = recent.map((_, i) => i);
  const last = values.findLastIndex((one) => one !== null);
  return drawing(width, height, label || `AUC of ${values.length} cohorts, the latest ${values[last].toFixed(3)}`,
    s("path", { d: area(xs, recent.map((one) => one.low), recent.map((one) => one.high), x, y), class: "band" }),
    reference !== null ? s("line", { x1: 3, x2: width - 5, y1: y(reference), y2: y(reference), class: "reference" }) : null,
    s("path", { d: path(xs, values, x, y), class: "curve" }),
    s("circle", { cx: x(last), cy: y(values[last]), r: 2.5, class: "end" }));
}

const LEFT = 44;
const BOTTOM = 34;

/** Axes of a picture with ticks and titles. */
function axes(width, height, { xs, ys, x, y, xTitle, yTitle, xText = String, yText = String }) {
  return [
    ys.map((one) => [s("line", { x1: LEFT, x2: width - 8, y1: y(one), y2: y(one), class: "grid" }),
      s("text", { x: LEFT - 6, y: y(one) + 4, "text-anchor": "end", class: "tick" }, yText(one))]),
    xs.map((one) => s("text", { x: x(one), y: height - BOTTOM + 16, "text-anchor": "middle", class: "tick" }, xText(one))),
    s("line", { x1: LEFT, x2: width - 8, y1: height - BOTTOM, y2: height - BOTTOM, class: "axis" }),
    s("text", { x: (LEFT + width) / 2, y: height - 3, "text-anchor": "middle", class: "tick" }, xTitle),
    s("text", { x: 11, y: (height - BOTTOM) / 2, transform: `rotate(-90 11 ${(height - BOTTOM) / 2})`, "text-anchor": "middle", class: "tick" }, yTitle),
  ];
}

const RATES = [0, 0.25, 0.5, 0.75, 1];

/** ROC curves now and of the reference. */
export function rocPicture(now, reference) {
  const [width, height] = [320, 300];
  const x = scale(0, 1, LEFT, width - 8);
  const y = scale(0, 1, height - BOTTOM, 8);
  const label = `ROC curve now${now ? `, AUC ${now.auc.toFixed(3)}` : ": too few labels"}${reference ? `; of the reference, AUC ${reference.auc.toFixed(3)}` : ""}`;
  return drawing(width, height, label,
    axes(width, height, { xs: RATES, ys: RATES, x, y, xTitle: "false positive rate", yTitle: "true positive rate" }),
    s("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "chance" }),
    reference ? s("path", { d: path(reference.fpr, reference.tpr, x, y), class: "curve of-reference" }) : null,
    now ? s("path", { d: path(now.fpr, now.tpr, x, y), class: "curve" }) : null);
}

/** Shares of scores now, as bars, and of the reference, as steps. */
export function histogramPicture(histogram) {
  const [width, height] = [320, 300];
  const { edges, now, reference } = histogram;
  const top = Math.max(...now, ...(reference ?? [0])) * 1.05 || 1;
  const x = scale(edges[0], edges.at(-1), LEFT, width - 8);
  const y = scale(0, top, height - BOTTOM, 8);
  const step = [];
  (reference ?? []).forEach((one, i) => step.push(`${i ? "L" : "M"}${place(x(edges[i]))} ${place(y(one))}L${place(x(edges[i + 1]))} ${place(y(one))}`));
  const ticks = [edges[0], (edges[0] + edges.at(-1)) / 2, edges.at(-1)];
  return drawing(width, height, "Distribution of scores now against the reference",
    axes(width, height, { xs: ticks, ys: [0, top / 2, top], x, y, xTitle: "score", yTitle: "share of predictions", xText: (one) => Number(one.toPrecision(3)), yText: (one) => `${(one * 100).toFixed(top < 0.05 ? 1 : 0)} %` }),
    now.map((one, i) => s("rect", { x: x(edges[i]) + 0.5, width: Math.max(0.5, x(edges[i + 1]) - x(edges[i]) - 1), y: y(one), height: Math.max(0, y(0) - y(one)), class: "bar" })),
    reference ? s("path", { d: step.join(""), class: "curve of-reference" }) : null);
}

/** Observed rates against probabilities, with intervals. */
export function calibrationPicture(now, reference) {
  const [width, height] = [320, 300];
  const x = scale(0, 1, LEFT, width - 8);
  const y = scale(0, 1, height - BOTTOM, 8);
  return drawing(width, height, "Observed rate of positives against the score",
    axes(width, height, { xs: RATES, ys: RATES, x, y, xTitle: "mean score", yTitle: "share of positives" }),
    s("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "chance" }),
    reference ? s("path", { d: path(reference.mean_probability, reference.observed_rate, x, y), class: "curve of-reference" }) : null,
    now ? [now.mean_probability.map((one, i) => (now.low[i] === null ? null : s("line", { x1: x(one), x2: x(one), y1: y(now.low[i]), y2: y(now.high[i]), class: "whisker" }))),
      s("path", { d: path(now.mean_probability, now.observed_rate, x, y), class: "curve" }),
      now.mean_probability.map((one, i) => (one === null ? null : s("circle", { cx: x(one), cy: y(now.observed_rate[i]), r: 2.5, class: "end" })))] : null);
}

/** Share of labels that have come by each delay, for each class. */
export function arrivalPicture(classes, most, unit, length) {
  const [width, height] = [520, 220];
  const x = scale(0, most, LEFT, width - 90);
  const y = scale(0, 1, height - BOTTOM, 8);
  const ticks = [0, most / 4, most / 2, (3 * most) / 4, most];
  return drawing(width, height, "Share of labels that have come by each delay",
    axes(width - 82, height, { xs: ticks, ys: [0, 0.25, 0.5, 0.75, 0.95], x, y, xTitle: `delay of the label, ${unit}`, yTitle: "", xText: (one) => Number((one / length).toPrecision(2)), yText: (one) => `${one * 100} %` }),
    Object.entries(classes).map(([name, { seconds, share }], i) => [
      s("path", { d: path([0, ...seconds, most], [0, ...share, share.at(-1)], x, y), class: `curve class-${i}` }),
      s("text", { x: width - 86, y: y(share.at(-1)) + 4 + 14 * i, class: `tick class-${i}` }, name)]));
}

/** Contributions of segments to a change, as bars from zero. */
export function changePicture(rows) {
  const [width, line] = [520, 24];
  const height = rows.length * line + 24;
  const least = Math.min(0, ...rows.map((one) => one.value));
  const most = Math.max(0, ...rows.map((one) => one.value));
  const x = scale(least, most || (least ? 0 : 1), least < 0 ? 200 : 146, most > 0 ? width - 56 : width - 8);
  return drawing(width, height, `Contributions to the change of the AUC: ${rows.map((one) => `${one.name} ${one.value.toFixed(3)}`).join(", ")}`,
    s("line", { x1: x(0), x2: x(0), y1: 4, y2: height - 20, class: "axis" }),
    rows.map((one, i) => {
      const middle = 4 + line * (i + 0.5);
      return [
        s("text", { x: 132, y: middle + 4, "text-anchor": "end", class: `tick${one.strong ? " strong" : ""}` }, one.name.length > 22 ? `${one.name.slice(0, 21)}…` : one.name),
        s("rect", { x: Math.min(x(0), x(one.value)), width: Math.max(1, Math.abs(x(one.value) - x(0))), y: middle - 7, height: 14, class: one.value < 0 ? "worse" : "better" }),
        s("text", { x: one.value < 0 ? x(one.value) - 5 : x(one.value) + 5, y: middle + 4, "text-anchor": one.value < 0 ? "end" : "start", class: "tick" }, `${one.value < 0 ? "−" : "+"}${Math.abs(one.value).toFixed(3)}`)];
    }),
    s("text", { x: width - 8, y: height - 4, "text-anchor": "end", class: "tick" }, "change of the AUC"));
}
