// Charts over time, by uPlot: AUC with band, provisional values, bounds, alarms and deployments.

import { h } from "./elements.js";
import { aucLimits } from "./drawing.js";
import { inTurn } from "./work.js";

const COLORS = ["ground", "text", "muted", "grid", "data", "reference", "alarm", "warning"];
const FONT = "12px system-ui, sans-serif";

/** The colours of the page, as a canvas needs them: also those that a reader forces on all pages. */
function palette() {
  const probe = h("span", { class: "probe" });
  document.body.append(probe);
  const found = {};
  for (const name of COLORS) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).join(",");
  }
  probe.remove();
  return (name, alpha = 1) => `rgba(${found[name]},${alpha})`;
}

/** Ticks of a time axis as words: a month, a day or an hour. */
const datesIn = (zone) => (_, ticks, axis, space, step) => {
  const form = new Intl.DateTimeFormat("en", { timeZone: zone, ...(step >= 28 * 86400 ? { year: "numeric", month: "short" } : step >= 86400 ? { month: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) });
  return ticks.map((one) => form.format(new Date(one * 1000)));
};

const missing = (value) => value === null || value === undefined;

/** Columns with an empty row where cohorts are missing, so that no line is drawn across. */
function withGaps(series) {
  const names = Object.keys(series).filter((name) => Array.isArray(series[name]) && series[name].length === series.cohort.length);
  const found = Object.fromEntries(names.map((name) => [name, []]));
  series.cohort.forEach((time, i) => {
    if (i && series.gap[i]) for (const name of names) found[name].push(name === "cohort" ? series.end[i - 1] : name === "end" ? time : null);
    for (const name of names) found[name].push(series[name][i]);
  });
  return found;
}

/** A chart that is as wide as its place, and takes the colours that the reader prefers. */
class Chart {
  constructor(label, attributes) {
    this.element = h("div", { class: "chart", role: "group", "aria-label": label, ...attributes });
    this.plots = [];
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(this.element);
    this.preferences = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((one) => matchMedia(one));
    this.again = () => this.rebuild();
    this.preferences.forEach((one) => one.addEventListener("change", this.again));
  }

  close() {
    this.resize.disconnect();
    this.preferences.forEach((one) => one.removeEventListener("change", this.again));
    this.plots.forEach((one) => one.destroy());
  }

  fit() {
    const width = Math.floor(this.element.clientWidth);
    if (!width || width === this.width) return;
    this.width = width;
    if (this.plots.length) this.plots.forEach((one, i) => one.setSize({ width, height: this.heights()[i] }));
    else inTurn(this, () => this.plots.length || this.rebuild());
  }

  rebuild() {
    if (!this.width || !this.data || !this.element.isConnected) return;
    this.plots.forEach((one) => one.destroy());
    this.color = palette();
    this.plots = this.build();
  }

  axis(more) {
    const { color } = this;
    const [, forced] = this.preferences; // colours that a reader forces on the page have no quiet one for the grid
    return { stroke: color("muted"), grid: { stroke: forced.matches ? color("text", 0.25) : color("grid"), width: 1 }, ticks: { show: false }, font: FONT, ...more };
  }

  timeAxis() {
    return this.axis({ size: 28, space: 64, values: datesIn(this.zone) });
  }

  line(name) {
    return { stroke: this.color(name), width: 2, points: { show: false } };
  }

  edge() {
    return { stroke: this.color("data", 0), points: { show: false } };
  }

  shared(height) {
    return { width: this.width, height, legend: { show: false }, tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), this.zone) };
  }
}

const MOST_POINTS = 150; // that are drawn one by one
const COVERAGE = 64; // height of the bars beneath

/** The AUC over prediction time, and beneath it the coverage of labels. */
export class TimeChart extends Chart {
  /**
   * `onRange(ends)` is told of a range that the reader chose, `onPoint(place, columns)` of the cohort
   * under the cursor.
   */
  constructor({ label, zone, onRange = null, onPoint = () => {} }) {
    const keys = onRange ? "Left and right arrows move from cohort to cohort; with Shift they select a range, which Enter shows." : "Left and right arrows move from cohort to cohort.";
    super(`${label}. ${keys}`, { tabindex: 0 });
    this.zone = zone;
    this.onRange = onRange;
    this.onPoint = onPoint;
    this.near = false;
    this.upper = h("div");
    this.lower = h("div");
    this.element.append(this.upper, this.lower);
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.anchor = null;
    this.number = TimeChart.made++;
  }

