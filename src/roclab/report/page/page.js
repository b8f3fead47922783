// What moves on the page: values under the pointer, and all that follows the decision panel. Arithmetic is in decision.js.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const MOST_POINTS = 200; // of a line that is redrawn while a slider moves
  const PEOPLE = 1000;
  const percent = (value) => (Number.isFinite(value) ? `${(100 * value).toFixed(1)} %` : "undefined");
  const short = (value) => String(Number(value.toPrecision(4)));
  const count = (value) => (value < 1e15 && value > 0.01 ? Number(value.toPrecision(12)).toLocaleString("en-US", { maximumFractionDigits: 2 }) : String(Number(value.toPrecision(4))));
  // People are whole, few of them are not.
  const people = (share) => (PEOPLE * share).toLocaleString("en-US", { maximumFractionDigits: PEOPLE * share < 10 ? 1 : 0 });
  // Amounts with the decimals that the first of them needs for three digits.
  function amounts(...values) {
    if (values.some(Number.isNaN)) return values.map(() => "undefined");
    const size = Math.abs(values[0]);
    const decimals = size > 0 ? Math.min(Math.max(2 - Math.floor(Math.log10(size)), 0), 6) : 1;
    return values.map((value) => value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }));
  }
  const interval = ({ value, low, high }) =>
    Number.isFinite(value) ? `${percent(value)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]` : "undefined";

  function made(name, attributes, parent) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (parent) parent.append(element);
    return element;
  }

  // The scales of a plot, read off the attributes that describe its axes.
  function scalesOf(plot) {
    const [x0, x1, y0, y1, log] = plot.dataset.axes.split(" ").map(Number);
    const [left, right, bottom, top] = plot.dataset.area.split(" ").map(Number);
    return {
      x: (value) => left + ((value - x0) / (x1 - x0)) * (right - left),
      y: (value) => bottom + ((value - y0) / (y1 - y0)) * (top - bottom),
      across: (place) => x0 + ((place - left) / (right - left)) * (x1 - x0),
      up: (place) => {
        const share = (place - bottom) / (top - bottom);
        return log ? y0 * (y1 / y0) ** share : y0 + share * (y1 - y0);
      },
      left, right, bottom, top,
      low: Math.min(y0, y1), high: Math.max(y0, y1), first: x0, last: x1,
    };
  }

  // Values under the pointer: the nearest point of a line, read off its path.
  function showValues(plot) {
    const pointsOf = (path) => path.getAttribute("d").split(/[ML]/).filter(Boolean).map((pair) => pair.split(" ").map(Number));
    const lines = [...plot.querySelectorAll("path[data-label]")].map((path) => ({ path, label: path.dataset.label }));
    if (!lines.length) return;
    const scales = scalesOf(plot);
    const tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true });
    plot.parentNode.append(tip);
    plot.addEventListener("pointermove", (event) => {
      const box = plot.getBoundingClientRect();
      const factor = plot.viewBox.baseVal.width / box.width;
      const at = [(event.clientX - box.left) * factor, (event.clientY - box.top) * factor];
      let found = null;
      for (const line of lines) {
        if (line.path.style.display === "none") continue;
        line.points ??= pointsOf(line.path);
        for (const point of line.points) {
          const distance = Math.hypot(point[0] - at[0], point[1] - at[1]);
          if (!found || distance < found.distance) found = { label: line.label, point, distance };
        }
      }
      tip.hidden = !found || found.distance > 40;
      if (tip.hidden) return;
      tip.textContent = `${found.label}: ${short(scales.across(found.point[0]))}, ${short(scales.up(found.point[1]))}`;
      const outer = plot.parentNode.getBoundingClientRect();
      const x = box.left - outer.left + found.point[0] / factor;
      tip.style.left = `${Math.max(0, Math.min(x + 10, outer.width - tip.offsetWidth))}px`;
      tip.style.top = `${box.top - outer.top + found.point[1] / factor - 28}px`;
    });
    plot.addEventListener("pointerleave", () => { tip.hidden = true; });
  }
  for (const plot of document.querySelectorAll(".roclab-plot")) showValues(plot);

  // Links of the table of contents leave the address alone: it holds the decision.
  for (const link of document.querySelectorAll(".contents a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      document.querySelector(link.getAttribute("href")).scrollIntoView();
    });
  }
  addEventListener("beforeprint", () => { document.querySelector("#methods details").open = true; });

  const panel = document.querySelector(".panel");
  if (!panel) return;
  const data = JSON.parse(document.getElementById("report-data").textContent);
  const models = data.models.map(decision.unpacked);
  const part = (name) => document.querySelector(`[data-part="${name}"]`);
  const slider = (name) => panel.querySelector(`[data-slider="${name}"]`);
  const start = { ...data.start, model: models.findIndex((one) => one.name === data.start.model), threshold: null };
  let state = { ...start };

  const model = () => models[state.model];
  // The best place is found once for each state, which is never changed but replaced.
  const found = { state: null, place: 0 };
  function bestPlace() {
    if (found.state !== state) Object.assign(found, { state, place: Math.max(decision.best(model(), state), 0) });
    return found.place;
  }
  const place = () => state.threshold ?? bestPlace();

  // ---- The state in the address: only what differs from the recommendation.
  function written() {
    const found = new URLSearchParams();
    if (state.model !== start.model) found.set("model", model().name);
    for (const key of ["miss", "alarm", "prevalence", "capacity"]) {
      if (state[key] !== start[key]) found.set(key, state[key] === null ? "" : String(state[key]));
    }
    if (state.threshold !== null) found.set("threshold", model().threshold[state.threshold]);
    return found.toString();
  }

  const allowed = {
    miss: (value) => value >= 0 && value < Infinity,
    alarm: (value) => value >= 0 && value < Infinity,
    prevalence: (value) => value > 0 && value < 1,
    capacity: (value) => value >= 0 && value <= 1,
  };

  function read() {
    const found = { ...start };
    const text = location.hash.slice(1);
    const given = new URLSearchParams(text.includes("=") ? text : "");
    const named = models.findIndex((one) => one.name === given.get("model"));
    if (named >= 0) found.model = named;
    for (const key of Object.keys(allowed)) {
      if (!given.has(key)) continue;
      const text = given.get(key).trim();
      const value = text === "" ? null : Number(text);
      if (value === null || allowed[key](value)) found[key] = value;
    }
    if ((found.miss ?? 1) === 0 && (found.alarm ?? 1) === 0) [found.miss, found.alarm] = [start.miss, start.alarm];
    if (given.has("threshold")) {
      const at = models[found.model].threshold.indexOf(given.get("threshold"));
      const value = given.get("threshold").trim() === "" ? NaN : Number(given.get("threshold"));
      if (at >= 0) found.threshold = at;
      else if (Number.isFinite(value)) found.threshold = decision.placeOf(models[found.model], value);
    }
    state = found;
  }

  // A finished change is in the address, and can be taken back. Browsers refuse an address for each step of a slider.
  function keep() {
    const text = written();
    const address = text ? `#${text}` : location.pathname + location.search;
    if ((text ? `#${text}` : "") !== location.hash) history.pushState(null, "", address);
  }

  // ---- The figures.
  const figures = [...document.querySelectorAll(".moving")].map((holder) => {
    const plot = holder.querySelector(".roclab-plot");
    const layer = made("g", {}, plot);
    return {
      holder, plot, kind: holder.dataset.moves, model: holder.dataset.model, scales: scalesOf(plot),
      fixed: [...plot.querySelectorAll("path[data-label]")], rules: [...plot.querySelectorAll("line.rule")],
      prevalence: undefined, drawn: undefined, // what the lines, and the line of the chosen model, were drawn for
      lines: made("g", {}, layer),
      guide: made("line", { class: "guide" }, layer),
      chosen: made("path", { class: "chosen" }, layer),
      point: made("circle", { class: "here", r: 5 }, layer),
    };
  });

  const colorOf = (one) => one.color ?? "var(--text)"; // one of many is grey until it is chosen
  const prevalenceOf = (one) => state.prevalence ?? decision.share(one);

  // The point of a place of a model on a figure of this kind.
  const coordinates = {
    roc: (one, at) => [one.fp[at] / one.neg, one.tp[at] / one.pos],
    pr: (one, at) => {
      const [tpr, fpr] = [one.tp[at] / one.pos, one.fp[at] / one.neg];
      const called = decision.calledPositive(tpr, fpr, prevalenceOf(one));
      return [tpr, called > 0 ? (prevalenceOf(one) * tpr) / called : NaN];
    },
    benefit: (one, at) => {
      const [tpr, fpr, share] = [one.tp[at] / one.pos, one.fp[at] / one.neg, prevalenceOf(one)];
      const threshold = Math.min(Math.max(one.numbers[at], 0), 0.9999);
      return [threshold, share * tpr - ((1 - share) * fpr * threshold) / (1 - threshold)];
    },
  };

  // At most so many places, among them both ends.
  function placesOf(one, most) {
    const last = one.tp.length - 1;
    const step = Math.max(1, last / most);
    const found = [];
    for (let at = 0; at < last; at += step) found.push(Math.round(at));
    found.push(last);
    return found;
  }

  function pathOf(one, figure, most) {
    const { x, y, low, high } = figure.scales;
    let text = "";
    for (const at of placesOf(one, most)) {
      const [across, up] = coordinates[figure.kind](one, at);
      if (!Number.isFinite(across + up)) continue;
      // Precision has its first value from a recall of 0 on.
      if (!text && figure.kind === "pr") text = `M${x(0).toFixed(1)} ${y(up).toFixed(1)}`;
      text += `${text ? "L" : "M"}${x(across).toFixed(1)} ${y(Math.min(Math.max(up, low), high)).toFixed(1)}`;
    }
    return text;
  }

  // Curves that depend on the prevalence are redrawn where it is not that of the data.
  function drawLines(figure) {
    if (figure.prevalence === state.prevalence) return;
    figure.prevalence = state.prevalence;
    const moved = state.prevalence !== null;
    // Precision of calling everything positive.
    if (figure.kind === "pr") for (const rule of figure.rules) for (const end of ["y1", "y2"]) rule.setAttribute(end, figure.scales.y(prevalenceOf(model())));
    for (const path of figure.fixed) path.style.display = moved ? "none" : "";
    figure.lines.style.display = moved ? "" : "none";
    if (!moved) return;
    const shown = models.filter((one) => figure.kind !== "benefit" || one.probabilities);
    if (!figure.lines.childNodes.length) {
      for (const one of shown) made("path", { fill: "none", stroke: one.color ?? "var(--pale)", "stroke-width": 1.8, "stroke-dasharray": one.dashes }, figure.lines);
      if (figure.kind === "benefit") made("path", { fill: "none", stroke: "var(--reference)" }, figure.lines);
    }
    shown.forEach((one, number) => figure.lines.childNodes[number].setAttribute("d", pathOf(one, figure, MOST_POINTS)));
    if (figure.kind === "benefit") {
      const { x, y, low, first, last } = figure.scales;
      const share = prevalenceOf(model());
      let text = `M${x(first)} ${y(0)}H${x(last)}`;
      for (let step = 0; step <= 100; ++step) {
        const at = step / 100.001;
        const all = share - ((1 - share) * at) / (1 - at);
        if (all < low) break;
        text += `${step ? "L" : "M"}${x(at).toFixed(1)} ${y(all).toFixed(1)}`;
      }
      figure.lines.lastChild.setAttribute("d", text);
    }
  }

  // The line of the chosen model on top; on cost curves, where each threshold is a line, that of the threshold.
  function drawChosen(figure, now) {
    const one = model();
    let line = "";
    if (figure.kind === "cost") {
      const { x, y, high } = figure.scales;
      const ends = [now.fpr.value, 1 - now.tpr.value].map((cost) => y(Math.min(cost, high)));
      line = `M${x(0)} ${ends[0]}L${x(1)} ${ends[1]}`;
    } else {
      const drawn = `${state.model} ${figure.kind === "roc" ? "" : state.prevalence}`;
      if (figure.drawn === drawn) return;
      figure.drawn = drawn;
      const hidden = figure.kind === "benefit" && (!one.probabilities || state.prevalence === null);
      if (!hidden) line = pathOf(one, figure, 1000);
    }
    figure.chosen.setAttribute("d", line);
    figure.chosen.setAttribute("stroke", colorOf(one));
    figure.chosen.setAttribute("stroke-dasharray", figure.kind === "cost" ? "1 3" : one.dashes);
  }

  function drawPoint(figure, now) {
    const { x, y, left, right, top, bottom, low, high } = figure.scales;
    const one = model();
    const [miss, alarm, share] = [state.miss ?? 1, state.alarm ?? 1, now.prevalence];
    let at = null;
    let guide = null;
    if (figure.kind === "cost") {
      guide = (share * miss) / (share * miss + (1 - share) * alarm);
      at = [guide, (1 - now.tpr.value) * guide + now.fpr.value * (1 - guide)];
    } else if (figure.kind === "benefit") {
      guide = alarm / (alarm + miss);
      at = [guide, now.benefit];
    } else if (figure.kind === "scores") {
      guide = one.numbers[place()];
    } else {
      at = coordinates[figure.kind](one, place());
    }
    const visible = at !== null && at.every(Number.isFinite) && x(at[0]) >= left - 1 && x(at[0]) <= right + 1;
    figure.point.style.display = visible ? "" : "none";
    if (visible) {
      figure.point.setAttribute("cx", x(at[0]));
      figure.point.setAttribute("cy", y(Math.min(Math.max(at[1], low), high)));
      figure.point.setAttribute("stroke", colorOf(one));
    }
    const ruled = guide !== null && x(guide) >= left && x(guide) <= right;
    figure.guide.style.display = ruled ? "" : "none";
    if (ruled) for (const [name, value] of Object.entries({ x1: x(guide), x2: x(guide), y1: top, y2: bottom })) figure.guide.setAttribute(name, value);
  }

  // ---- Words and numbers.
  const rateCells = [...document.querySelectorAll(".rates [data-rate]")];

  function showOutcome(now) {
    const whole = { tp: now.prevalence * now.tpr.value, fn: now.prevalence * now.fnr.value, fp: (1 - now.prevalence) * now.fpr.value };
    whole.tn = 1 - now.prevalence - whole.fp;
    for (const name of ["tp", "fp", "fn", "tn"]) {
      part(`${name}-of`).textContent = people(whole[name]);
      part(name).textContent = `(${count(now[name])})`;
    }
    part("counted").textContent = model().weighted ? "sums of weights" : "counts";
    for (const cell of rateCells) cell.textContent = interval(now[cell.dataset.rate]);
    const [cost, low, high] = amounts(...[now.cost.value, now.cost.low, now.cost.high].map((one) => PEOPLE * one));
    part("cost").textContent = `${cost} [${low}, ${high}]`;
    part("benefit").textContent = amounts(PEOPLE * now.benefit)[0];
    part("pos").style.flex = `${now.prevalence} 0 0`;
    part("neg").style.flex = `${1 - now.prevalence} 0 0`;
    const areas = { ".tp": now.tpr.value, ".fn": 1 - now.tpr.value, ".fp": now.fpr.value, ".tn": 1 - now.fpr.value };
    for (const [name, size] of Object.entries(areas)) part("mosaic").querySelector(name).style.flex = `${size} 0 0`;
    part("mosaic").setAttribute(
      "aria-label",
      `Of ${PEOPLE} examples ${people(whole.tp)} positives are found and ${people(whole.fn)} missed, ` +
        `${people(whole.fp)} negatives are false alarms and ${people(whole.tn)} left alone.`,
    );
    return whole;
  }

  const said = part("said");
  const says = document.createTextNode("");
  const back = Object.assign(document.createElement("button"), { type: "button" });
  said.append(says, " ", back);
  back.addEventListener("click", () => {
    state = back.dataset.to === "best" ? { ...state, threshold: null } : { ...start };
    show();
    keep();
  });

  function say(now, whole) {
    const over = state.capacity !== null && now.called.value > state.capacity + 1e-12;
    let text = `Of ${PEOPLE.toLocaleString("en-US")} examples ${people(now.called.value)} are called positive, ${people(whole.tp)} of them rightly; ${people(whole.fn)} positives are missed.`;
    if (over) text += " That is more than the capacity allows.";
    const best = bestPlace();
    const byHand = state.threshold !== null && state.threshold !== best;
    if (byHand) text += ` Threshold set by hand; best for these costs: ${model().threshold[best]}.`;
    says.textContent = text;
    said.classList.toggle("warning", over);
    back.dataset.to = byHand ? "best" : "start";
    back.textContent = byHand ? "Use the best" : "Back to the recommendation";
    back.hidden = written() === "";
  }

  // ---- Groups.
  const table = document.querySelector("table.groups");
  const rows = table ? [...table.querySelectorAll("tr[data-group]")] : [];
  const smalls = [...document.querySelectorAll("figure.small")];
  const FEW = 10;

  function setBar(cell, { value, low, high }, whole, [from, to]) {
    const at = (number) => `${(100 * (Math.min(Math.max(number, from), to) - from)) / (to - from)}%`;
    const bar = cell.querySelector("svg");
    bar.style.display = Number.isFinite(value) ? "" : "none";
    if (!Number.isFinite(value)) return;
    let rule = bar.querySelector(".whole");
    if (!rule) {
      rule = made("line", { class: "whole", y1: "0%", y2: "100%" });
      bar.prepend(rule);
    }
    rule.setAttribute("x1", at(whole));
    rule.setAttribute("x2", at(whole));
    const line = bar.lastChild.previousSibling;
    line.setAttribute("x1", at(low));
    line.setAttribute("x2", at(high));
    bar.lastChild.setAttribute("cx", at(value));
    bar.style.color = colorOf(model());
  }

  // At another prevalence the odds of all groups are shifted alike.
  function prevalenceOfGroup(group) {
    if (state.prevalence === null || !group.pos || !group.neg) return null;
    const odds = (share) => share / (1 - share);
    const shifted = (odds(decision.share(group)) * odds(state.prevalence)) / odds(decision.share(model()));
    return shifted / (1 + shifted);
  }

  let drawnModel = -1;
  function showGroups(now) {
    if (!table) return;
    const one = model();
    const axis = table.dataset.axis.split(" ").map(Number);
    const whole = { auc: areaOf(one), tpr: now.tpr.value, fpr: now.fpr.value, ppv: now.ppv.value, called: now.called.value };
    rows.forEach((row, number) => {
      const group = one.groups[number];
      const found = decision.rates(group, place(), prevalenceOfGroup(group));
      row.classList.toggle("few", Math.min(group.pos, group.neg) < FEW);
      for (const cell of row.querySelectorAll("[data-rate]")) {
        const key = cell.dataset.rate;
        if (key === "auc") {
          if (drawnModel === state.model) continue;
          const [value, low, high] = one.groupAucs[number].map((end) => end ?? NaN);
          cell.firstChild.textContent = Number.isFinite(value) ? `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]` : "undefined";
          setBar(cell, { value, low, high }, whole.auc, axis);
        } else {
          cell.firstChild.textContent = interval(found[key]);
          setBar(cell, found[key], whole[key], [0, 1]);
        }
      }
      const small = smalls[number];
      if (drawnModel !== state.model) {
        small.querySelector(".whole").setAttribute("d", smallPath(one));
        const path = small.querySelector(".part");
        path.setAttribute("d", smallPath(group));
        path.style.stroke = colorOf(one);
      }
      const point = small.querySelector("circle");
      point.style.fill = colorOf(one);
      point.style.display = group.pos && group.neg ? "" : "none";
      point.setAttribute("cx", (100 * group.fp[place()]) / group.neg || 0);
      point.setAttribute("cy", 100 - (100 * group.tp[place()]) / group.pos || 0);
    });
    drawnModel = state.model;
  }

  function smallPath(counts) {
    if (!counts.pos || !counts.neg) return "";
    return placesOf(counts, MOST_POINTS)
      .map((at, number) => `${number ? "L" : "M"}${((100 * counts.fp[at]) / counts.neg).toFixed(1)} ${(100 - (100 * counts.tp[at]) / counts.pos).toFixed(1)}`)
      .join("");
  }

  function areaOf(counts) {
    let area = 0;
    for (let at = 1; at < counts.tp.length; ++at) area += ((counts.fp[at] - counts.fp[at - 1]) * (counts.tp[at] + counts.tp[at - 1])) / 2;
    return area / (counts.pos * counts.neg);
  }

  // ---- All of it.
  function setText(name, text) {
    const field = part(name);
    if (document.activeElement !== field) field.value = text;
    field.removeAttribute("aria-invalid");
  }

  function show() {
    const one = model();
    const now = decision.at(one, place(), state);
    part("model").value = String(state.model);
    slider("threshold").max = one.threshold.length - 1;
    slider("threshold").value = one.threshold.length - 1 - place(); // from lenient to strict
    setText("threshold", now.threshold);
    setText("miss", state.miss === null ? "" : short(state.miss));
    setText("alarm", state.alarm === null ? "" : short(state.alarm));
    setText("prevalence", short(100 * now.prevalence));
    setText("capacity", state.capacity === null ? "" : short(100 * state.capacity));
    slider("ratio").value = Math.log10((state.miss ?? 1) / (state.alarm ?? 1));
    slider("prevalence").value = Math.log(now.prevalence / (1 - now.prevalence));
    slider("capacity").value = 100 * (state.capacity ?? 1);
    for (const figure of figures) {
      if (figure.model !== undefined) figure.holder.hidden = Number(figure.model) !== state.model;
      if (figure.holder.hidden || figure.kind === "calibration") continue;
      if (figure.kind === "pr" || figure.kind === "benefit") drawLines(figure);
      if (figure.kind !== "scores") drawChosen(figure, now);
      drawPoint(figure, now);
    }
    say(now, showOutcome(now));
    showGroups(now);
  }

  // Changes of costs, prevalence or capacity choose the best threshold again.
  function change(key, value, finished) {
    state = { ...state, threshold: null, [key]: value };
    show();
    if (finished) keep();
  }

  // A number as people type it: 1,000 is a thousand, 0,5 a half.
  function numberIn(text) {
    const plain = /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(",", "") : text.replace(",", ".");
    return /\d/.test(plain) ? Number(plain) : NaN;
  }

  function typed(name, apply) {
    const field = part(name);
    const handle = (finished) => {
      const accepted = apply(field.value.trim(), finished);
      if (accepted) field.removeAttribute("aria-invalid");
      else field.setAttribute("aria-invalid", "true");
    };
    field.addEventListener("input", () => handle(false));
    field.addEventListener("change", () => { handle(true); if (field.getAttribute("aria-invalid") === null) { field.blur(); show(); } });
  }

  function typedNumber(name, factor) {
    typed(name, (text, finished) => {
      const value = text === "" ? null : numberIn(factor === 1 ? text : text.replace(/\s*%$/, "")) / factor;
      if (value !== null && !allowed[name](value)) return false;
      const next = { ...state, [name]: value };
      if ((next.miss ?? 1) === 0 && (next.alarm ?? 1) === 0) return false;
      change(name, value, finished);
      return true;
    });
  }

  typed("threshold", (text, finished) => {
    const exact = model().threshold.indexOf(text);
    const value = numberIn(text);
    if (exact < 0 && Number.isNaN(value)) return false;
    state = { ...state, threshold: exact >= 0 ? exact : decision.placeOf(model(), value) };
    show();
    if (finished) keep();
    return true;
  });
  typedNumber("miss", 1);
  typedNumber("alarm", 1);
  typedNumber("prevalence", 100);
  typedNumber("capacity", 100);

  function slides(name, apply) {
    slider(name).addEventListener("input", (event) => apply(Number(event.target.value), false));
    slider(name).addEventListener("change", (event) => apply(Number(event.target.value), true));
  }
  slides("threshold", (value, finished) => {
    state = { ...state, threshold: model().threshold.length - 1 - value };
    show();
    if (finished) keep();
  });
  slides("ratio", (value, finished) => {
    const alarm = state.alarm || 1;
    const miss = Number((alarm * 10 ** value).toPrecision(3));
    state = { ...state, alarm };
    change("miss", miss, finished);
  });
  slides("prevalence", (value, finished) => change("prevalence", Number((1 / (1 + Math.exp(-value))).toPrecision(3)), finished));
  slides("capacity", (value, finished) => change("capacity", value >= 100 ? null : Number((value / 100).toPrecision(4)), finished));
  part("model").addEventListener("change", (event) => {
    state = { ...state, model: Number(event.target.value), threshold: null };
    show();
    keep();
  });
  // A field that has its old value again reports no change, but may have moved the threshold.
  panel.addEventListener("focusout", keep);
  panel.addEventListener("keydown", (event) => { if (event.key === "Enter") keep(); });
  panel.addEventListener("submit", (event) => event.preventDefault());

  function restore() {
    read();
    show();
  }
  addEventListener("popstate", restore);
  addEventListener("hashchange", restore);
  restore();
})();
