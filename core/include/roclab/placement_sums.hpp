// AUC and DeLong's variance from sums of placements, in integers.
#pragma once

#include <array>
#include <cstdint>

namespace roclab {

// The placement of an example is twice the number of examples of the other class that score lower, plus those that tie. Sums over
// the negatives [0] and the positives [1] of a sample. DeLong counts the negatives from above, which does not change a variance.
struct PlacementSums {
  std::array<std::int64_t, 2> sum{}, squares{};

  double auc(std::int64_t pos, std::int64_t neg) const { return static_cast<double>(sum[1]) / static_cast<double>(2 * pos * neg); }

  double variance(std::int64_t pos, std::int64_t neg) const { return of_mean(1, pos, 2 * neg) + of_mean(0, neg, 2 * pos); }

 private:
  // Variance of the mean of `rows` placements, each divided by `scale`.
  double of_mean(std::size_t label, std::int64_t rows, std::int64_t scale) const {
    const auto deviations = static_cast<double>(rows * squares[label] - sum[label] * sum[label]);
    return deviations / (static_cast<double>(rows * rows * (rows - 1)) * static_cast<double>(scale * scale));
  }
};

}  // namespace roclab
