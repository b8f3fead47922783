// Contribution of a range of scores to AUC, scored AUC and their variances. Neighbouring ranges join into their union.
//
// Joining is associative and has the empty summary as identity, so the same few lines serve a sorted array, threads, the
// nodes of a tree and the partitions of a cluster.
//
// Glossary. Positives have scores y and weights w, negatives x and v; without weights all are one. For a positive, a is
// its loss or gain against the negatives of the range; for a negative, b against the positives.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "array.hpp"
#include "pair_counts.hpp"
#include "parallel.hpp"
#include "wide_integers.hpp"

namespace roclab {

// Pairs that are ranked wrongly, ties half, in weights. Counted from the losing side, since few pairs are lost where AUC
// is high: there the sums stay small and their variance keeps its precision.
struct WeightedLosses {
  double pos = 0, neg = 0;                  // sum w, sum v
  double pos_sq = 0, neg_sq = 0;            // sum w^2, sum v^2
  double pos_cross = 0, neg_cross = 0;      // (sum w)^2 - sum w^2, kept separately since the difference may cancel; likewise v
  double losses = 0;                        // sum w a, a = weight of negatives above
  double pos_loss = 0, neg_loss = 0;        // sum w^2 a, sum v^2 b, b = weight of positives below
  double pos_loss_sq = 0, neg_loss_sq = 0;  // sum w^2 a^2, sum v^2 b^2

  double effective_pos() const { return pos_sq > 0 ? pos * pos / pos_sq : 0; }
  double effective_neg() const { return neg_sq > 0 ? neg * neg / neg_sq : 0; }
  double auc() const {
    if (!(pos > 0 && neg > 0)) return std::numeric_limits<double>::quiet_NaN();
    return std::clamp(1 - losses / pos / neg, 0.0, 1.0);  // rounding may exceed either end
  }
};

inline WeightedLosses join(const WeightedLosses& low, const WeightedLosses& high) {
  const double above = high.neg, below = low.pos;
  WeightedLosses both;
  both.pos = low.pos + high.pos;
  both.neg = low.neg + high.neg;
  both.pos_sq = low.pos_sq + high.pos_sq;
  both.neg_sq = low.neg_sq + high.neg_sq;
  both.pos_cross = low.pos_cross + high.pos_cross + 2 * low.pos * high.pos;
  both.neg_cross = low.neg_cross + high.neg_cross + 2 * low.neg * high.neg;
  both.losses = low.losses + high.losses + below * above;
  both.pos_loss = low.pos_loss + high.pos_loss + low.pos_sq * above;
  both.neg_loss = low.neg_loss + high.neg_loss + high.neg_sq * below;
  both.pos_loss_sq = low.pos_loss_sq + high.pos_loss_sq + above * (2 * low.pos_loss + low.pos_sq * above);
  both.neg_loss_sq = low.neg_loss_sq + high.neg_loss_sq + below * (2 * high.neg_loss + high.neg_sq * below);
  return both;
}

// Sums behind the scored AUC, of scores measured from `origin`. Here a = sum over negatives of v max(y - x, 0), and b
// likewise: differences, which do not depend on the origin.
struct ScoredSums {
  double origin = 0;
  double pos = 0, neg = 0, pos_sq = 0, neg_sq = 0;                  // sum w, v, w^2, v^2
  double pos_score = 0, neg_score = 0;                              // sum w y, v x
  double gain = 0;                                                  // sum w a: over pairs, w v max(y - x, 0)
  double pos_y = 0, pos_yy = 0, pos_a = 0, pos_ay = 0, pos_aa = 0;  // sum w^2 times y, y^2, a, a y, a^2
  double neg_x = 0, neg_xx = 0, neg_b = 0, neg_bx = 0, neg_bb = 0;  // sum v^2 times x, x^2, b, b x, b^2

  // The same sums with scores measured from another origin.
  ScoredSums moved_to(double target) const {
    const double shift = origin - target;
    if (shift == 0) return *this;
    ScoredSums moved = *this;
    moved.origin = target;
    moved.pos_score += shift * pos;
    moved.neg_score += shift * neg;
    moved.pos_yy += shift * (2 * pos_y + shift * pos_sq);
    moved.neg_xx += shift * (2 * neg_x + shift * neg_sq);
    moved.pos_y += shift * pos_sq;
    moved.neg_x += shift * neg_sq;
    moved.pos_ay += shift * pos_a;
    moved.neg_bx += shift * neg_b;
    return moved;
  }

  double scored_auc() const {
    if (!(pos > 0 && neg > 0)) return std::numeric_limits<double>::quiet_NaN();
    return gain / pos / neg;
  }

