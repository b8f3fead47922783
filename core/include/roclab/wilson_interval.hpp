// A closed-form confidence interval for AUC from (AUC, its DeLong variance, the two sample sizes) alone: windows and partitions
// have these, and may need an interval at every event.
//
// It contains every theta with (estimate - theta)^2 <= z^2 D theta (1 - theta): Wilson's interval, with the dispersion D instead
// of one over the number of trials.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace roclab {

// D is a weighted mean of its estimate from the data, variance / (estimate (1 - estimate)), and its expectation for pos * neg
// pairs, with this correlation if they share an example. The weight of the data grows with the square of the number of informative
// examples: it is 0 at an estimate of 0 or 1 or with one example of a class, where DeLong's variance is uninformative, and tends
// to 1 in large samples. Symmetric in the classes, and in estimate and 1 - estimate. `variance` may be NaN: then D has no
// estimate from the data. All constants were chosen by simulation, see the documentation.
class AucDispersion {
 public:
  AucDispersion(double pos, double neg, double correlation) {
    const double total = pos + neg, a = std::max(pos - 1, 0.0), b = std::max(neg - 1, 0.0);
    prior_ = (1 + std::max(total - 2, 0.0) * correlation) / (pos * neg);
    // Satterthwaite's degrees of freedom of DeLong's sum of two variances.
    freedom_ = a > 0 && b > 0 ? total * total * a * b / (pos * pos * a + neg * neg * b) : 0;
  }

  double operator()(double estimate, double variance) const {
    // The squared number of informative examples at which data and expectation have equal weights, and a widening instead of
    // Student's quantiles.
    constexpr double kPriorWeight = 30, kSmallSample = 2;
    const bool known = !std::isnan(variance);
    const double informative = known ? 4 * freedom_ * estimate * (1 - estimate) : 0;
    const double data = known ? 4 * freedom_ * informative * variance : 0;  // informative^2 times D from the data, without 0 / 0
    return (kPriorWeight * prior_ + data) / (kPriorWeight + informative * informative) * (1 + kSmallSample / (1 + freedom_));
  }

 private:
  double prior_, freedom_;
};

inline double class_imbalance(double pos, double neg) { return std::abs(pos - neg) / (pos + neg); }

// Of the default interval. The expected correlation grows with the imbalance: the variance of the smaller class then dominates,
// and it is large in populations in which that class is the wider one.
inline double interval_dispersion(double estimate, double variance, double pos, double neg) {
  return AucDispersion(pos, neg, 0.25 + 0.2 * class_imbalance(pos, neg))(estimate, variance);
}

// Of the tests, each with its constant for balanced classes.
inline AucDispersion dispersion_of_tests(double pos, double neg, double pair_correlation) {
  const double imbalance = class_imbalance(pos, neg);
  return {pos, neg, pair_correlation * (1 + imbalance * imbalance)};
}

inline double test_dispersion(double estimate, double variance, double pos, double neg, double pair_correlation) {
  return dispersion_of_tests(pos, neg, pair_correlation)(estimate, variance);
}

inline std::pair<double, double> wilson_interval(double estimate, double variance, double pos, double neg, double z) {
  if (!(pos > 0 && neg > 0) || std::isnan(estimate)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  const double w = z * z * interval_dispersion(estimate, variance, pos, neg), rest = 1 - estimate;
  if (!(w > 0)) return {estimate, estimate};
  // The roots of (estimate - theta)^2 = w theta (1 - theta), each without cancellation.
  const double reach = w / 2 + std::sqrt(w * (estimate * rest + w / 4));
  return {estimate * estimate / (estimate + reach), std::max(1 - rest * rest / (rest + reach), estimate)};
}

}  // namespace roclab
