// The rows of each class by ascending score, put in order anew whenever the scores have changed.
//
// If the order that the last call left is nearly right, as after the small steps at the end of a training, it is mended in
// place. Otherwise rows are sorted by a key of 22 bits, from whichever BucketMap spreads a sample better, in two passes of a
// radix sort that move 8 bytes a row, and insertion puts right what the key could not tell apart. Scores that crowd into few
// keys all the same go to spread_sort.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "array.hpp"
#include "bucket_map.hpp"
#include "parallel.hpp"
#include "sort.hpp"

namespace roclab {

class ClassOrder {
 public:
  using Item = ScoredRow<double, std::uint32_t>;

  // Weights may be null. Both classes have mass.
  ClassOrder(const std::uint8_t* labels, const double* weights, std::size_t n) {
    const std::size_t n_pos = static_cast<std::size_t>(std::count(labels, labels + n, 1));
    double total[2] = {static_cast<double>(n - n_pos), static_cast<double>(n_pos)};
    // Each row is written to both classes and stays in its own: no branch on what is anybody's guess.
    rows_[0].resize(n - n_pos + 1);
    rows_[1].resize(n_pos + 1);
    std::size_t pos = 0;
    for (std::size_t i = 0; i < n; ++i) {
      rows_[0][i - pos] = rows_[1][pos] = static_cast<std::uint32_t>(i);
      pos += labels[i];
    }
    rows_[0].pop_back();
    rows_[1].pop_back();
    if (weights) {
      weights_.assign(weights, weights + n);
      total[0] = total[1] = 0;
      for (std::size_t i = 0; i < n; ++i) total[labels[i]] += weights[i];
    }
    per_pair_ = 1 / total[0] / total[1];
  }

  std::size_t rows() const { return rows_[0].size() + rows_[1].size(); }
  const Array<Item>& negatives() const { return items_[0]; }
  const Array<Item>& positives() const { return items_[1]; }
  double mass(const Item& item) const { return weights_.empty() ? 1.0 : weights_[item.row]; }
  double per_pair() const { return per_pair_; }  // one over the mass of all pairs
  int useful(int threads) const { return rows() < kFewRows ? 1 : threads; }

  // All scores are finite.
  void sort(const double* scores, int threads) {
    threads = useful(threads);
    for (const int label : {0, 1}) {
      auto& items = items_[label];
      const std::size_t n = rows_[label].size();
      auto again = [&](std::size_t i) { return Item{scores[items[i].row], items[i].row}; };
      if (items.size() == n && insert(label, again, threads)) continue;
      items.resize(n);
      sort_keys(scores, label, threads);
      auto by_key = [&](std::size_t i) { return Item{scores[keys_[i].row], keys_[i].row}; };
      if (insert(label, by_key, threads)) continue;
      for (std::size_t i = 0; i < n; ++i) items[i] = {scores[rows_[label][i]], rows_[label][i]};
      Array<Item> scratch(n);
      detail::spread_sort(items.data(), scratch.data(), n, threads, 0);
    }
  }

 private:
  struct Key {
    std::uint32_t key, row;
  };

  static constexpr std::size_t kFewRows = 1u << 15;  // below this, threads come too late
  static constexpr std::size_t kBlock = 1u << 14;    // rows that one task puts in order
  static constexpr int kDigit = 11;                  // bits of a key that one pass sorts by
  static constexpr std::size_t kRun = 256;           // rows after which it is seen whether that goes well
  static constexpr std::size_t kMovesPerRow = 4;     // that insertion may take before another way is quicker

  // Fills the items of a class by `item_at` and sorts them by insertion. False, with the items in any state, if these are so
  // far from their places that it would take long.
  template <class ItemAt>
  bool insert(int label, const ItemAt& item_at, int threads) {
    auto& items = items_[label];
    const std::size_t n = items.size(), blocks = n / kBlock + 1;
    std::atomic<bool> far{false};
    auto block_start = [&](std::size_t block) { return std::min(n, block * kBlock); };
    // Moves item i down to its place, but not below `first`; gives the number of moves.
    auto sink = [&](std::size_t i, std::size_t first) {
      const Item item = items[i];
      std::size_t at = i;
      for (; at > first && item < items[at - 1]; --at) items[at] = items[at - 1];
      items[at] = item;
      return i - at;
    };
    parallel_for(blocks, threads, [&](std::size_t block) {
      const std::size_t first = block_start(block), end = block_start(block + 1);
      std::size_t moves = 0;
      for (std::size_t run = first; run < end; run += kRun) {
        const std::size_t run_end = std::min(end, run + kRun);
        // Filled first: rows are read from all over memory, and nothing is to wait for them.
        for (std::size_t i = run; i < run_end; ++i) items[i] = item_at(i);
        for (std::size_t i = std::max(run, first + 1); i < run_end; ++i)
          if (items[i] < items[i - 1]) moves += sink(i, first);
        if (moves > kMovesPerRow * (run_end - first)) far = true;
        if (far.load(std::memory_order_relaxed)) return;
      }
    });
    if (far) return false;
    for (std::size_t block = 1; block < blocks; ++block) {
      std::size_t moves = kMovesPerRow * kBlock;
      for (std::size_t i = block_start(block); i < block_start(block + 1) && items[i] < items[i - 1]; ++i) {
        const std::size_t taken = sink(i, 0);
        if (taken > moves) return false;
        moves -= taken;
      }
    }
    return true;
  }

