// Limits of weights: variances contain fourth powers of weights, which must be finite and not 0.
#pragma once

namespace roclab {

inline constexpr double kSmallestWeight = 1e-60, kLargestWeight = 1e60;
inline constexpr double kWeightSlack = 1 + 1e-12;  // relative: 10.0**-60 is not quite 1e-60

inline constexpr bool is_weight(double value) {
  return value == 0 || (value >= kSmallestWeight / kWeightSlack && value <= kLargestWeight * kWeightSlack);
}

}  // namespace roclab