  // For scores that were not read.
  static ScoredSums unknown() {
    ScoredSums sums;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (auto* sum : {&sums.pos, &sums.neg, &sums.pos_sq, &sums.neg_sq, &sums.gain}) *sum = nan;
    return sums;
  }
};

inline ScoredSums join(const ScoredSums& below, const ScoredSums& above) {
  if (below.pos_sq == 0 && below.neg_sq == 0) return above;
  if (above.pos_sq == 0 && above.neg_sq == 0) return below;
  const double origin = below.pos + below.neg < above.pos + above.neg ? above.origin : below.origin;
  const ScoredSums low = below.moved_to(origin), high = above.moved_to(origin);
  const double n = low.neg, sn = low.neg_score, p = high.pos, sp = high.pos_score;
  ScoredSums both;
  both.origin = low.origin;
  both.pos = low.pos + high.pos;
  both.neg = low.neg + high.neg;
  both.pos_sq = low.pos_sq + high.pos_sq;
  both.neg_sq = low.neg_sq + high.neg_sq;
  both.pos_score = low.pos_score + high.pos_score;
  both.neg_score = low.neg_score + high.neg_score;
  both.gain = low.gain + high.gain + (sp * n - p * sn);
  both.pos_y = low.pos_y + high.pos_y;
  both.pos_yy = low.pos_yy + high.pos_yy;
  both.neg_x = low.neg_x + high.neg_x;
  both.neg_xx = low.neg_xx + high.neg_xx;
  // Each positive of the higher range gains n y - sn: a' = a + n y - sn.
  both.pos_a = low.pos_a + high.pos_a + (n * high.pos_y - sn * high.pos_sq);
  both.pos_ay = low.pos_ay + high.pos_ay + (n * high.pos_yy - sn * high.pos_y);
  both.pos_aa = low.pos_aa + high.pos_aa + 2 * (n * high.pos_ay - sn * high.pos_a) +
                (n * n * high.pos_yy - 2 * n * sn * high.pos_y + sn * sn * high.pos_sq);
  // Each negative of the lower range is exceeded by sp - p x more: b' = b + sp - p x.
  both.neg_b = low.neg_b + high.neg_b + (sp * low.neg_sq - p * low.neg_x);
  both.neg_bx = low.neg_bx + high.neg_bx + (sp * low.neg_x - p * low.neg_xx);
  both.neg_bb = low.neg_bb + high.neg_bb + 2 * (sp * low.neg_b - p * low.neg_bx) +
                (sp * sp * low.neg_sq - 2 * sp * p * low.neg_x + p * p * low.neg_xx);
  return both;
}

namespace detail {

// Contribution of one class to the variance of a mean over pairs: DeLong's form for importance weights. The arguments are
// (sum w)^2 - sum w^2, sum w^2, sum w^2 a, sum w^2 a^2, the mass of the other class, the mean and a bound of the result.
inline double class_variance(double cross, double sq, double linear, double square, double other, double mean,
                             double most = std::numeric_limits<double>::infinity()) {
  if (!(cross > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double squares = square / (other * other);
  const double spread = squares - 2 * mean * (linear / other) + mean * mean * sq;
  // What is left of equal terms is rounding error; divided by a small `cross` it would look like a variance.
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  return spread <= rounding * squares ? 0.0 : std::min(spread / cross, most);
}

// A bound of the contribution of one class, for values within `reach` of one another. With W the sum of weights, a value is at
// most (W - w) / W times that away from the mean, so that the sum of squares over `cross` is at most the largest w (W - w) / W^2.
// If one weight exceeds all others by far, that is tiny, and the sum of squares is rounding error.
inline double most_class_variance(double cross, double total, double reach) { return cross / total / total * (reach * reach); }

// Contribution of one score to `RangeSummary::tied`.
inline double tied_mass(double mass, double squares) { return mass > 0 ? mass * mass * mass - squares * squares / mass : 0; }

}  // namespace detail

class RangeSummary {
 public:
  bool weighted = false;
  PairCounts counts;      // examples; the pair counts are kept only without weights
  WeightedLosses losses;  // kept only with weights
  ScoredSums scored;
  // Sum over scores of t^3 - q^2 / t, with t the mass of both classes at a score and q its squared mass: without weights
  // t^3 - t. An example that ties with no other adds 0.
  double tied = 0;
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;  // of the scores; crossed if there are none

  double auc() const { return weighted ? losses.auc() : counts.auc(); }

  double auc_variance() const {
    if (!weighted) return counts.auc_variance();
    if (counts.pos < 2 || counts.neg < 2) return std::numeric_limits<double>::quiet_NaN();
    const auto& l = losses;
    const double mean = l.losses / l.pos / l.neg;
    const double most_pos = detail::most_class_variance(l.pos_cross, l.pos, 1);
    const double most_neg = detail::most_class_variance(l.neg_cross, l.neg, 1);
    return detail::class_variance(l.pos_cross, l.pos_sq, l.pos_loss, l.pos_loss_sq, l.neg, mean, most_pos) +
           detail::class_variance(l.neg_cross, l.neg_sq, l.neg_loss, l.neg_loss_sq, l.pos, mean, most_neg);
  }

  double scored_auc() const { return scored.scored_auc(); }

  double scored_auc_variance() const {
    if (counts.pos < 2 || counts.neg < 2) return std::numeric_limits<double>::quiet_NaN();
    const auto& s = scored;
    const double mean = s.scored_auc();
    const double pos_cross = weighted ? losses.pos_cross : s.pos * (s.pos - 1);
    const double neg_cross = weighted ? losses.neg_cross : s.neg * (s.neg - 1);
    // Large integers are rounded at the ends.
    const double rounding = std::numeric_limits<double>::epsilon() * (std::abs(lowest) + std::abs(highest));
    const double most_pos = detail::most_class_variance(pos_cross, s.pos, highest - lowest + rounding);
    const double most_neg = detail::most_class_variance(neg_cross, s.neg, highest - lowest + rounding);
    return detail::class_variance(pos_cross, s.pos_sq, s.pos_a, s.pos_aa, s.neg, mean, most_pos) +
           detail::class_variance(neg_cross, s.neg_sq, s.neg_b, s.neg_bb, s.pos, mean, most_neg);
  }

  // Share of the variance under exchange of labels that ties remove: `tied` over its value if all scores tie, without weights
  // sum(t^3 - t) / (N^3 - N), as in the Mann-Whitney test.
  double tie_share() const {
    const double mass = weighted ? losses.pos + losses.neg : static_cast<double>(counts.pos) + static_cast<double>(counts.neg);
    const double squares = weighted ? losses.pos_sq + losses.neg_sq : mass;
    const double most = detail::tied_mass(mass, squares);
    return most > 0 && std::isfinite(most) ? std::clamp(tied / most, 0.0, 1.0) : 0;
  }

  double effective_pos() const { return weighted ? losses.effective_pos() : static_cast<double>(counts.pos); }
  double effective_neg() const { return weighted ? losses.effective_neg() : static_cast<double>(counts.neg); }

  // The same summary with every weight one, so that it can join a weighted neighbour.
  RangeSummary with_unit_weights() const {
    if (weighted) return *this;
    RangeSummary same = *this;
    same.weighted = true;
    const double p = static_cast<double>(counts.pos), n = static_cast<double>(counts.neg);
    const Wide pairs = 2 * Wide(counts.pos) * counts.neg, lost = pairs - counts.twice_wins;
    same.losses.pos = same.losses.pos_sq = p;
    same.losses.neg = same.losses.neg_sq = n;
    same.losses.pos_cross = p * (p - 1);
    same.losses.neg_cross = n * (n - 1);
    same.losses.losses = same.losses.pos_loss = same.losses.neg_loss = static_cast<double>(lost) / 2;
    // sum (N - a)^2 over positives = P N^2 - 2 N U + A, in integers; likewise for negatives.
    const Wide pos_sq = 2 * pairs * counts.neg - 4 * counts.neg * counts.twice_wins + counts.pos_moment;
    const Wide neg_sq = 2 * pairs * counts.pos - 4 * counts.pos * counts.twice_wins + counts.neg_moment;
    same.losses.pos_loss_sq = static_cast<double>(pos_sq) / 4;
    same.losses.neg_loss_sq = static_cast<double>(neg_sq) / 4;
    same.counts.twice_wins = same.counts.pos_moment = same.counts.neg_moment = 0;
    return same;
  }
};

inline RangeSummary join(const RangeSummary& low, const RangeSummary& high) {
  if (low.weighted != high.weighted) return join(low.with_unit_weights(), high.with_unit_weights());
  RangeSummary both;
  both.weighted = low.weighted;
  both.counts = join(low.counts, high.counts);
  if (both.weighted) {
    both.counts.twice_wins = both.counts.pos_moment = both.counts.neg_moment = 0;
    both.losses = join(low.losses, high.losses);
  }
  both.scored = join(low.scored, high.scored);
  both.tied = low.tied + high.tied;
  both.lowest = std::min(low.lowest, high.lowest);
  both.highest = std::max(low.highest, high.highest);
  return both;
}

// Distinct scores, ascending, with their masses. `pos_sq` is null without weights: then masses are counts.
template <class T, class Mass>
struct GroupView {
  const T* scores;
  const Mass* pos;
  const Mass* neg;
  const Mass* pos_sq;
  const Mass* neg_sq;
};

namespace detail {

// From the origin, which may be the double above the largest integer. The difference is computed before rounding, so that large
// integers keep their precision.
template <std::integral T>
double distance(T score, double origin) {
  return static_cast<double>(SignedWide(score) - SignedWide(origin));
}

constexpr std::size_t kLeafGroups = 1024;  // groups summed directly; beyond that, halves are joined

template <class T, class Mass>
double squared_mass(const GroupView<T, Mass>&, const Mass* squares, const Mass* masses, std::size_t i) {
  return static_cast<double>(std::is_integral_v<Mass> ? masses[i] : squares[i]);
}

// The pair counts, or weighted losses, of groups [first, last): one pass up for negatives, one down for positives.
template <class T, class Mass>
RangeSummary summarize_leaf(const GroupView<T, Mass>& groups, std::size_t first, std::size_t last) {
  RangeSummary sum;
  if constexpr (std::is_integral_v<Mass>) {
    for (std::size_t i = first; i < last; ++i) {
      PairCounts leaf;
      leaf.pos = static_cast<std::uint64_t>(groups.pos[i]);
      leaf.neg = static_cast<std::uint64_t>(groups.neg[i]);
      leaf.twice_wins = Wide(leaf.pos) * leaf.neg;
      leaf.pos_moment = leaf.twice_wins * leaf.neg;
      leaf.neg_moment = leaf.twice_wins * leaf.pos;
      sum.counts = join(sum.counts, leaf);
      const double examples = static_cast<double>(groups.pos[i]) + static_cast<double>(groups.neg[i]);
      sum.tied += tied_mass(examples, examples);
    }
  } else {
    sum.weighted = true;
    WeightedLosses& l = sum.losses;
    for (std::size_t i = first; i < last; ++i) {
      const double p = groups.pos[i], n = groups.neg[i], b = l.pos + p / 2;  // positives below
      l.neg_loss += groups.neg_sq[i] * b;
      l.neg_loss_sq += groups.neg_sq[i] * b * b;
      l.losses += n * b;
      l.pos_cross += 2 * l.pos * p + (p * p - groups.pos_sq[i]);
      l.pos += p;
      sum.tied += tied_mass(p + n, groups.pos_sq[i] + groups.neg_sq[i]);
    }
    for (std::size_t i = last; i-- > first;) {
      const double p_sq = groups.pos_sq[i], n = groups.neg[i], a = l.neg + n / 2;  // negatives above
      l.pos_loss += p_sq * a;
      l.pos_loss_sq += p_sq * a * a;
      l.neg_cross += 2 * l.neg * n + (n * n - groups.neg_sq[i]);
      l.neg += n;
      l.pos_sq += p_sq;
      l.neg_sq += groups.neg_sq[i];
    }
  }
  return sum;
}

// A running sum of positive terms with the rounding of each addition kept (Neumaier 1974), so that millions of small steps
// lose no precision.
struct RunningSum {
  double sum = 0, lost = 0;
  void add(double term) {
    const double next = sum + term;
    lost += sum >= term ? (sum - next) + term : (term - next) + sum;
    sum = next;
  }
  double value() const { return sum + lost; }
};

// The scored sums of all groups in one sweep each way. Every a and b grows by (step between scores) * (mass passed): sums of
// positive terms, so nothing cancels for any scores, which joining by sums about one origin cannot guarantee.
template <class T, class Mass>
ScoredSums scored_sums(const GroupView<T, Mass>& groups, std::size_t n, double origin) {
  ScoredSums total;
  total.origin = origin;
  RunningSum gained, below;  // a of the current group, and the negatives below it
  double previous = 0;
  for (std::size_t first = 0; first < n; first += kLeafGroups) {
    ScoredSums s;  // of one leaf: adding leaves instead of single groups keeps rounding small
    for (std::size_t i = first; i < std::min(n, first + kLeafGroups); ++i) {
      const double p = static_cast<double>(groups.pos[i]), q = static_cast<double>(groups.neg[i]);
      const double p_sq = squared_mass(groups, groups.pos_sq, groups.pos, i);
      const double q_sq = squared_mass(groups, groups.neg_sq, groups.neg, i);
      const double score = static_cast<double>(groups.scores[i]) - origin;
      if (i > 0) gained.add((score - previous) * below.value());
      const double a = gained.value();
      previous = score;
      below.add(q);
      s.pos += p;
      s.neg += q;
      s.pos_sq += p_sq;
      s.neg_sq += q_sq;
      s.pos_score += p * score;
      s.neg_score += q * score;
      s.gain += p * a;
      s.pos_y += p_sq * score;
      s.pos_yy += p_sq * score * score;
      s.pos_a += p_sq * a;
      s.pos_ay += p_sq * a * score;
      s.pos_aa += p_sq * a * a;
      s.neg_x += q_sq * score;
      s.neg_xx += q_sq * score * score;
    }
    total.pos += s.pos, total.neg += s.neg, total.pos_sq += s.pos_sq, total.neg_sq += s.neg_sq;
    total.pos_score += s.pos_score, total.neg_score += s.neg_score, total.gain += s.gain;
    total.pos_y += s.pos_y, total.pos_yy += s.pos_yy, total.pos_a += s.pos_a, total.pos_ay += s.pos_ay;
    total.pos_aa += s.pos_aa, total.neg_x += s.neg_x, total.neg_xx += s.neg_xx;
  }
  RunningSum exceeded, above;  // b of the current group, and the positives above it
  for (std::size_t last = n; last > 0;) {
    const std::size_t first = (last - 1) / kLeafGroups * kLeafGroups;
    double linear = 0, cross = 0, square = 0;
    for (std::size_t i = last; i-- > first;) {
      const double q_sq = squared_mass(groups, groups.neg_sq, groups.neg, i);
      const double score = static_cast<double>(groups.scores[i]) - origin;
      if (i + 1 < n) exceeded.add((previous - score) * above.value());
      const double b = exceeded.value();
      previous = score;
      above.add(static_cast<double>(groups.pos[i]));
      linear += q_sq * b;
      cross += q_sq * b * score;
      square += q_sq * b * b;
    }
    total.neg_b += linear, total.neg_bx += cross, total.neg_bb += square;
    last = first;
  }
  return total;
}

}  // namespace detail

// The tree of joins depends on the number of groups alone, so the result does not depend on the number of threads. Scores are
// measured from `origin`; without one the scored sums are nan, and scores may be any numbers that ascend.
template <class T, class Mass>
RangeSummary summarize_from(std::optional<double> origin, const GroupView<T, Mass>& groups, std::size_t n, int threads) {
  if (n == 0) return {};
  const std::size_t leaves = (n + detail::kLeafGroups - 1) / detail::kLeafGroups;
  std::vector<RangeSummary> parts(leaves);
  ScoredSums scored;
  parallel_for(leaves + 1, n < (1u << 16) ? 1 : threads, [&](std::size_t task) {
    if (task == 0) {  // the longest first
      scored = origin ? detail::scored_sums(groups, n, *origin) : ScoredSums::unknown();
      return;
    }
    const std::size_t first = (task - 1) * detail::kLeafGroups;
    parts[task - 1] = detail::summarize_leaf(groups, first, std::min(n, first + detail::kLeafGroups));
  });
  while (parts.size() > 1) {
    for (std::size_t i = 0; 2 * i < parts.size(); ++i)
      parts[i] = 2 * i + 1 < parts.size() ? join(parts[2 * i], parts[2 * i + 1]) : parts[2 * i];
    parts.resize((parts.size() + 1) / 2);
  }
  parts[0].scored = scored;
  parts[0].lowest = static_cast<double>(groups.scores[0]);
  parts[0].highest = static_cast<double>(groups.scores[n - 1]);
  return parts[0];
}

template <class T, class Mass>
RangeSummary summarize(const GroupView<T, Mass>& groups, std::size_t n, int threads) {
  if (n == 0) return {};
  const double origin = static_cast<double>(groups.scores[n / 2]);
  if constexpr (std::is_floating_point_v<T>) {
    return summarize_from(origin, groups, n, threads);
  } else {
    Array<double> distances(n);
    for (std::size_t i = 0; i < n; ++i) distances[i] = detail::distance(groups.scores[i], origin);
    RangeSummary summary = summarize_from(
        0.0, GroupView<double, Mass>{distances.data(), groups.pos, groups.neg, groups.pos_sq, groups.neg_sq}, n, threads);
    summary.scored.origin = origin;
    summary.lowest = static_cast<double>(groups.scores[0]);
    summary.highest = static_cast<double>(groups.scores[n - 1]);
    return summary;
  }
}

}  // namespace roclab