  heights() {
    return [this.width < 500 ? 240 : 320, COVERAGE];
  }

  /** Zoom the AUC to its values, or show it from .5 to 1. */
  zoom(near) {
    this.near = near;
    if (this.data) this.draw(this.data);
  }

  /**
   * Draw columns of cohorts: `{ series, reference, range, alarms, deployments }`.
   *
   * Plots that exist get new data, so that nothing flickers and the cursor stays.
   */
  draw(data) {
    this.data = data;
    const columns = withGaps(data.series);
    const mature = (name) => columns[name].map((one, i) => (columns.mature[i] ? one : null));
    const open = columns.auc.map((one, i) => (columns.mature[i] === false ? columns.provisional?.[i] ?? one : null));
    // While labels are missing: what the scores imply, where that has proved itself.
    const implied = columns.auc.map((_, i) => (columns.mature[i] === false ? columns.expected_auc?.[i] ?? null : null));
    const [auc, low, high] = ["auc", "low", "high"].map(mature);
    const middle = columns.cohort.map((one, i) => (one + columns.end[i]) / 2);
    this.columns = columns;
    this.few = auc.filter((one) => one !== null).length <= MOST_POINTS;
    const values = [...auc, ...open, data.reference].filter((one) => !missing(one));
    this.limits = this.near && values.length ? this.around([...values, ...low, ...high].filter((one) => !missing(one))) : aucLimits(values);
    this.range = data.range ?? [columns.cohort[0] ?? 0, columns.end.at(-1) ?? 1];
    this.values = [[middle, low, high, auc, open, implied], [middle, columns.coverage]];
    if (this.plots.length) this.plots.forEach((one, i) => one.setData(this.values[i]));
    else this.rebuild();
  }

  around(values) {
    let [least, most] = [1, 0];
    for (const one of values) [least, most] = [Math.min(least, one), Math.max(most, one)];
    return [least - 0.02, Math.min(1, most + 0.02)];
  }

  build() {
    const { color } = this;
    const drag = this.onRange ? { x: true, y: false, setScale: false } : { x: false, y: false };
    const cursor = { sync: { key: `roclab-${this.number}` }, y: false, drag, points: { size: 7 } };
    const x = { time: true, range: () => this.range };
    const setSelect = [(plot) => {
      if (plot.select.width < 4 || this.anchor !== null) return;
      const ends = [plot.select.left, plot.select.left + plot.select.width].map((one) => plot.posToVal(one, "x"));
      plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      this.onRange?.(this.whole(ends));
    }];
    const setCursor = [(plot) => this.onPoint(plot.cursor.idx ?? null, this.columns)];
    const [high, low] = this.heights();
    return [
      new uPlot({
        ...this.shared(high),
        cursor,
        padding: [14, 28, 0, 0],
        scales: { x, y: { range: () => this.limits } },
        axes: [this.timeAxis(), this.axis({ size: 46, values: (_, ticks) => ticks.map((one) => one.toFixed(this.limits[1] - this.limits[0] < 0.1 ? 3 : 2)) })],
        series: [
          {}, this.edge(), this.edge(),
          { ...this.line("data"), points: { show: () => this.few, size: 5, fill: color("data") } },
          { paths: () => null, points: { show: true, size: 7, width: 1.5, stroke: color("data"), fill: color("ground") } },
          { ...this.line("warning"), width: 1.5, dash: [2, 3], points: { show: true, size: 4, stroke: color("warning"), fill: color("warning") } },
        ],
        bands: [{ series: [2, 1], fill: color("data", 0.15) }],
        hooks: { draw: [(plot) => this.annotate(plot)], setSelect, setCursor },
      }, this.values[0], this.upper),
      new uPlot({
        ...this.shared(low),
        cursor,
        padding: [10, 28, 6, 0],
        scales: { x, y: { range: () => [0, 1] } },
        axes: [this.axis({ size: 0, values: () => [], grid: { show: false } }), this.axis({ size: 46, splits: () => [0, 1], values: () => ["0", "100 %"] })],
        series: [{}, { paths: () => null, points: { show: false } }],
        hooks: { draw: [(plot) => this.bars(plot)], setSelect, setCursor },
      }, this.values[1], this.lower),
    ];
  }

  /** A range widened to whole cohorts. */
  whole([from, to]) {
    const { cohort, end } = this.columns;
    const first = end.findIndex((one) => one > from);
    const last = cohort.findLastIndex((one) => one < to);
    return first < 0 || last < first ? [from, to] : [cohort[first], end[last]];
  }

