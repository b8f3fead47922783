// The arithmetic of the decision panel: counts at the thresholds of a model, and what they mean for a prevalence,
// costs and a capacity. No drawing here, so that the numbers can be compared with those of the library.
"use strict";

const decision = (() => {
  const SLACK = 1e-12; // rates are rounded: values that differ by less are equal
  const TAIL = 0.025; // of a 95 % interval
  const NUMBERS = { "above all scores": Infinity, inf: Infinity, "any score": -Infinity };
  const UNKNOWN = { value: NaN, low: NaN, high: NaN };

  // Lanczos' approximation (g = 7), good to 15 digits.
  const LANCZOS = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];

  function logGamma(x) {
    let sum = LANCZOS[0];
    for (let term = 1; term < LANCZOS.length; ++term) sum += LANCZOS[term] / (x - 1 + term);
    const t = x + 6.5;
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }

  // The regularized incomplete beta function, by its continued fraction (Lentz's method).
  function incompleteBeta(x, a, b, logBeta) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a, logBeta);
    const tiny = 1e-300;
    let c = 1;
    let d = 1 / Math.max(Math.abs(1 - ((a + b) * x) / (a + 1)), tiny);
    let fraction = d;
    for (let m = 1; m < 5000; ++m) {
      const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / (1 + even * d || tiny);
      c = 1 + even / c || tiny;
      fraction *= c * d;
      const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / (1 + odd * d || tiny);
      c = 1 + odd / c || tiny;
      fraction *= c * d;
      if (Math.abs(c * d - 1) < 1e-15) break;
    }
    return (Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta) / a) * fraction;
  }

  // A quantile of the beta distribution: Newton's method, kept inside a shrinking bracket.
  function betaQuantile(share, a, b) {
    const logBeta = logGamma(a) + logGamma(b) - logGamma(a + b);
    let low = 0;
    let high = 1;
    let x = a / (a + b);
    for (let step = 0; step < 200 && high - low > 1e-15; ++step) {
      const beyond = incompleteBeta(x, a, b, logBeta) - share;
      if (beyond > 0) high = x;
      else low = x;
      const slope = Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta);
      const next = x - beyond / slope;
      const moved = next > low && next < high ? next : (low + high) / 2;
      if (Math.abs(moved - x) < 1e-14 * x) return moved;
      x = moved;
    }
    return x;
  }

  // The interval of Clopper and Pearson for a share of `number` examples, which need not be whole.
  function exactShare(value, number) {
    if (!(number > 0)) return UNKNOWN;
    const hits = value * number;
    const low = value === 0 ? 0 : betaQuantile(TAIL, hits, number - hits + 1);
    const high = value === 1 ? 1 : betaQuantile(1 - TAIL, hits + 1, number - hits);
    return { value, low: Math.min(low, value), high: Math.max(high, value) };
  }

  // Sums and ratios of independent estimates, by variance recovery (MOVER), as in the library.
  const through = (one, f) => {
    const ends = [f(one.low), f(one.high)];
    return { value: f(one.value), low: Math.min(...ends), high: Math.max(...ends) };
  };
  const scaled = (one, factor) => through(one, (value) => factor * value);
  const plus = (one, other) => {
    const value = one.value + other.value;
    return {
      value,
      low: value - Math.hypot(one.value - one.low, other.value - other.low),
      high: value + Math.hypot(one.high - one.value, other.high - other.value),
    };
  };
  function over(one, other) {
    const { value: a, low, high } = one;
    const { value: b, low: otherLow, high: otherHigh } = other;
    if (!(a > 0 || b > 0)) return UNKNOWN;
    const product = a * b;
    let [inner, outer] = [low * (2 * a - low), otherHigh * (2 * b - otherHigh)];
    const lower = inner > 0 ? inner / (product + Math.sqrt(Math.max(product ** 2 - inner * outer, 0))) : 0;
    [inner, outer] = [high * (2 * a - high), otherLow * (2 * b - otherLow)];
    const reach = product + Math.sqrt(Math.max(product ** 2 - inner * outer, 0));
    return { value: b === 0 ? Infinity : a / b, low: lower, high: outer > 0 ? reach / outer : Infinity };
  }

  // Sums of what the page holds: growth from threshold to threshold.
  function summed(growth) {
    let sum = 0;
    return growth.map((one) => (sum += one));
  }

  function unpackedCounts(packed) {
    const counts = { tp: summed(packed.tp), fp: summed(packed.fp) };
    counts.tpSquared = packed.tpSquared ? summed(packed.tpSquared) : counts.tp;
    counts.fpSquared = packed.fpSquared ? summed(packed.fpSquared) : counts.fp;
    const last = counts.tp.length - 1;
    counts.pos = counts.tp[last];
    counts.neg = counts.fp[last];
    return counts;
  }

  // A model as the panel uses it, from what the page holds.
  function unpacked(model) {
    const counts = unpackedCounts(model);
    return {
      ...model,
      ...counts,
      numbers: model.threshold.map((text) => NUMBERS[text] ?? Number(text)),
      groups: (model.groups || []).map(unpackedCounts),
    };
  }

  const share = (counts) => counts.pos / (counts.pos + counts.neg);

  // Share of examples that are called positive.
  const calledPositive = (tpr, fpr, prevalence) => prevalence * tpr + (1 - prevalence) * fpr;

  // The best place: lowest expected cost, or without costs the highest true positive rate within the capacity.
  // Of equally good places the strictest that no other one dominates, as `choose_threshold` has it.
  function best(model, state) {
    const prevalence = state.prevalence ?? share(model);
    const count = model.tp.length;
    const findMost = state.miss === null && state.alarm === null && state.capacity !== null;
    const miss = state.miss ?? 1;
    const alarm = state.alarm ?? 1;
    const most = prevalence * miss + (1 - prevalence) * alarm;
    const losses = new Float64Array(count);
    let lowest = Infinity;
    for (let place = 0; place < count; ++place) {
      const tpr = model.tp[place] / model.pos;
      const fpr = model.fp[place] / model.neg;
      let loss = findMost ? -tpr : (prevalence * miss * (1 - tpr) + (1 - prevalence) * alarm * fpr) / most;
      if (state.capacity !== null && calledPositive(tpr, fpr, prevalence) > state.capacity + SLACK) loss = Infinity;
      losses[place] = loss;
      if (loss < lowest) lowest = loss;
    }
    let found = -1;
    for (let place = 0; place < count; ++place) {
      if (!(losses[place] <= lowest + SLACK)) continue;
      if (found < 0) found = place;
      else if (model.fp[place] === model.fp[found] && model.tp[place] > model.tp[found]) found = place;
    }
    return found;
  }

  // The place of a threshold: the most lenient that is not below it.
  function placeOf(model, threshold) {
    let place = 0;
    while (place + 1 < model.numbers.length && model.numbers[place + 1] >= threshold) ++place;
    return place;
  }

  // Rates at a place with their intervals, of all examples or of a group.
  function rates(counts, place, prevalence) {
    const [tp, fp] = [counts.tp[place], counts.fp[place]];
    const [fn, tn] = [counts.pos - tp, counts.neg - fp];
    const last = counts.tp.length - 1;
    const squares = { tp: counts.tpSquared[place], fp: counts.fpSquared[place] };
    squares.fn = counts.tpSquared[last] - squares.tp;
    squares.tn = counts.fpSquared[last] - squares.fp;
    const of = { tp, fp, fn, tn };
    const shareOf = (part, rest) => {
      const inside = part.reduce((sum, name) => sum + of[name], 0);
      const names = [...part, ...rest];
      const total = names.reduce((sum, name) => sum + of[name], 0);
      const squared = names.reduce((sum, name) => sum + squares[name], 0);
      return total > 0 ? exactShare(inside / total, total ** 2 / squared) : UNKNOWN;
    };
    const [hit, miss] = [shareOf(["tp"], ["fn"]), shareOf(["fn"], ["tp"])];
    const [alarm, correct] = [shareOf(["fp"], ["tn"]), shareOf(["tn"], ["fp"])];
    const found = { tp, fp, fn, tn, tpr: hit, fnr: miss, fpr: alarm };
    if (prevalence === null) {
      found.ppv = shareOf(["tp"], ["fp"]);
      found.npv = shareOf(["tn"], ["fn"]);
      found.called = shareOf(["tp", "fp"], ["tn", "fn"]);
    } else {
      const odds = prevalence / (1 - prevalence);
      const after = (ratio) => (ratio === Infinity ? 1 : (odds * ratio) / (1 + odds * ratio));
      found.ppv = through(over(hit, alarm), after);
      found.npv = through(over(miss, correct), (ratio) => 1 - after(ratio));
      found.called = plus(scaled(hit, prevalence), scaled(alarm, 1 - prevalence));
    }
    return found;
  }

  // Everything that the panel shows of a place.
  function at(model, place, state) {
    const found = rates(model, place, state.prevalence);
    const prevalence = state.prevalence ?? share(model);
    const [miss, alarm] = [state.miss ?? 1, state.alarm ?? 1];
    const cost = plus(scaled(found.fnr, prevalence * miss), scaled(found.fpr, (1 - prevalence) * alarm));
    // In units of a true positive, which is worth a miss.
    const benefit = miss > 0 ? prevalence * found.tpr.value - ((1 - prevalence) * found.fpr.value * alarm) / miss : NaN;
    return { ...found, prevalence, threshold: model.threshold[place], cost, benefit };
  }

  return { at, best, calledPositive, exactShare, placeOf, rates, share, unpacked };
})();

if (typeof module !== "undefined") module.exports = decision;
