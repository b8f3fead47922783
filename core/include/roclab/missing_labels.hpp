// Range of the AUC over all labels that rows without a label may have.
//
// With a given number of positives among the unlabelled rows, the AUC is highest if these have the highest scores, and lowest if
// they have the lowest: exchanging a positive with a negative that scores higher never reduces the wins. So one labelling per
// number of positives suffices, and each follows from the last by one change of label.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "roclab/score.hpp"

namespace roclab {

struct LabelledAuc {
  double auc = std::numeric_limits<double>::quiet_NaN();
  std::int64_t positives = 0;  // among the rows without a label
};

struct AucBounds {
  LabelledAuc low, high;  // nan if no labelling has both classes
};

namespace detail {

// Unlabelled rows with one score. All numbers are below 2^63, since twice the wins are at most half the square of the rows.
struct UnlabelledGroup {
  std::int64_t gain;  // change of twice the wins against labelled rows if a row becomes positive
  std::int64_t below, count;
};

}  // namespace detail

// Groups are distinct scores in ascending order. The number of positives among the unlabelled rows is from `least` to `most`.
template <Score T>
AucBounds auc_bounds(const T* scores, const std::int64_t* pos, const std::int64_t* neg, std::size_t groups, const T* unlabelled,
                     const std::int64_t* counts, std::size_t unlabelled_groups, std::int64_t least, std::int64_t most) {
  using Integer = std::int64_t;
  Integer total_pos = 0, total_neg = 0, total = 0, twice_wins = 0;
  for (std::size_t i = 0; i < groups; ++i) total_pos += pos[i];
  for (std::size_t i = 0; i < groups; ++i) {
    twice_wins += pos[i] * (2 * total_neg + neg[i]);
    total_neg += neg[i];
  }
  std::vector<detail::UnlabelledGroup> rows(unlabelled_groups);
  Integer pos_below = 0, neg_below = 0;
  std::size_t at = 0;
  for (std::size_t g = 0; g < unlabelled_groups; ++g) {
    for (; at < groups && scores[at] < unlabelled[g]; ++at) {
      pos_below += pos[at];
      neg_below += neg[at];
    }
    const bool tied = at < groups && !(unlabelled[g] < scores[at]);
    const Integer won = 2 * neg_below + (tied ? neg[at] : 0);
    const Integer lost = 2 * (total_pos - pos_below) - (tied ? pos[at] : 0);
    rows[g] = {won - lost, total, counts[g]};
    twice_wins += lost * counts[g];  // all unlabelled rows are negative at first
    total += counts[g];
  }

  AucBounds found;
  auto consider = [&](Integer positives, Integer wins, LabelledAuc& best, bool highest) {
    const Integer p = total_pos + positives, n = total_neg + total - positives;
    if (positives < least || positives > most || p == 0 || n == 0) return;
    const double auc = static_cast<double>(wins) / (2.0 * static_cast<double>(p) * static_cast<double>(n));
    if (!(highest ? auc <= best.auc : auc >= best.auc)) best = {auc, positives};  // also if there is none yet
  };
  consider(0, twice_wins, found.high, true);
  consider(0, twice_wins, found.low, false);
  Integer wins = twice_wins, positives = 0;
  for (std::size_t g = unlabelled_groups; g-- > 0;) {
    const auto& [gain, below, count] = rows[g];
    const Integer above = total - below - count;
    for (Integer k = 0; k < count; ++k) {
      wins += gain + 2 * (below - above) + count - 1 - 2 * k;
      consider(++positives, wins, found.high, true);
    }
  }
  wins = twice_wins;
  positives = 0;
  for (const auto& [gain, below, count] : rows)
    for (Integer k = 0; k < count; ++k) {
      wins += gain + count - 1 - 2 * k;
      consider(++positives, wins, found.low, false);
    }
  return found;
}

}  // namespace roclab