  /** What is drawn on top: bounds, the reference, alarms and deployments. */
  annotate(plot) {
    const { ctx } = plot;
    const { left, top, width, height } = plot.bbox;
    const pixel = devicePixelRatio;
    const x = (seconds) => plot.valToPos(seconds, "x", true);
    const y = (value) => plot.valToPos(value, "y", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, 0, width, top + height);
    ctx.clip();
    ctx.lineWidth = pixel;
    ctx.textBaseline = "alphabetic";
    ctx.font = `${12 * pixel}px system-ui, sans-serif`;
    this.bounds(ctx, x, y, [left, left + width], pixel);
    if (!missing(this.data.reference)) {
      ctx.strokeStyle = this.color("reference");
      ctx.setLineDash([6 * pixel, 4 * pixel]);
      ctx.beginPath();
      ctx.moveTo(left, y(this.data.reference));
      ctx.lineTo(left + width, y(this.data.reference));
      ctx.stroke();
      ctx.setLineDash([]);
    }
    for (const { since, firing, words } of this.data.alarms ?? []) {
      const at = x(since);
      if (at < left || at > left + width) continue;
      ctx.strokeStyle = ctx.fillStyle = this.color(firing ? "alarm" : "muted");
      ctx.setLineDash([2 * pixel, 3 * pixel]);
      ctx.beginPath();
      ctx.moveTo(at, top);
      ctx.lineTo(at, top + height);
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.beginPath();
      ctx.moveTo(at - 6 * pixel, top - 12 * pixel);
      ctx.lineTo(at + 6 * pixel, top - 12 * pixel);
      ctx.lineTo(at, top - 2 * pixel);
      ctx.fill();
      if (!firing) continue;
      const right = at < left + width / 2;
      ctx.textAlign = right ? "left" : "right";
      ctx.fillText(words, at + (right ? 10 : -10) * pixel, top - 3 * pixel);
    }
    ctx.textAlign = "left";
    ctx.strokeStyle = ctx.fillStyle = this.color("text");
    let free = -Infinity;
    for (const { time, version } of this.data.deployments ?? []) {
      const at = x(time);
      if (at < left || at > left + width) continue;
      ctx.beginPath();
      ctx.moveTo(at, top + height - 10 * pixel);
      ctx.lineTo(at, top + height);
      ctx.stroke();
      if (at < free) continue;
      const words = version.length > 12 ? `${version.slice(0, 11)}…` : version;
      ctx.fillText(words, at + 4 * pixel, top + height - 4 * pixel);
      free = at + ctx.measureText(words).width + 12 * pixel;
    }
    ctx.restore();
  }

  /** Shares of labels as bars of whole pixels: two years of them as one path took 50 ms to draw. */
  bars(plot) {
    const { ctx } = plot;
    const { left, top, width, height } = plot.bbox;
    const { cohort, end, coverage } = this.columns;
    const x = (seconds) => Math.min(left + width, Math.max(left, Math.round(plot.valToPos(seconds, "x", true))));
    ctx.fillStyle = this.color("reference", 0.55);
    let done = left; // bars that share a pixel are drawn once, so that none is darker
    cohort.forEach((time, i) => {
      const [from, to] = [Math.max(done, x(time)), Math.max(x(time) + 1, x(end[i]))];
      if (missing(coverage[i]) || to <= from || from >= left + width) return;
      const space = to - from > 3 * devicePixelRatio ? Math.ceil((to - from) / 6) : 0;
      const tall = Math.round(coverage[i] * height);
      ctx.fillRect(from, top + height - tall, to - from - space, tall);
      done = to;
    });
  }

  /** Bounds over the missing labels, hatched. */
  bounds(ctx, x, y, [left, right], pixel) {
    const { cohort, end, mature, bound_low: lows, bound_high: highs } = this.columns;
    ctx.strokeStyle = this.color("data", 0.5);
    cohort.forEach((time, i) => {
      if (mature[i] !== false || missing(lows?.[i])) return;
      const [from, to] = [Math.max(x(time), left), Math.min(x(end[i]), right)];
      const [high, low] = [y(highs[i]), y(lows[i])];
      ctx.save();
      ctx.beginPath();
      ctx.rect(from, high, to - from, low - high);
      ctx.clip();
      for (let at = from - (low - high); at < to; at += 5 * pixel) {
        ctx.beginPath();
        ctx.moveTo(at, low);
        ctx.lineTo(at + (low - high), high);
        ctx.stroke();
      }
      ctx.restore();
    });
  }

