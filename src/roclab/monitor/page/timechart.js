// Charts over time, by uPlot: AUC with band, provisional values, bounds, alarms and deployments.

import { h } from "./elements.js";
import { aucLimits } from "./drawing.js";

const color = (name, alpha = 1) => {
  const text = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  if (alpha === 1) return text;
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  return `rgba(${r},${g},${b},${alpha})`;
};

/** Ticks of a time axis as words: a month, a day or an hour. */
const datesIn = (zone) => (_, ticks, axis, space, step) => {
  const form = new Intl.DateTimeFormat("en", { timeZone: zone, ...(step >= 28 * 86400 ? { year: "numeric", month: "short" } : step >= 86400 ? { month: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) });
  return ticks.map((one) => form.format(new Date(one * 1000)));
};

/** Columns with a gap where cohorts are missing, so that no line is drawn across. */
export function withGaps(series) {
  const names = Object.keys(series).filter((name) => Array.isArray(series[name]) && series[name].length === series.cohort.length);
  const found = Object.fromEntries(names.map((name) => [name, []]));
  series.cohort.forEach((time, i) => {
    if (i && time > series.end[i - 1] + 1) for (const name of names) found[name].push(name === "cohort" ? series.end[i - 1] : name === "end" ? time : null);
    for (const name of names) found[name].push(series[name][i]);
  });
  return found;
}

/** The AUC over prediction time, and beneath it the coverage of labels. */
export class TimeChart {
  constructor({ label, zone, onRange, onPoint }) {
    this.zone = zone;
    this.onRange = onRange;
    this.onPoint = onPoint;
    this.full = false;
    this.upper = h("div", { class: "upper" });
    this.lower = h("div", { class: "lower" });
    this.element = h("div", { class: "chart", tabindex: 0, role: "group", "aria-label": `${label}. Left and right arrows move from cohort to cohort.` }, this.upper, this.lower);
    this.element.addEventListener("keydown", (event) => this.step(event));
    this.plots = [];
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(this.element);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.redraw = () => this.data && this.draw(this.data);
    this.dark.addEventListener("change", this.redraw);
  }

  close() {
    this.resize.disconnect();
    this.dark.removeEventListener("change", this.redraw);
    this.plots.forEach((one) => one.destroy());
  }

  fit() {
    const width = Math.floor(this.element.clientWidth);
    if (!width || width === this.width) return;
    this.width = width;
    if (this.plots.length) this.plots.forEach((one, i) => one.setSize({ width, height: i ? 64 : this.height() }));
    else if (this.data) this.draw(this.data);
  }

  height() {
    return this.width < 500 ? 240 : 320;
  }

  /** Zoom the AUC to its values, or show it from .5 to 1. */
  zoom(full) {
    this.full = full;
    if (this.data) this.draw(this.data);
  }

  draw(data) {
    this.data = data;
    if (!this.width) return;
    this.plots.forEach((one) => one.destroy());
    this.upper.replaceChildren();
    this.lower.replaceChildren();
    const series = withGaps(data.series);
    this.series = series;
    const mature = series.auc.map((one, i) => (series.mature[i] ? one : null));
    const low = series.low.map((one, i) => (series.mature[i] ? one : null));
    const high = series.high.map((one, i) => (series.mature[i] ? one : null));
    const open = series.auc.map((one, i) => (series.mature[i] === false ? series.provisional[i] ?? one : null));
    const all = [...low, ...high, ...open, data.reference];
    const seen = all.filter((one) => one !== null && one !== undefined);
    const room = 0.02;
    const limits = this.full && seen.length ? [Math.min(...seen) - room, Math.min(1, Math.max(...seen) + room)] : aucLimits(seen);
    const middle = series.cohort.map((one, i) => (one + series.end[i]) / 2);
    const range = data.range ?? [series.cohort[0] ?? 0, series.end.at(-1) ?? 1];
    const axis = { stroke: color("muted"), grid: { stroke: color("grid"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
    const shared = {
      width: this.width,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), this.zone),
      legend: { show: false },
      scales: { x: { time: true, range: () => range } },
    };
    const cursor = { sync: { key: `roclab-${this.number ??= TimeChart.made++}` }, y: false, drag: { x: true, y: false, setScale: false }, points: { size: 7 } };
    const select = (plot) => {
      if (plot.select.width < 4) return;
      const ends = [plot.select.left, plot.select.left + plot.select.width].map((one) => plot.posToVal(one, "x"));
      plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      this.onRange(ends);
    };
    const hover = (plot) => this.onPoint(plot.cursor.idx ?? null, series);
    const upper = new uPlot({
      ...shared,
      height: this.height(),
      cursor,
      scales: { ...shared.scales, y: { range: () => limits } },
      axes: [{ ...axis, size: 28, space: 64, values: datesIn(this.zone) }, { ...axis, size: 46, values: (_, ticks) => ticks.map((one) => one.toFixed(limits[1] - limits[0] < 0.1 ? 3 : 2)) }],
      series: [
        {},
        { stroke: color("data", 0), points: { show: false } },
        { stroke: color("data", 0), points: { show: false } },
        { stroke: color("data"), width: 2, points: { show: mature.filter((one) => one !== null).length < 150, size: 5, fill: color("data") } },
        { paths: () => null, points: { show: true, size: 7, width: 1.5, stroke: color("data"), fill: color("ground") } },
        { stroke: color("warning"), width: 1.5, dash: [2, 3], points: { show: false } },
      ],
      bands: [{ series: [2, 1], fill: color("data", 0.15) }],
      hooks: { draw: [(plot) => this.annotate(plot, data, series)], setSelect: [select], setCursor: [hover] },
    }, [middle, low, high, mature, open, series.expected_auc ?? middle.map(() => null)], this.upper);
    const lower = new uPlot({
      ...shared,
      height: 64,
      cursor,
      scales: { ...shared.scales, y: { range: () => [0, 1] } },
      axes: [{ ...axis, size: 4, values: () => [] }, { ...axis, size: 46, splits: () => [0, 1], values: () => ["0", "100 %"] }],
      series: [{}, { stroke: color("reference"), fill: color("reference", 0.55), paths: uPlot.paths.bars({ size: [0.8, 24, 1] }), points: { show: false } }],
      hooks: { setSelect: [select], setCursor: [hover] },
    }, [middle, series.coverage], this.lower);
    this.plots = [upper, lower];
  }

  /** What is drawn on top: bounds, the reference, alarms and deployments. */
  annotate(plot, data, series) {
    const { ctx } = plot;
    const { left, top, width, height } = plot.bbox;
    const pixel = devicePixelRatio;
    const x = (seconds) => plot.valToPos(seconds, "x", true);
    const y = (value) => plot.valToPos(value, "y", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.lineWidth = pixel;
    ctx.textAlign = "left";
    ctx.textBaseline = "alphabetic";
    series.cohort.forEach((time, i) => {
      if (series.mature[i] !== false || series.bound_low[i] === null || series.bound_low[i] === undefined) return;
      const [from, to] = [Math.max(x(time), left), Math.min(x(series.end[i]), left + width)];
      const [high, low] = [y(series.bound_high[i]), y(series.bound_low[i])];
      ctx.save();
      ctx.beginPath();
      ctx.rect(from, high, to - from, low - high);
      ctx.clip();
      ctx.strokeStyle = color("data", 0.5);
      for (let at = from - (low - high); at < to; at += 5 * pixel) {
        ctx.beginPath();
        ctx.moveTo(at, low);
        ctx.lineTo(at + (low - high), high);
        ctx.stroke();
      }
      ctx.restore();
    });
    if (data.reference !== null && data.reference !== undefined) {
      ctx.strokeStyle = color("reference");
      ctx.setLineDash([6 * pixel, 4 * pixel]);
      ctx.beginPath();
      ctx.moveTo(left, y(data.reference));
      ctx.lineTo(left + width, y(data.reference));
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.fillStyle = color("muted");
      ctx.font = `${12 * pixel}px system-ui, sans-serif`;
      ctx.fillText("reference", left + 6 * pixel, y(data.reference) - 5 * pixel);
    }
    for (const alarm of data.alarms ?? []) {
      const at = x(alarm.since);
      ctx.strokeStyle = ctx.fillStyle = color(alarm.firing ? "alarm" : "muted");
      ctx.setLineDash([2 * pixel, 3 * pixel]);
      ctx.beginPath();
      ctx.moveTo(at, top + 10 * pixel);
      ctx.lineTo(at, top + height);
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.beginPath();
      ctx.moveTo(at - 6 * pixel, top);
      ctx.lineTo(at + 6 * pixel, top);
      ctx.lineTo(at, top + 10 * pixel);
      ctx.fill();
    }
    ctx.strokeStyle = ctx.fillStyle = color("text");
    ctx.font = `${11 * pixel}px system-ui, sans-serif`;
    for (const { time, version } of data.deployments ?? []) {
      ctx.beginPath();
      ctx.moveTo(x(time), top + height - 10 * pixel);
      ctx.lineTo(x(time), top + height);
      ctx.stroke();
      ctx.fillText(version, x(time) + 3 * pixel, top + height - 4 * pixel);
    }
    ctx.restore();
  }

  step(event) {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const [plot] = this.plots;
    if (!move || !plot) return;
    event.preventDefault();
    const times = plot.data[0];
    const start = plot.cursor.idx ?? (move > 0 ? -1 : times.length);
    let next = start + move;
    while (this.series.n[next] === null) next += move;
    if (next < 0 || next >= times.length) return;
    plot.setCursor({ left: plot.valToPos(times[next], "x"), top: 0 });
  }
}
TimeChart.made = 0;

/** The difference between challenger and champion with its confidence sequence. */
export class DifferenceChart {
  constructor({ label, zone }) {
    this.zone = zone;
    this.element = h("div", { class: "chart", role: "group", "aria-label": label });
    this.resize = new ResizeObserver(() => this.plot?.setSize({ width: Math.floor(this.element.clientWidth), height: 300 }));
    this.resize.observe(this.element);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.redraw = () => this.data && this.draw(...this.data);
    this.dark.addEventListener("change", this.redraw);
  }

  close() {
    this.resize.disconnect();
    this.dark.removeEventListener("change", this.redraw);
    this.plot?.destroy();
  }

  draw(cohorts, margin) {
    this.data = [cohorts, margin];
    this.plot?.destroy();
    const negative = (value) => (value === null ? null : -value);
    const x = cohorts.map((one) => Date.parse(one.cohort) / 1000);
    const [low, middle, high] = [cohorts.map((one) => negative(one.high)), cohorts.map((one) => negative(one.difference)), cohorts.map((one) => negative(one.low))];
    const most = Math.min(1, Math.max(0.05, 3 * margin, ...middle.filter((one) => one !== null).map((one) => 2.5 * Math.abs(one)), Math.abs(low.at(-1) ?? 0), Math.abs(high.at(-1) ?? 0)) * 1.1);
    const axis = { stroke: color("muted"), grid: { stroke: color("grid"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
    const rule = (plot) => {
      const { ctx } = plot;
      const { left, width } = plot.bbox;
      ctx.save();
      ctx.strokeStyle = color("reference");
      for (const [value, dash] of [[0, []], [margin, [4, 4]], [-margin, [4, 4]]]) {
        ctx.setLineDash(dash.map((one) => one * devicePixelRatio));
        ctx.beginPath();
        ctx.moveTo(left, plot.valToPos(value, "y", true));
        ctx.lineTo(left + width, plot.valToPos(value, "y", true));
        ctx.stroke();
      }
      ctx.restore();
    };
    this.plot = new uPlot({
      width: Math.floor(this.element.clientWidth) || 600,
      height: 300,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), this.zone),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: { y: { range: () => [-most, most] } },
      axes: [{ ...axis, size: 28, space: 64, values: datesIn(this.zone) }, { ...axis, size: 52, values: (_, ticks) => ticks.map((one) => `${one > 0 ? "+" : one < 0 ? "−" : ""}${Math.abs(one).toFixed(2)}`) }],
      series: [{}, { stroke: color("data", 0), points: { show: false } }, { stroke: color("data", 0), points: { show: false } }, { stroke: color("data"), width: 2, points: { show: false } }],
      bands: [{ series: [2, 1], fill: color("data", 0.15) }],
      hooks: { draw: [rule] },
    }, [x, low, high, middle], this.element);
  }
}
