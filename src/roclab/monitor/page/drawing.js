// Small pictures as SVG: sparklines, small multiples, ROC curves, histograms, calibration, delays.

import { s } from "./elements.js";

/** From values to places. */
const scale = (low, high, start, end) => (value) => start + ((value - low) / (high - low || 1)) * (end - start);
const place = (value) => Math.round(value * 10) / 10;
const missing = (value) => value === null || value === undefined;

/** Path through points; a missing value begins a new line. */
function path(xs, ys, x, y) {
  let text = "";
  let pen = false;
  ys.forEach((value, i) => {
    if (missing(value)) pen = false;
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
      text += run.reverse().map((i) => `L${place(x(xs[i]))} ${place(y(lows[i]))}`).join("") + "Z";
    }
    run = [];
  };
  lows.forEach((low, i) => (missing(low) ? end() : run.push(i)));
  end();
  return text;
}

/** Limits of an axis of AUCs: from .5 to 1, and lower where a value is. */
export function aucLimits(values) {
  let least = 0.5;
  for (const one of values) if (!missing(one) && one < least) least = one;
  return [least < 0.5 ? Math.max(0, Math.floor((least - 0.02) * 10) / 10) : 0.5, 1];
}

function drawing(width, height, label, ...parts) {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, class: "drawing" }, parts);
}

/** Points with a missing one where cohorts are missing, so that no line is drawn across. */
function divided(times, columns, isGap) {
  const xs = [];
  const ys = columns.map(() => []);
  times.forEach((time, i) => {
    if (i && isGap(i)) {
      xs.push(times[i - 1]);
      ys.forEach((one) => one.push(null));
    }
    xs.push(time);
    ys.forEach((one, n) => one.push(columns[n][i]));
  });
  return [xs, ys];
}

/** AUC of recent mature cohorts until now, with its band, and the reference. */
export function sparkline({ cohort: times, auc: values, low: lows, high: highs }, { reference = null, period }) {
  const [width, height] = [184, 44];
  const last = values.findLastIndex((one) => !missing(one));
  const limits = aucLimits(values);
  const now = Math.max(Date.now() / 1000, times.at(-1));
  const x = scale(Math.min(times[0], now - 30 * period), now, 2, width - 4);
  const scaled = scale(...limits, height - 2, 3);
  const y = (value) => scaled(Math.max(limits[0], value));
  const [xs, [middle, low, high]] = divided(times, [values, lows, highs], (i) => times[i] - times[i - 1] > 1.5 * period);
  return drawing(width, height, `AUC of ${times.length} mature cohorts, the latest ${values[last].toFixed(3)}`,
    limits.map((one) => s("line", { x1: 2, x2: width - 2, y1: y(one), y2: y(one), class: "grid" })),
    s("path", { d: area(xs, low, high, x, y), class: "band" }),
    missing(reference) ? null : s("line", { x1: 2, x2: width - 2, y1: y(reference), y2: y(reference), class: "reference" }),
    s("path", { d: path(xs, middle, x, y), class: "curve thin" }),
    s("circle", { cx: x(times[last]), cy: y(values[last]), r: 2.5, class: "end" }));
}

/** AUC of the mature cohorts of a segment: one of several pictures with the same axes. */
export function multiple(width, stream, { limits, ends, dates, since, label }) {
  const [height, left, bottom] = [112, 26, 18];
  const x = scale(...ends, left, width - 6);
  const scaled = scale(...limits, height - bottom, 6);
  const y = (value) => scaled(Math.max(limits[0], value));
  const middles = stream.cohort.map((one, i) => (one + stream.end[i]) / 2);
  const mature = (name) => stream[name].map((one, i) => (stream.mature[i] ? one : null));
  const [xs, [auc, low, high]] = divided(middles, [mature("auc"), mature("low"), mature("high")], (i) => stream.gap[i]);
  const last = auc.findLastIndex((one) => !missing(one));
  return drawing(width, height, label,
    limits.map((one) => [s("line", { x1: left, x2: width - 6, y1: y(one), y2: y(one), class: "grid" }), s("text", { x: left - 5, y: y(one) + 4, "text-anchor": "end", class: "tick" }, one)]),
    dates.map((one, i) => s("text", { x: i ? width - 6 : left, y: height - 3, "text-anchor": i ? "end" : "start", class: "tick" }, one)),
    s("path", { d: area(xs, low, high, x, y), class: "band" }),
    missing(stream.reference) ? null : s("line", { x1: left, x2: width - 6, y1: y(stream.reference), y2: y(stream.reference), class: "reference" }),
    missing(since) || since < ends[0] ? null : s("path", { d: `M${place(x(since))} 12V${height - bottom}`, class: "since" }),
    missing(since) || since < ends[0] ? null : s("path", { d: `M${place(x(since) - 5)} 3h10l-5 8z`, class: "mark" }),
    s("path", { d: path(xs, auc, x, y), class: "curve thin" }),
    last < 0 ? null : s("circle", { cx: x(xs[last]), cy: y(auc[last]), r: 3, class: "end" }));
}