  // Brings the rows of a class into the order of their keys, in keys_.
  void sort_keys(const double* scores, int label, int threads) {
    const auto& rows = rows_[label];
    const std::size_t n = rows.size(), slabs = n < 2 * kBlock ? 1 : static_cast<std::size_t>(std::max(threads, 1));
    auto start = [&](std::size_t slab) { return n * slab / slabs; };
    std::vector<double> lows(slabs), highs(slabs);
    parallel_for(slabs, threads, [&](std::size_t slab) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t i = start(slab); i < start(slab + 1); ++i) {
        low = std::min(low, scores[rows[i]]);
        high = std::max(high, scores[rows[i]]);
      }
      lows[slab] = low;
      highs[slab] = high;
    });
    const double low = *std::min_element(lows.begin(), lows.end()), high = *std::max_element(highs.begin(), highs.end());
    const LinearMap<double> linear(low, high, 1u << (2 * kDigit));
    const KeyMap<double> keyed(low, high, 1u << (2 * kDigit));
    // A range without width, or beyond all doubles, has no linear map.
    if (linear.usable() && crowding(scores, label, linear) <= crowding(scores, label, keyed))
      sort_by(linear, scores, label, slabs, threads);
    else
      sort_by(keyed, scores, label, slabs, threads);
  }

  // How unevenly a map spreads a sample: the sum of squared counts of those that share the first bits of a key.
  template <class Map>
  std::size_t crowding(const double* scores, int label, const Map& map) const {
    constexpr std::size_t sample = 1024;
    const auto& rows = rows_[label];
    const std::size_t taken = std::min(rows.size(), sample);
    std::vector<std::uint32_t> counts(1u << kDigit, 0);
    for (std::size_t i = 0; i < taken; ++i) ++counts[map(scores[rows[i * (rows.size() / taken)]]) >> kDigit];
    std::size_t sum = 0;
    for (const std::size_t count : counts) sum += count * count;
    return sum;
  }

  template <class Map>
  void sort_by(const Map& map, const double* scores, int label, std::size_t slabs, int threads) {
    const auto& rows = rows_[label];
    const std::size_t n = rows.size();
    constexpr std::uint32_t buckets = 1u << kDigit;
    auto start = [&](std::size_t slab) { return n * slab / slabs; };
    keys_.resize(n);
    spare_.resize(n);
    std::vector<std::uint32_t> place(slabs * buckets);
    auto pass = [&](int shift, const Key* from, Key* to, auto&& fill) {
      std::fill(place.begin(), place.end(), 0);
      parallel_for(slabs, threads, [&](std::size_t slab) {
        std::uint32_t* counts = &place[slab * buckets];
        for (std::size_t i = start(slab); i < start(slab + 1); ++i) {
          fill(i);
          ++counts[(from[i].key >> shift) & (buckets - 1)];
        }
      });
      std::uint32_t total = 0;
      for (std::uint32_t b = 0; b < buckets; ++b)
        for (std::size_t slab = 0; slab < slabs; ++slab) {
          const std::uint32_t count = place[slab * buckets + b];
          place[slab * buckets + b] = total;
          total += count;
        }
      parallel_for(slabs, threads, [&](std::size_t slab) {
        std::uint32_t* next = &place[slab * buckets];
        for (std::size_t i = start(slab); i < start(slab + 1); ++i) to[next[(from[i].key >> shift) & (buckets - 1)]++] = from[i];
      });
    };
    pass(0, keys_.data(), spare_.data(), [&](std::size_t i) { keys_[i] = {map(scores[rows[i]]), rows[i]}; });
    pass(kDigit, spare_.data(), keys_.data(), [](std::size_t) {});
  }

  Array<std::uint32_t> rows_[2];        // of negatives and of positives, as they came
  Array<Item> items_[2];                // the same, by ascending score
  Array<Key> keys_, spare_;
  std::vector<double> weights_;
  double per_pair_ = 0;
};

// What an evaluation fills in for every row, where asked for.
struct RowDerivatives {
  double* gradient = nullptr;
  double* curvature = nullptr;  // the Hessian's diagonal
};

}  // namespace roclab
