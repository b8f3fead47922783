// Studentized permutation tests of all pairs of models of a table: the two ranks of random rows are exchanged.
//
// The exchanges are drawn once, for the rows of a pair sorted by class and by their two ranks. So a pair has the same exchanges
// alone and among others, for any order of rows and models. A block of exchanges is computed at once, one in each lane of vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "roclab/mover.hpp"
#include "roclab/parallel.hpp"
#include "roclab/placement_sums.hpp"
#include "roclab/random.hpp"
#include "roclab/target.hpp"
#include "roclab/wilson_interval.hpp"

namespace roclab {

class PairExchanges {
 public:
  static constexpr std::size_t kMostPairs = 16'000;  // of a positive and a negative: sums of placements are of 16 bits

  // `ranks` has twice the midranks of the rows by each model, one model after the other, and 0 or 1 for each row in `positive`.
  PairExchanges(const std::uint8_t* positive, const std::uint32_t* ranks, std::size_t rows, std::size_t models, std::uint64_t seed,
                std::size_t count)
      : positive_(positive, positive + rows), ranks_(ranks, ranks + rows * models), rows_(rows), count_(count),
        pos_(std::count(positive, positive + rows, 1)), neg_(static_cast<std::int64_t>(rows) - pos_) {
    exchanged_.resize((count + kLanes - 1) / kLanes * rows);
    for (std::size_t block = 0; block * rows < exchanged_.size(); ++block) {
      Random random(seed, block);
      for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t bits = random.bits();
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          exchanged_[block * rows + row][lane] = static_cast<std::uint16_t>(-(bits >> lane & 1));
      }
    }
  }

  // The number of exchanges of two models whose studentized difference, the statistic of `Mover`, is at least `distance` away from
  // 0, and the number of exchanges drawn: all, or those until `enough` have been found.
  std::pair<std::size_t, std::size_t> reaching(std::size_t first, std::size_t second, double correlation, double weight,
                                               double distance, std::size_t enough) const {
    const Pair pair = sorted(first, second);
    const auto dispersion = dispersion_of_tests(static_cast<double>(pos_), static_cast<double>(neg_), correlation);
    std::vector<Lanes> low(rows_);
    std::size_t found = 0, drawn = 0;
    for (std::size_t block = 0; drawn < count_ && found < enough; ++block) {
      pause();
      Sums sums;
      const Lanes* exchanged = exchanged_.data() + block * rows_;
#ifdef ROCLAB_AVX2_PATH
      if (has_avx2()) add_avx2(pair, exchanged, low.data(), sums);
      else
#endif
        add(pair, exchanged, low.data(), sums);
      for (std::size_t lane = 0; lane < kLanes && drawn < count_ && found < enough; ++lane, ++drawn)
        found += mover(sums, lane, dispersion, weight).reaches(distance);
    }
    return {found, drawn};
  }

 private:
  static constexpr std::size_t kLanes = 64;
  using Lanes = std::array<std::uint16_t, kLanes>;
  using Totals = std::array<std::uint32_t, kLanes>;

  // A rank of a row: its class, whether it is the higher of the two, and whether the next entry has a higher rank.
  struct Entry {
    std::uint32_t row;
    bool positive, high, last;
  };
  using Pair = std::vector<Entry>;

  // Over the rows of each class, in each lane: of placements in the first column and in both, of their squares in each column, and
  // of the squared differences of a row's two.
  struct Sums {
    std::array<Lanes, 2> first{}, both{};
    std::array<Totals, 2> first_squares{}, second_squares{}, apart{};
  };