const LEFT = 44;
const BOTTOM = 34;

/** Axes of a picture with ticks and titles. */
function axes(width, height, { xs, ys, x, y, xTitle, yTitle, xText = String, yText = String, bottom = BOTTOM }) {
  return [
    ys.map((one) => [s("line", { x1: LEFT, x2: width - 8, y1: y(one), y2: y(one), class: "grid" }),
      s("text", { x: LEFT - 6, y: y(one) + 4, "text-anchor": "end", class: "tick" }, yText(one))]),
    xs.map((one) => s("text", { x: x(one), y: height - bottom + 15, "text-anchor": "middle", class: "tick" }, xText(one))),
    s("line", { x1: LEFT, x2: width - 8, y1: height - bottom, y2: height - bottom, class: "axis" }),
    s("text", { x: (LEFT + width - 8) / 2, y: height - 3, "text-anchor": "middle", class: "tick" }, xTitle),
    yTitle ? s("text", { x: 11, y: (height - bottom) / 2, transform: `rotate(-90 11 ${(height - bottom) / 2})`, "text-anchor": "middle", class: "tick" }, yTitle) : null,
  ];
}

const RATES = [0, 0.25, 0.5, 0.75, 1];
export const SQUARE = 320; // height of the pictures of scores

function square(width) {
  return [scale(0, 1, LEFT, width - 12), scale(0, 1, SQUARE - BOTTOM, 8)];
}

