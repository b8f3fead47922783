// Permutation tests of AUCs: one pass over entries sorted once, with labels or columns permuted at random.
//
// An entry is one score of one example. It belongs to column 0 or 1, each with an AUC, and is positive or negative.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "roclab/mover.hpp"
#include "roclab/parallel.hpp"
#include "roclab/placement_sums.hpp"
#include "roclab/random.hpp"
#include "roclab/wilson_interval.hpp"

namespace roclab {

enum class Exchange {
  labels,   // among all entries of column 0: scores and labels are independent
  columns,  // of all entries of a class: both columns are samples of one population
  pairs,    // the two entries of an example, one in each column, are exchanged or not
};

class Permuter {
 public:
  // Entries by ascending score: whether positive, the column, and for `pairs` the example. `ends[i]` is 1 where the next
  // entry has a higher score.
  Permuter(Exchange exchange, const std::uint8_t* positive, const std::uint8_t* column, const std::uint32_t* example,
           const std::uint8_t* ends, std::size_t n, std::size_t n_examples)
      : exchange_(exchange), positive_(positive, positive + n), column_(column, column + n), ends_(ends, ends + n),
        n_examples_(n_examples) {
    if (exchange == Exchange::pairs) example_.assign(example, example + n);
    for (std::size_t i = 0; i < n; ++i) by_class_[positive[i]].push_back(static_cast<std::uint32_t>(i));
  }

  // AUC of column 0 minus that of column 1 (or one half without column 1), for the permutations from `first` on.
  void differences(std::uint64_t seed, std::uint64_t first, std::size_t count, int threads, double* values) const {
    each(seed, first, count, threads,
         [&](std::size_t at, const auto& positive, const auto& column) { values[at] = difference(positive, column); });
  }

  // The number of the first `count` permutations whose studentized difference, the statistic of `Mover`, is at least `distance`
  // away from 0. For `columns`; `PairExchanges` has that of `pairs`.
  std::size_t reaching(std::uint64_t seed, std::size_t count, int threads, double correlation, double weight,
                       double distance) const {
    std::atomic<std::size_t> found{0};
    each(seed, 0, count, threads, [&](std::size_t, const auto& positive, const auto& column) {
      const Mover studentized = mover(positive, column, correlation, weight);
      if (studentized.reaches(distance)) found.fetch_add(1, std::memory_order_relaxed);
    });
    return found;
  }

 private:
  template <class Visit>
  void each(std::uint64_t seed, std::uint64_t first, std::size_t count, int threads, Visit visit) const {
    const std::size_t tasks = std::min<std::size_t>(count, std::max(threads, 1) * std::size_t{4});
    parallel_for(tasks, threads, [&](std::size_t task) {
      std::vector<std::uint8_t> positive, column;
      for (std::size_t at = count * task / tasks; at < count * (task + 1) / tasks; ++at) {
        pause();
        Random random(seed, first + at);
        // From the original data, not from the last permutation, which may be that of another thread.
        positive = positive_;
        column = column_;
        exchange(random, positive, column);
        visit(at, positive, column);
      }
    });
  }

  void exchange(Random& random, std::vector<std::uint8_t>& positive, std::vector<std::uint8_t>& column) const {
    switch (exchange_) {
      case Exchange::labels:
        for (std::size_t left = positive.size(); left > 1; --left)
          std::swap(positive[left - 1], positive[random.below(static_cast<std::uint32_t>(left))]);
        break;
      case Exchange::columns:
        for (const auto& rows : by_class_)
          for (std::size_t left = rows.size(); left > 1; --left)
            std::swap(column[rows[left - 1]], column[rows[random.below(static_cast<std::uint32_t>(left))]]);
        break;
      case Exchange::pairs: {
        std::vector<std::uint8_t> swaps(n_examples_);
        for (std::size_t i = 0; i < n_examples_;) {
          std::uint64_t word = random.bits();
          for (int bit = 0; bit < 64 && i < n_examples_; ++bit, ++i, word >>= 1) swaps[i] = word & 1;
        }
        for (std::size_t i = 0; i < column.size(); ++i) column[i] ^= swaps[example_[i]];
      }
    }
  }

  double difference(const std::vector<std::uint8_t>& positive, const std::vector<std::uint8_t>& column) const {
    struct Side {
      std::uint64_t pos = 0, neg = 0, pos_here = 0, neg_here = 0, twice_wins = 0;
    } sides[2];
    for (std::size_t i = 0; i < positive.size(); ++i) {
      Side& side = sides[column[i]];
      side.pos_here += positive[i];
      side.neg_here += !positive[i];
      if (!ends_[i]) continue;
      for (Side& each : sides) {
        each.twice_wins += each.pos_here * (2 * each.neg + each.neg_here);
        each.pos += each.pos_here;
        each.neg += each.neg_here;
        each.pos_here = each.neg_here = 0;
      }
    }
    auto auc = [](const Side& side) {
      return static_cast<double>(side.twice_wins) / (2.0 * static_cast<double>(side.pos) * static_cast<double>(side.neg));
    };
    return auc(sides[0]) - (sides[1].pos ? auc(sides[1]) : 0.5);
  }

  // Placements are counted twice, in integers, so that ties have no order.
  Mover mover(const std::vector<std::uint8_t>& positive, const std::vector<std::uint8_t>& column, double correlation,
              double weight) const {
    const std::size_t n = positive.size();
    struct Counts {
      std::int64_t pos = 0, neg = 0;
    };
    std::array<Counts, 2> total{}, below{}, here{};
    for (std::size_t i = 0; i < n; ++i) ++(positive[i] ? total[column[i]].pos : total[column[i]].neg);
    std::array<PlacementSums, 2> sums{};
    for (std::size_t i = 0, start = 0; i < n; ++i) {
      ++(positive[i] ? here[column[i]].pos : here[column[i]].neg);
      if (!ends_[i]) continue;
      for (; start <= i; ++start) {
        const std::uint8_t side = column[start], label = positive[start];
        const Counts &b = below[side], &h = here[side];
        const std::int64_t placement = label ? 2 * b.neg + h.neg : 2 * b.pos + h.pos;
        sums[side].sum[label] += placement;
        sums[side].squares[label] += placement * placement;
      }
      for (std::size_t side = 0; side < 2; ++side) {
        below[side].pos += here[side].pos;
        below[side].neg += here[side].neg;
        here[side] = {};
      }
    }
    std::array<double, 2> auc{}, own{}, spread{};
    for (std::size_t side = 0; side < 2; ++side) {
      const auto [pos, neg] = total[side];
      auc[side] = sums[side].auc(pos, neg);
      own[side] = sums[side].variance(pos, neg);
      spread[side] = test_dispersion(auc[side], own[side], static_cast<double>(pos), static_cast<double>(neg), correlation);
    }
    return {auc[0], spread[0], auc[1], spread[1], weight, 1.0};
  }

  Exchange exchange_;
  std::vector<std::uint8_t> positive_, column_, ends_;
  std::vector<std::uint32_t> example_;
  std::vector<std::uint32_t> by_class_[2];
  std::size_t n_examples_;
};

}  // namespace roclab
