// A confidence interval for AUC by inverting the score test, from (AUC, its variance, the two sample sizes) alone.
//
// It holds every theta with |estimate - theta| <= z sqrt(c V(theta)), where V is the variance of Hanley and McNeil (1982)
// and c = max(1, DeLong variance / V(estimate)) widens it where the data vary more than their model says. Such an interval
// never collapses at an estimate of 0 or 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace roclab {

inline double hanley_mcneil_variance(double theta, double pos, double neg) {
  const double q1 = theta / (2 - theta), q2 = 2 * theta * theta / (1 + theta), square = theta * theta;
  return (theta * (1 - theta) + (pos - 1) * (q1 - square) + (neg - 1) * (q2 - square)) / (pos * neg);
}

// `variance` may be NaN (fewer than two examples of a class): then c is one.
inline std::pair<double, double> score_interval(double estimate, double variance, double pos, double neg, double z) {
  if (!(pos > 0 && neg > 0) || std::isnan(estimate)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  const double model = hanley_mcneil_variance(estimate, pos, neg);
  const double widening = model > 0 && variance > model ? variance / model : 1;
  auto excluded = [&](double theta) {
    return std::abs(estimate - theta) > z * std::sqrt(widening * std::max(hanley_mcneil_variance(theta, pos, neg), 0.0));
  };
  // From the estimate, which is inside, towards 0 or 1: halve until neighbouring doubles are left.
  auto bound = [&](double end) {
    if (!excluded(end)) return end;
    double inside = estimate, outside = end;
    for (int step = 0; step < 1100; ++step) {
      const double middle = inside + (outside - inside) / 2;
      if (middle == inside || middle == outside) break;
      (excluded(middle) ? outside : inside) = middle;
    }
    return inside;
  };
  return {bound(0), bound(1)};
}

}  // namespace roclab
