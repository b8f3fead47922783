// Limits of a difference of two AUCs from limits of both (MOVER), and the quantile at which a limit reaches a value.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

namespace roclab {

// Every theta at most z standard errors away from an AUC. The squared standard error is `spread` times the mean of
// theta (1 - theta) and of the same at the estimate, which has this weight; with weight 0 these are Wilson's limits.
inline std::pair<double, double> auc_limits(double value, double spread, double z, double weight) {
  double w = z * z * spread;
  const double own = w * weight * value * (1 - value);
  w *= 1 - weight;
  // Roots of (1 + w) theta^2 - (2 value + w) theta + value^2 - own = 0, without cancellation.
  const double half = value + w / 2;
  const double root = std::sqrt(std::max(w * (value * (1 - value) + w / 4) + own * (1 + w), 0.0));
  const double high = (half + root) / (1 + w);
  const double low = own > 0 ? (half - root) / (1 + w) : half > 0 ? value * value / (half + root) : 0.0;
  return {std::max(low, 0.0), std::min(high, 1.0)};
}

// Two AUCs. The distances of the AUCs from their limits add up in squares.
struct Mover {
  double first, first_spread, second, second_spread;
  double weight;  // as for auc_limits
  double ratio;   // variance of the difference divided by the sum of both variances

  std::pair<double, double> limits(double z) const {
    z *= std::sqrt(ratio);
    const auto [low_a, high_a] = auc_limits(first, first_spread, z, weight);
    const auto [low_b, high_b] = auc_limits(second, second_spread, z, weight);
    auto length = [](double x, double y) { return std::sqrt(x * x + y * y); };
    const double difference = first - second;
    return {difference - length(first - low_a, high_b - second), difference + length(high_a - first, second - low_b)};
  }

  // Whether the quantile at which a limit reaches 0 is at least `distance`.
  bool reaches(double distance) const {
    if (distance <= 0) return true;
    if (first == second) return false;
    // A limit that does not reach 0 at this distance does so at a larger one.
    const auto [low, high] = limits(distance);
    return first > second ? low >= 0 : high <= 0;
  }

  // Quantile at which a limit reaches `null`; negative if the difference is below it.
  double statistic(double null) const {
    const double difference = first - second;
    if (std::isnan(difference)) return difference;
    const bool above = difference >= null;
    const double found = zero([&](double z) { return above ? limits(z).first - null : null - limits(z).second; });
    return above ? found : -found;
  }

 private:
  // Root of a decreasing function; 0 if it is not positive at 0. Regula falsi with the Illinois modification: the function value at
  // an end that is kept twice is halved.
  template <class Function>
  static double zero(Function beyond) {
    constexpr double farthest = 1e9;     // quantiles beyond it have no probability
    constexpr double precision = 1e-13;  // relative
    double near = 0, far = 1, at_near = beyond(near), at_far = beyond(far);
    if (!(at_near > 0)) return near;
    while (at_far > 0 && far < farthest) {
      near = far;
      at_near = at_far;
      far *= 4;
      at_far = beyond(far);
    }
    int kept = 0;  // which end was kept: 1 the near one, -1 the far one
    double middle = near;
    for (int step = 0; step < 100; ++step) {
      middle = near + (far - near) * at_near / (at_near - at_far);
      if (!(near < middle && middle < far) || far - near <= precision * far) break;
      const double value = beyond(middle);
      if (value > 0) {
        near = middle;
        at_near = value;
        if (kept < 0) at_far /= 2;
        kept = -1;
      } else {
        far = middle;
        at_far = value;
        if (kept > 0) at_near /= 2;
        kept = 1;
      }
    }
    return std::min(std::max(middle, near), far);
  }
};

}  // namespace roclab
