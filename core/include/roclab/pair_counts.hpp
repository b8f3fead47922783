// Exact counts over all pairs of a positive and a negative, from which AUC and its variance follow.
//
// Glossary (section numbers and symbols as in DeLong, DeLong and Clarke-Pearson 1988)
//   P, N   positives, negatives
//   U      pairs in which the positive scores higher, ties counting one half
//   A      sum over positives of the squared number of negatives below, ties half
//   B      sum over negatives of the squared number of positives above, ties half
// Kept as the integers 2U, 4A and 4B in 128 bits: doubles lose the variance where AUC is near one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "wide_integers.hpp"

namespace roclab {

namespace detail {

// a*b - c*c for a*b >= c*c, rounded once: the products need up to 256 bits.
inline double product_minus_square(Wide a, Wide b, Wide c) {
  struct Product {
    Wide high, low;
  };
  auto multiply = [](Wide x, Wide y) {
    const Wide mask = ~std::uint64_t{0};
    const Wide ll = (x & mask) * (y & mask), lh = (x & mask) * (y >> 64);
    const Wide hl = (x >> 64) * (y & mask), hh = (x >> 64) * (y >> 64);
    const Wide middle = (ll >> 64) + (lh & mask) + (hl & mask);
    return Product{hh + (lh >> 64) + (hl >> 64) + (middle >> 64), (middle << 64) | (ll & mask)};
  };
  const Product left = multiply(a, b), right = multiply(c, c);
  const Wide low = left.low - right.low;
  const Wide high = left.high - right.high - (left.low < right.low);
  return std::ldexp(static_cast<double>(high), 128) + static_cast<double>(low);
}

}  // namespace detail

// About 4e12 of each class can be counted.
struct TooManyExamples : std::length_error {
  TooManyExamples() : std::length_error("too many examples to count exactly") {}
};

// Of one class and score: these are counted in 32 bits.
struct TooManyEvents : std::length_error {
  TooManyEvents() : std::length_error("too many events at one score") {}
};

struct PairCounts {
  std::uint64_t pos = 0, neg = 0;                       // P, N
  Wide twice_wins = 0, pos_moment = 0, neg_moment = 0;  // 2U, 4A, 4B

  // Whether this many examples can be counted: 4A and 4B are at most four times the product of one class and the other squared.
  bool fits() const {
    const Wide pairs = Wide(pos) * neg;
    return pos == 0 || neg == 0 || pairs <= (Wide(1) << 126) / std::max(pos, neg);
  }

  double auc() const {
    if (pos == 0 || neg == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(twice_wins) / (2.0 * static_cast<double>(pos) * static_cast<double>(neg));
  }

  // DeLong: S10/P + S01/N, each S a sample variance. P*A - U^2 is computed in integers, without cancellation.
  double auc_variance() const {
    if (pos < 2 || neg < 2) return std::numeric_limits<double>::quiet_NaN();
    const double p = static_cast<double>(pos), n = static_cast<double>(neg);
    const double spread_pos = detail::product_minus_square(pos, pos_moment, twice_wins);
    const double spread_neg = detail::product_minus_square(neg, neg_moment, twice_wins);
    return (spread_pos / (p - 1) + spread_neg / (n - 1)) / (4 * p * p * n * n);
  }
};

// The union of two neighbouring ranges of scores.
inline PairCounts join(const PairCounts& low, const PairCounts& high) {
  const Wide below = low.neg, above = high.pos;
  PairCounts both;
  both.pos = low.pos + high.pos;
  both.neg = low.neg + high.neg;
  both.twice_wins = low.twice_wins + high.twice_wins + 2 * above * below;
  both.pos_moment = low.pos_moment + high.pos_moment + 4 * below * high.twice_wins + 4 * above * below * below;
  both.neg_moment = low.neg_moment + high.neg_moment + 4 * above * low.twice_wins + 4 * below * above * above;
  return both;
}

}  // namespace roclab