  key(event) {
    if (!this.plots.length) {
      this.fit(); // a reader who is quicker than its turn; its scales are there a moment later
      this.rebuild();
      if (this.plots.length) setTimeout(() => this.key(event));
      return;
    }
    const [plot] = this.plots;
    if (!plot) return;
    const { n, cohort, end } = this.columns;
    const here = plot.cursor.idx;
    if (event.key === "Enter" && this.anchor !== null) {
      const [first, last] = [this.anchor, here].sort((a, b) => a - b);
      this.unselect();
      this.onRange([cohort[first], end[last]]);
    } else if (event.key === "Escape") this.unselect();
    const last = n.length - 1;
    const moves = { ArrowLeft: [-1, (here ?? n.length) - 1], ArrowRight: [1, (here ?? -1) + 1], Home: [1, 0], End: [-1, last] };
    if (!moves[event.key]) return;
    event.preventDefault();
    let [step, next] = moves[event.key];
    while (next >= 0 && next <= last && missing(n[next])) next += step;
    if (next < 0 || next > last) return;
    if (event.shiftKey && this.onRange) this.anchor ??= here ?? next;
    else this.unselect();
    const at = (i) => plot.valToPos(plot.data[0][i], "x");
    plot.setCursor({ left: at(next), top: 0 });
    if (this.anchor === null) return;
    const [from, to] = [at(this.anchor), at(next)].sort((a, b) => a - b);
    plot.setSelect({ left: from - 3, width: to - from + 6, top: 0, height: plot.over.clientHeight }, false);
  }

  unselect() {
    this.anchor = null;
    this.plots[0].setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  }
}
TimeChart.made = 0;

/** The difference between challenger and champion with its confidence sequence. */
export class DifferenceChart extends Chart {
  constructor({ label, zone }) {
    super(label, { class: "chart one" });
    this.zone = zone;
  }

  heights() {
    return [320];
  }

  draw(cohorts, margin) {
    this.data = cohorts;
    this.margin = margin;
    const column = (name, sign) => cohorts.map((one) => (one[name] === null ? null : sign * one[name]));
    const middle = column("difference", -1);
    const [low, high] = [column("high", -1), column("low", -1)];
    this.most = Math.min(1, 1.1 * Math.max(0.05, 3 * margin, ...middle.map((one) => 2.5 * Math.abs(one ?? 0)), Math.abs(low.at(-1) ?? 0), Math.abs(high.at(-1) ?? 0)));
    this.values = [cohorts.map((one) => Date.parse(one.cohort) / 1000), low, high, middle];
    if (this.plots.length) this.plots[0].setData(this.values);
    else this.rebuild();
  }

  build() {
    return [new uPlot({
      ...this.shared(this.heights()[0]),
      cursor: { y: false, drag: { x: false, y: false } },
      scales: { y: { range: () => [-this.most, this.most] } },
      axes: [this.timeAxis(), this.axis({ size: 52, values: (_, ticks) => ticks.map((one) => `${one > 0 ? "+" : one < 0 ? "−" : ""}${Math.abs(one).toFixed(2)}`) })],
      series: [{}, this.edge(), this.edge(), this.line("data")],
      bands: [{ series: [2, 1], fill: this.color("data", 0.15) }],
      hooks: { draw: [(plot) => this.annotate(plot)] },
    }, this.values, this.element)];
  }

  /** No difference, the margin within which models count as equal, and which side is whose. */
  annotate(plot) {
    const { ctx } = plot;
    const { left, top, width, height } = plot.bbox;
    const pixel = devicePixelRatio;
    ctx.save();
    ctx.strokeStyle = this.color("reference");
    ctx.lineWidth = pixel;
    for (const [value, dash] of [[0, []], [this.margin, [4, 4]], [-this.margin, [4, 4]]]) {
      ctx.setLineDash(dash.map((one) => one * pixel));
      ctx.beginPath();
      ctx.moveTo(left, plot.valToPos(value, "y", true));
      ctx.lineTo(left + width, plot.valToPos(value, "y", true));
      ctx.stroke();
    }
    ctx.fillStyle = this.color("muted");
    ctx.font = `${12 * pixel}px system-ui, sans-serif`;
    ctx.textAlign = "right";
    ctx.fillText("challenger better", left + width - 6 * pixel, top + 16 * pixel);
    ctx.fillText("champion better", left + width - 6 * pixel, top + height - 8 * pixel);
    ctx.restore();
  }
}