/** ROC curves now and of the reference. */
export function rocPicture(width, now, reference) {
  const [x, y] = square(width);
  const label = `ROC curve now${now ? `, AUC ${now.auc.toFixed(3)}` : ": too few labels"}${reference ? `; of the reference, AUC ${reference.auc.toFixed(3)}` : ""}`;
  return drawing(width, SQUARE, label,
    axes(width, SQUARE, { xs: RATES, ys: RATES, x, y, xTitle: "false positive rate", yTitle: "true positive rate" }),
    s("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "chance" }),
    reference ? s("path", { d: path(reference.fpr, reference.tpr, x, y), class: "curve of-reference" }) : null,
    now ? s("path", { d: path(now.fpr, now.tpr, x, y), class: "curve" }) : null);
}

/** Shares of scores now, as bars, and of the reference, as steps. */
export function histogramPicture(width, { edges, now, reference }) {
  const top = Math.max(...now, ...(reference ?? [0])) * 1.05 || 1;
  const x = scale(edges[0], edges.at(-1), LEFT, width - 12);
  const y = scale(0, top, SQUARE - BOTTOM, 8);
  const step = (reference ?? []).map((one, i) => `${i ? "L" : "M"}${place(x(edges[i]))} ${place(y(one))}L${place(x(edges[i + 1]))} ${place(y(one))}`);
  const nth = Math.round((edges.length - 1) / 5);
  const ticks = edges.filter((_, i) => i % nth === 0);
  const round = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((one) => top / one <= 6) ?? 0.5;
  const shares = Array.from({ length: Math.floor(top / round) + 1 }, (_, i) => i * round);
  return drawing(width, SQUARE, "Distribution of scores now against the reference",
    axes(width, SQUARE, { xs: ticks, ys: shares, x, y, xTitle: "score", yTitle: "share of predictions", xText: (one) => Number(one.toPrecision(3)), yText: (one) => `${Number((one * 100).toFixed(1))} %` }),
    now.map((one, i) => s("rect", { x: place(x(edges[i]) + 0.5), width: place(Math.max(0.5, x(edges[i + 1]) - x(edges[i]) - 1)), y: place(y(one)), height: place(Math.max(0, y(0) - y(one))), class: "bar" })),
    reference ? s("path", { d: step.join(""), class: "curve of-reference" }) : null);
}

/** Observed rates against probabilities, with intervals. */
export function calibrationPicture(width, now, reference) {
  const [x, y] = square(width);
  return drawing(width, SQUARE, "Observed rate of positives against the score",
    axes(width, SQUARE, { xs: RATES, ys: RATES, x, y, xTitle: "mean score", yTitle: "share of positives" }),
    s("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "chance" }),
    reference ? s("path", { d: path(reference.mean_probability, reference.observed_rate, x, y), class: "curve of-reference" }) : null,
    now.mean_probability.map((one, i) => (missing(now.low[i]) ? null : s("line", { x1: x(one), x2: x(one), y1: y(now.low[i]), y2: y(now.high[i]), class: "whisker" }))),
    s("path", { d: path(now.mean_probability, now.observed_rate, x, y), class: "curve" }),
    now.mean_probability.map((one, i) => (missing(one) ? null : s("circle", { cx: x(one), cy: y(now.observed_rate[i]), r: 2.5, class: "end" }))));
}

export const ARRIVAL = 220; // height of the picture of delays

/** Share of labels that have come by each delay, for each class; beyond its end a curve is not known. */
export function arrivalPicture(width, classes, { most, unit, length, mark }) {
  const [right, height] = [width - 70, ARRIVAL];
  const x = scale(0, most, LEFT, right - 8);
  const y = scale(0, 1, height - BOTTOM, 14);
  const steps = unit === "hours" ? [0.5, 1, 2, 3, 6, 12] : [0.5, 1, 2, 5, 10, 15, 20, 30, 60, 90];
  const step = length * (steps.find((one) => most <= 6 * one * length) ?? 180);
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
  const entries = Object.entries(classes).toSorted((a, b) => b[1].share.at(-1) - a[1].share.at(-1));
  let lowest = -Infinity;
  const labels = entries.map(([, one]) => (lowest = Math.max(lowest + 15, y(one.share.at(-1)) + 4)));
  return drawing(width, height, "Share of labels that have come by each delay",
    axes(right, height, { xs: ticks, ys: [0, 0.25, 0.5, 0.75, 1], x, y, xTitle: `delay of the label, ${unit}`, yTitle: "", xText: (one) => Number((one / length).toPrecision(3)), yText: (one) => `${one * 100} %` }),
    missing(mark) || mark > most ? null : [s("path", { d: `M${LEFT} ${place(y(0.95))}H${place(x(mark))}V${height - BOTTOM}`, class: "chance" }), s("text", { x: x(mark) - 5, y: y(0) - 6, "text-anchor": "end", class: "tick" }, "95 %")],
    entries.map(([name, { seconds, share }], i) => [
      s("path", { d: path([0, ...seconds], [0, ...share], x, y), class: `curve ${name}` }),
      s("text", { x: right - 2, y: labels[i], class: `tick ${name}` }, name)]));
}

/** Parts of a change of the AUC as bars from zero; the first ones with their intervals. */
export function changePicture(width, rows) {
  const line = 26;
  const height = rows.length * line + 22;
  const names = Math.min(150, 0.36 * width);
  const least = Math.min(0, ...rows.map((one) => one.low ?? one.value));
  const most = Math.max(0, ...rows.map((one) => one.high ?? one.value));
  const x = scale(least, most || (least ? 0 : 1), least < 0 ? names + 58 : names + 8, most > 0 ? width - 58 : width - 8);
  const letters = Math.floor(names / 6.6);
  const short = (name) => (name.length > letters ? `${[...name].slice(0, letters - 1).join("")}…` : name);
  return drawing(width, height, `Contributions to the change of the AUC: ${rows.map((one) => `${one.name} ${one.value.toFixed(3)}`).join(", ")}`,
    s("line", { x1: x(0), x2: x(0), y1: 2, y2: height - 20, class: "axis" }),
    rows.map((one, i) => {
      const middle = 2 + line * (i + 0.5);
      const end = one.value < 0 ? Math.min(x(one.value), x(one.low ?? one.value)) - 5 : Math.max(x(one.value), x(one.high ?? one.value)) + 5;
      return [
        s("text", { x: names - 8, y: middle + 4, "text-anchor": "end", class: `tick${one.strong ? " strong" : ""}` }, short(one.name)),
        s("rect", { x: place(Math.min(x(0), x(one.value))), width: place(Math.max(1, Math.abs(x(one.value) - x(0)))), y: middle - 7, height: 14, class: one.value < 0 ? "worse" : "better" }),
        missing(one.low) ? null : s("line", { x1: x(one.low), x2: x(one.high), y1: middle, y2: middle, class: "range" }),
        s("text", { x: end, y: middle + 4, "text-anchor": one.value < 0 ? "end" : "start", class: "tick" }, `${one.value < 0 ? "−" : "+"}${Math.abs(one.value).toFixed(3)}`)];
    }),
    s("text", { x: x(0), y: height - 4, "text-anchor": most > 0 && least === 0 ? "start" : "end", class: "tick" }, "change of the AUC"));
}
