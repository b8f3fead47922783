// Sorting scores by spreading them over buckets (a counting sort on a monotone map), recursively, until a handful is left.
//
// About n steps for scores that a BucketMap spreads well, never worse than the n log n of std::sort, to which stubborn
// ranges fall back. Scores already in order cost one pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bucket_map.hpp"
#include "parallel.hpp"
#include "score.hpp"

namespace roclab {

// A score with the row it came from. Rows break ties, so that an order is the same whatever the number of threads.
template <Score T, class Row>
struct ScoredRow {
  T score;
  Row row;
  friend bool operator<(const ScoredRow& a, const ScoredRow& b) {
    return a.score < b.score || (a.score == b.score && a.row < b.row);
  }
};

template <Score T>
T score_of(T item) { return item; }
template <Score T, class Row>
T score_of(const ScoredRow<T, Row>& item) { return item.score; }

namespace detail {

constexpr std::size_t kInsertion = 24;       // below this, insertion sort
constexpr std::size_t kParallel = 1u << 17;  // from here, threads pay for their start
constexpr int kDepth = 4;                    // levels of spreading before std::sort takes over

template <class Item>
void insertion_sort(Item* items, std::size_t n) {
  for (std::size_t i = 1; i < n; ++i) {
    const Item item = items[i];
    std::size_t j = i;
    for (; j > 0 && item < items[j - 1]; --j) items[j] = items[j - 1];
    items[j] = item;
  }
}

inline std::uint32_t bucket_count(std::size_t n) {
  // Many small buckets while the target stays in cache; few streams when it does not, since each needs its own page.
  return n < (1u << 20) ? static_cast<std::uint32_t>(std::clamp<std::size_t>(n / 4, 2, 1u << 14)) : 1u << 11;
}

template <class Item>
void spread_sort(Item* items, Item* scratch, std::size_t n, int threads, int depth);

// Spreads items by `map` through `scratch` and sorts each bucket. False, and nothing done, if one bucket would get most.
template <class Item, class Map>
bool spread(Item* items, Item* scratch, std::size_t n, const Map& map, std::uint32_t buckets, int threads, int depth) {
  const std::size_t slabs = n >= kParallel ? static_cast<std::size_t>(std::max(threads, 1)) : 1;
  std::vector<std::size_t> place(slabs * buckets, 0);
  auto slab_start = [&](std::size_t slab) { return n * slab / slabs; };
  parallel_for(slabs, threads, [&](std::size_t slab) {
    std::size_t* counts = &place[slab * buckets];
    for (std::size_t i = slab_start(slab); i < slab_start(slab + 1); ++i) ++counts[map(score_of(items[i]))];
  });
  std::vector<std::size_t> begin(buckets + 1);
  std::size_t total = 0, largest = 0;
  for (std::uint32_t b = 0; b < buckets; ++b) {
    begin[b] = total;
    for (std::size_t slab = 0; slab < slabs; ++slab) {
      const std::size_t count = place[slab * buckets + b];
      place[slab * buckets + b] = total;
      total += count;
    }
    largest = std::max(largest, total - begin[b]);
  }
  begin[buckets] = total;
  if (largest > n / 2 + kInsertion) return false;
  parallel_for(slabs, threads, [&](std::size_t slab) {
    std::size_t* next = &place[slab * buckets];
    for (std::size_t i = slab_start(slab); i < slab_start(slab + 1); ++i) scratch[next[map(score_of(items[i]))]++] = items[i];
  });
  const std::size_t tasks = slabs == 1 ? 1 : std::min<std::size_t>(buckets, 64);
  parallel_for(tasks, threads, [&](std::size_t task) {
    for (std::size_t b = buckets * task / tasks; b < buckets * (task + 1) / tasks; ++b) {
      const std::size_t first = begin[b], count = begin[b + 1] - first;
      if (count > kInsertion) {
        spread_sort(scratch + first, items + first, count, 1, depth + 1);
      } else {
        insertion_sort(scratch + first, count);
      }
    }
    const std::size_t first = begin[buckets * task / tasks], last = begin[buckets * (task + 1) / tasks];
    std::copy(scratch + first, scratch + last, items + first);
  });
  return true;
}

template <class Item>
void spread_sort(Item* items, Item* scratch, std::size_t n, int threads, int depth) {
  if (n <= kInsertion) return insertion_sort(items, n);
  bool sorted = true;
  auto low = score_of(items[0]), high = low;
  for (std::size_t i = 1; i < n; ++i) {
    const auto score = score_of(items[i]);
    sorted &= !(items[i] < items[i - 1]);
    low = std::min(low, score);
    high = std::max(high, score);
  }
  if (sorted) return;
  if (depth < kDepth && low < high) {
    const std::uint32_t buckets = bucket_count(n);
    const LinearMap linear(low, high, buckets);
    if (linear.usable() && spread(items, scratch, n, linear, buckets, threads, depth)) return;
    if (spread(items, scratch, n, KeyMap(low, high, buckets), buckets, threads, depth)) return;
  }
  std::sort(items, items + n);
}

}  // namespace detail

// Ascending. No score may be NaN.
template <class Item>
void sort_scores(std::vector<Item>& items, int threads) {
  std::vector<Item> scratch(items.size());
  detail::spread_sort(items.data(), scratch.data(), items.size(), threads, 0);
}

}  // namespace roclab
