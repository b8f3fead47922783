// The rows of each class by ascending score, sorted again whenever the scores have changed.
//
// If the order of the last call is nearly right, as after the small steps at the end of training, it is repaired in place.
// Otherwise rows are distributed by the first bits of a key, from the BucketMap that spreads a sample better, over buckets that
// fit into cache, each row with its score: memory is read and written in streams, since looking up a million scores row by row
// would take longer than everything else. A bucket is then sorted in place by 16 more bits of the key in two passes of a radix
// sort, and insertion orders rows with equal keys. Buckets that are still crowded go to spread_sort.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "array.hpp"
#include "bucket_map.hpp"
#include "parallel.hpp"
#include "range_summary.hpp"
#include "sort.hpp"

namespace roclab {

class ClassOrder {
 public:
  using Item = detail::RowItem<double>;

  // Weights may be null. Both classes have mass.
  ClassOrder(const std::uint8_t* labels, const double* weights, std::size_t n) : labels_(labels, labels + n) {
    const std::size_t n_pos = static_cast<std::size_t>(std::count(labels, labels + n, 1));
    size_[0] = n - n_pos;
    size_[1] = n_pos;
    double total[2] = {static_cast<double>(size_[0]), static_cast<double>(size_[1])};
    if (weights) {
      weights_.assign(weights, weights + n);
      detail::RunningSum sums[2];
      for (std::size_t i = 0; i < n; ++i) sums[labels[i]].add(weights[i]);
      for (const int label : {0, 1}) total[label] = sums[label].value();
    }
    per_pair_ = 1 / total[0] / total[1];
  }

  std::size_t rows() const { return labels_.size(); }
  std::span<const Item> negatives() const { return {items_.data(), size_[0]}; }
  std::span<const Item> positives() const { return {items_.data() + size_[0], size_[1]}; }
  double mass(const Item& item) const { return weights_.empty() ? 1.0 : weights_[item.row]; }
  double per_pair() const { return per_pair_; }  // one over the mass of all pairs
  int useful(int threads) const { return rows() < kFewRows ? 1 : threads; }

  // All scores are finite.
  void sort(const double* scores, int threads) {
    threads = useful(threads);
    items_.resize(rows());
    // An order is valid only if it is complete: a call may be interrupted.
    if (!std::exchange(ordered_, false) || !mend(scores, items_.data(), size_[0], threads) ||
        !mend(scores, items_.data() + size_[0], size_[1], threads))
      spread(scores, threads);
    ordered_ = true;
  }

 private:
  static constexpr std::size_t kFewRows = 1u << 15;  // below this, threads are not worth their start
  static constexpr std::size_t kBlock = 1u << 14;    // rows that one task sorts
  static constexpr std::size_t kRun = 256;           // rows after which the number of moves is checked
  static constexpr std::size_t kMovesPerRow = 4;     // of insertion, beyond which another way is faster
  static constexpr int kKey = 28;                    // bits of a key
  static constexpr int kMostBuckets = 11;            // largest number of bits that rows are distributed by
  static constexpr int kBucket = 12;                 // bits of the intended number of rows of a bucket
  static constexpr int kDigit = 8;                   // bits that one pass over a bucket sorts by

  // Moves item i down to its position, but not below `first`; returns the number of moves.
  static std::size_t sink(Item* items, std::size_t i, std::size_t first) {
    const Item item = items[i];
    std::size_t at = i;
    for (; at > first && item < items[at - 1]; --at) items[at] = items[at - 1];
    items[at] = item;
    return i - at;
  }

  // Sets the new scores of the items of a class and sorts them by insertion. False, with the items in any order, if they are so
  // far from their positions that it would take long.
  static bool mend(const double* scores, Item* items, std::size_t n, int threads) {
    const std::size_t blocks = n / kBlock + 1;
    std::atomic<bool> far{false};
    auto block_start = [&](std::size_t block) { return std::min(n, block * kBlock); };
    parallel_for(blocks, threads, [&](std::size_t block) {
      const std::size_t first = block_start(block), end = block_start(block + 1);
      std::size_t moves = 0;
      for (std::size_t run = first; run < end; run += kRun) {
        const std::size_t run_end = std::min(end, run + kRun);
        // Filled first: rows are read in random order, and nothing should wait for them.
        for (std::size_t i = run; i < run_end; ++i) items[i].score = scores[items[i].row];
        for (std::size_t i = std::max(run, first + 1); i < run_end; ++i)
          if (items[i] < items[i - 1]) moves += sink(items, i, first);
        if (moves > kMovesPerRow * (run_end - first)) far = true;
        if (far.load(std::memory_order_relaxed)) return;
      }
    });
    if (far) return false;
    for (std::size_t block = 1; block < blocks; ++block) {
      std::size_t moves = kMovesPerRow * kBlock;
      for (std::size_t i = block_start(block); i < block_start(block + 1) && items[i] < items[i - 1]; ++i) {
        const std::size_t taken = sink(items, i, 0);
        if (taken > moves) return false;
        moves -= taken;
      }
    }
    return true;
  }