  Pair sorted(std::size_t a, std::size_t b) const {
    const std::uint32_t *one = ranks_.data() + a * rows_, *other = ranks_.data() + b * rows_;
    std::vector<std::uint64_t> keys(rows_);
    for (std::size_t row = 0; row < rows_; ++row) {
      const auto [low, high] = std::minmax(one[row], other[row]);
      keys[row] = (std::uint64_t{positive_[row]} << 63) | (std::uint64_t{low} << 32) | high;
    }
    std::sort(keys.begin(), keys.end());
    // By rank, counted: twice a midrank is at most twice the number of rows.
    auto low_of = [](std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32 & 0x7fffffff); };
    auto high_of = [](std::uint64_t key) { return static_cast<std::uint32_t>(key); };
    std::vector<std::uint32_t> start(2 * rows_ + 2);
    for (const std::uint64_t key : keys) ++start[low_of(key) + 1], ++start[high_of(key) + 1];
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    Pair pair(2 * rows_);
    for (std::uint32_t row = 0; row < rows_; ++row) {
      const bool positive = keys[row] >> 63;
      pair[start[low_of(keys[row])]++] = {row, positive, false, false};
      pair[start[high_of(keys[row])]++] = {row, positive, true, false};
    }
    for (std::size_t i = 0; i < start.size(); ++i)
      if (start[i]) pair[start[i] - 1].last = true;
    return pair;
  }

  // Exchanged, the higher rank of a row is in the first column, otherwise the lower one.
  [[gnu::always_inline]] static inline void add(const Pair& pair, const Lanes* exchanged, Lanes* low, Sums& sums) {
    std::array<Lanes, 2> first{};         // twice the entries of each class below in the first column, plus those that tie
    std::array<std::uint16_t, 2> both{};  // in both columns
    auto count = [&](const Entry& entry) {
      const std::uint16_t* __restrict swap = exchanged[entry.row].data();
      std::uint16_t* __restrict of_class = first[entry.positive].data();
      const auto flip = static_cast<std::uint16_t>(entry.high ? 0 : 0xffff);
      for (std::size_t lane = 0; lane < kLanes; ++lane) of_class[lane] -= static_cast<std::uint16_t>(swap[lane] ^ flip);
      ++both[entry.positive];
    };
    for (std::size_t start = 0, end = 0; end < pair.size(); start = end) {
      do count(pair[end]);
      while (!pair[end++].last);
      for (std::size_t i = start; i < end; ++i) {
        const Entry& entry = pair[i];
        const std::size_t label = entry.positive;
        const std::uint16_t* __restrict swap = exchanged[entry.row].data();
        const std::uint16_t* __restrict others = first[!label].data();
        const std::uint16_t all = both[!label];
        std::uint16_t* __restrict lower = low[entry.row].data();
        if (!entry.high) {
          for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const auto second = static_cast<std::uint16_t>(all - others[lane]);
            lower[lane] = static_cast<std::uint16_t>(others[lane] ^ ((others[lane] ^ second) & swap[lane]));
          }
          continue;
        }
        std::uint16_t* __restrict sum = sums.first[label].data(), * __restrict sum_both = sums.both[label].data();
        std::uint32_t* __restrict first_squares = sums.first_squares[label].data(), * __restrict apart = sums.apart[label].data();
        std::uint32_t* __restrict second_squares = sums.second_squares[label].data();
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const auto second = static_cast<std::uint16_t>(all - others[lane]);
          const auto higher = static_cast<std::uint16_t>(second ^ ((others[lane] ^ second) & swap[lane]));
          const auto differ = static_cast<std::uint16_t>(lower[lane] ^ higher);
          const auto x = static_cast<std::int16_t>(lower[lane] ^ (differ & swap[lane]));
          const auto y = static_cast<std::int16_t>(x ^ differ), less = static_cast<std::int16_t>(x - y);
          sum[lane] += static_cast<std::uint16_t>(x);
          sum_both[lane] += static_cast<std::uint16_t>(x + y);
          first_squares[lane] += static_cast<std::uint32_t>(std::int32_t{x} * x);
          second_squares[lane] += static_cast<std::uint32_t>(std::int32_t{y} * y);
          apart[lane] += static_cast<std::uint32_t>(std::int32_t{less} * less);
        }
      }
      for (std::size_t i = start; i < end; ++i) count(pair[i]);
    }
  }

#ifdef ROCLAB_AVX2_PATH
  [[gnu::target("avx2"), gnu::noinline]] static void add_avx2(const Pair& pair, const Lanes* exchanged, Lanes* low, Sums& sums) {
    add(pair, exchanged, low, sums);
  }
#endif

  Mover mover(const Sums& sums, std::size_t lane, const AucDispersion& dispersion, double weight) const {
    std::array<PlacementSums, 2> of{};
    PlacementSums between;  // of the differences of a row's two placements
    for (std::size_t label = 0; label < 2; ++label) {
      const std::int64_t first = sums.first[label][lane], second = sums.both[label][lane] - first;
      of[0].sum[label] = first;
      of[0].squares[label] = sums.first_squares[label][lane];
      of[1].sum[label] = second;
      of[1].squares[label] = sums.second_squares[label][lane];
      between.sum[label] = first - second;
      between.squares[label] = sums.apart[label][lane];
    }
    std::array<double, 2> auc{}, own{}, spread{};
    for (std::size_t side = 0; side < 2; ++side) {
      auc[side] = of[side].auc(pos_, neg_);
      own[side] = of[side].variance(pos_, neg_);
      spread[side] = dispersion(auc[side], own[side]);
    }
    const double total = own[0] + own[1], variance = between.variance(pos_, neg_);
    const double ratio = total > 0 && variance > 0 ? std::min(variance / total, 2.0) : 1.0;
    return {auc[0], spread[0], auc[1], spread[1], weight, ratio};
  }

  std::vector<std::uint8_t> positive_;
  std::vector<std::uint32_t> ranks_;
  std::size_t rows_, count_;
  std::int64_t pos_, neg_;
  std::vector<Lanes> exchanged_;  // all bits set where the ranks of a row are exchanged: rows of one block after another
};

}  // namespace roclab
