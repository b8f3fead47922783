// Confidence intervals for AUC by inverting the score test: every theta at most z standard errors away from the
// estimate, with the variance at theta in the model of Hanley and McNeil (1982). Such an interval never collapses
// at an estimate of 0 or 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace roclab {

// The variance at AUC theta in the model of Hanley and McNeil, for `pairs` pairs in which each positive shares its negative
// with `pos_others` positives, and each negative its positive with `neg_others` negatives.
inline double hanley_mcneil_variance(double theta, double pos_others, double neg_others, double pairs) {
  const double rest = 1 - theta;
  return theta * rest * (1 + pos_others * rest / (2 - theta) + neg_others * theta / (1 + theta)) / pairs;
}

namespace detail {

// Every theta with |estimate - theta| <= z sqrt(variance(theta)).
template <class Variance>
std::pair<double, double> invert_score_test(double estimate, double z, Variance&& variance) {
  auto excluded = [&](double theta) { return std::abs(estimate - theta) > z * std::sqrt(std::max(variance(theta), 0.0)); };
  // From the estimate, which is inside, towards 0 or 1: bisect down to neighbouring doubles.
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

inline bool has_interval(double estimate, double pos, double neg) { return pos > 0 && neg > 0 && !std::isnan(estimate); }

constexpr std::pair<double, double> kNoInterval{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

}  // namespace detail

inline std::pair<double, double> score_interval(double estimate, double pos, double neg, double z) {
  if (!detail::has_interval(estimate, pos, neg)) return detail::kNoInterval;
  return detail::invert_score_test(estimate, z,
                                   [&](double theta) { return hanley_mcneil_variance(theta, pos - 1, neg - 1, pos * neg); });
}

// Newcombe's method 5 (Statistics in Medicine 25 (2006) 559-573): the same model with the mean of both class sizes for each.
inline std::pair<double, double> newcombe_interval(double estimate, double pos, double neg, double z) {
  if (!detail::has_interval(estimate, pos, neg)) return detail::kNoInterval;
  const double others = (pos + neg) / 2 - 1;
  return detail::invert_score_test(estimate, z,
                                   [&](double theta) { return hanley_mcneil_variance(theta, others, others, pos * neg); });
}

}  // namespace roclab