  // Sorts the rows of both classes, in any order.
  void spread(const double* scores, int threads) {
    const std::size_t n = rows(), slabs = n < 2 * kBlock ? 1 : static_cast<std::size_t>(std::max(threads, 1));
    std::vector<double> lows(slabs), highs(slabs);
    parallel_for(slabs, threads, [&](std::size_t slab) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t i = n * slab / slabs; i < n * (slab + 1) / slabs; ++i) {
        low = std::min(low, scores[i]);
        high = std::max(high, scores[i]);
      }
      lows[slab] = low;
      highs[slab] = high;
    });
    const double low = *std::min_element(lows.begin(), lows.end()), high = *std::max_element(highs.begin(), highs.end());
    const LinearMap<double> linear(low, high, 1u << kKey);
    const KeyMap<double> keyed(low, high, 1u << kKey);
    // A range of zero or infinite width has no linear map.
    if (linear.usable() && crowding(scores, linear) <= crowding(scores, keyed)) spread_by(linear, scores, slabs, threads);
    else spread_by(keyed, scores, slabs, threads);
  }

  // How unevenly a map spreads a sample: the sum of squared counts of equal first bits of a key.
  template <class Map>
  std::size_t crowding(const double* scores, const Map& map) const {
    const std::size_t taken = std::min<std::size_t>(rows(), 1024);
    std::vector<std::uint32_t> counts(1u << kMostBuckets, 0);
    for (std::size_t i = 0; i < taken; ++i) ++counts[map(scores[i * (rows() / taken)]) >> (kKey - kMostBuckets)];
    std::size_t sum = 0;
    for (const std::size_t count : counts) sum += count * count;
    return sum;
  }

  template <class Map>
  void spread_by(const Map& map, const double* scores, std::size_t slabs, int threads) {
    const std::size_t n = rows();
    const int bits = std::clamp(static_cast<int>(std::bit_width(n)) - kBucket, 0, kMostBuckets), rest = kKey - bits;
    const std::size_t of_class = std::size_t{1} << bits, buckets = 2 * of_class;  // those of the negatives first
    auto bucket = [&](std::size_t row) { return labels_[row] * of_class + (map(scores[row]) >> rest); };
    std::vector<std::uint32_t> place(slabs * buckets, 0);
    parallel_for(slabs, threads, [&](std::size_t slab) {
      std::uint32_t* counts = &place[slab * buckets];
      for (std::size_t i = n * slab / slabs; i < n * (slab + 1) / slabs; ++i) ++counts[bucket(i)];
    });
    std::uint32_t total = 0;
    for (std::size_t b = 0; b < buckets; ++b)
      for (std::size_t slab = 0; slab < slabs; ++slab) total += std::exchange(place[slab * buckets + b], total);
    parallel_for(slabs, threads, [&](std::size_t slab) {
      std::uint32_t* next = &place[slab * buckets];
      for (std::size_t i = n * slab / slabs; i < n * (slab + 1) / slabs; ++i) items_[next[bucket(i)]++] = {scores[i], i};
    });
    // Each bucket ends where the last slab stopped writing.
    const std::uint32_t* ends = &place[(slabs - 1) * buckets];
    const std::size_t tasks = std::min<std::size_t>(buckets, 64);
    parallel_for(tasks, threads, [&](std::size_t task) {
      Bench bench;
      for (std::size_t b = buckets * task / tasks; b < buckets * (task + 1) / tasks; ++b) {
        const std::size_t begin = b == 0 ? 0 : ends[b - 1];
        sort_bucket(map, rest, items_.data() + begin, ends[b] - begin, bench);
      }
    });
  }

  // Working memory to sort a bucket.
  struct Bench {
    Array<Item> items;
    Array<std::uint32_t> keys, by_low_digit;  // a key in the upper half, an index of an item in the lower
    void fit(std::size_t n) {
      if (items.size() >= n) return;
      items.resize(n);
      keys.resize(n);
      by_low_digit.resize(n);
    }
  };

  // Sorts items whose keys differ in the last `rest` bits only.
  template <class Map>
  static void sort_bucket(const Map& map, int rest, Item* items, std::size_t n, Bench& bench) {
    constexpr std::uint32_t digits = 1u << kDigit;
    constexpr std::size_t few = 2 * detail::kInsertion, most = std::size_t{1} << (2 * kDigit);
    if (n <= few) return detail::insertion_sort(items, n);
    bench.fit(n);
    Item* const copy = bench.items.data();
    if (n > most) return detail::spread_sort(items, copy, n, 1, 0);
    std::uint32_t low[digits] = {}, high[digits] = {};
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t key = (map(items[i].score) >> (rest - 2 * kDigit)) & (digits * digits - 1);
      copy[i] = items[i];
      bench.keys[i] = key << (2 * kDigit) | static_cast<std::uint32_t>(i);
      ++low[key & (digits - 1)];
      ++high[key >> kDigit];
    }
    std::uint32_t low_total = 0, high_total = 0;
    for (std::uint32_t d = 0; d < digits; ++d) {
      low_total += std::exchange(low[d], low_total);
      high_total += std::exchange(high[d], high_total);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t key = bench.keys[i];
      bench.by_low_digit[low[(key >> (2 * kDigit)) & (digits - 1)]++] = key;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t key = bench.by_low_digit[i];
      items[high[key >> (3 * kDigit)]++] = copy[key & (digits * digits - 1)];
    }
    std::size_t moves = 0;
    for (std::size_t i = 1; i < n; ++i) {
      if (items[i] < items[i - 1]) moves += sink(items, i, 0);
      if (moves > kMovesPerRow * n) return detail::spread_sort(items, copy, n, 1, 0);
    }
  }

  std::vector<std::uint8_t> labels_;
  std::size_t size_[2];  // negatives and positives
  Array<Item> items_;    // the negatives by ascending score, then the positives
  bool ordered_ = false;
  std::vector<double> weights_;
  double per_pair_ = 0;
};

// Requested outputs of an evaluation, one value a row.
struct RowDerivatives {
  double* gradient = nullptr;
  double* curvature = nullptr;  // the diagonal of the Hessian
};

}  // namespace roclab
