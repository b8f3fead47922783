// Sorting scores by spreading them over buckets (a counting sort on a monotone map), recursively, until a handful is left.
//
// About n steps for scores that a BucketMap spreads well, never worse than the n log n of std::sort, to which other
// ranges fall back. Scores already in order cost one pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "array.hpp"
#include "bucket_map.hpp"
#include "parallel.hpp"
#include "score.hpp"

namespace roclab {

// A score with its row. Rows break ties, so that the order does not depend on the number of threads.
template <Score T, class Row>
struct ScoredRow {
  T score;
  Row row;
  friend bool operator<(const ScoredRow& a, const ScoredRow& b) {
    return a.score < b.score || (a.score == b.score && a.row < b.row);
  }
};

template <Score T>
T score_of(T item) {
  return item;
}
template <Score T, class Row>
T score_of(const ScoredRow<T, Row>& item) {
  return item.score;
}

namespace detail {

// A score with its row in no more bytes than alignment takes anyway. Rows of 32 bits can number kMostPlaces scores.
template <Score T>
using RowItem = ScoredRow<T, std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>;

constexpr std::size_t kInsertion = 24;       // below this, insertion sort
constexpr std::size_t kCached = 1u << 16;    // up to this, items and buckets stay in cache
constexpr std::size_t kParallel = 1u << 17;  // from here, threads are worth their start
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

// Two buckets an item while that fits into cache, so that most hold at most one; else few, each a separate stream.
inline std::uint32_t bucket_count(std::size_t n) { return n <= kCached ? static_cast<std::uint32_t>(2 * n) : 1u << 11; }

template <class Item>
void spread_sort(Item* items, Item* scratch, std::size_t n, int threads, int depth);

constexpr std::size_t kMostPlaces = std::numeric_limits<std::uint32_t>::max();

// Spreads items, of which there are at most kMostPlaces, by `map` through `scratch` and sorts each bucket. False, without changes,
// if one bucket would get most.
template <class Item, class Map>
bool spread(Item* items, Item* scratch, std::size_t n, const Map& map, std::uint32_t buckets, int threads, int depth) {
  const std::size_t slabs = n >= kParallel ? static_cast<std::size_t>(std::max(threads, 1)) : 1;
  auto slab_start = [&](std::size_t slab) { return n * slab / slabs; };
  std::vector<std::uint32_t> place(slabs * buckets, 0);
  parallel_for(slabs, threads, [&](std::size_t slab) {
    std::uint32_t* counts = &place[slab * buckets];
    for (std::size_t i = slab_start(slab); i < slab_start(slab + 1); ++i) ++counts[map(score_of(items[i]))];
  });
  std::size_t total = 0, largest = 0;
  for (std::uint32_t b = 0; b < buckets; ++b) {
    const std::size_t first = total;
    for (std::size_t slab = 0; slab < slabs; ++slab) {
      const std::uint32_t count = place[slab * buckets + b];
      place[slab * buckets + b] = static_cast<std::uint32_t>(total);
      total += count;
    }
    largest = std::max(largest, total - first);
  }
  if (largest > n / 2 + kInsertion) return false;
  parallel_for(slabs, threads, [&](std::size_t slab) {
    std::uint32_t* next = &place[slab * buckets];
    for (std::size_t i = slab_start(slab); i < slab_start(slab + 1); ++i) scratch[next[map(score_of(items[i]))]++] = items[i];
  });
  // Each bucket ends where the last slab stopped writing.
  const std::uint32_t* last = &place[(slabs - 1) * buckets];
  auto begin = [&](std::size_t b) { return b == 0 ? std::size_t{0} : static_cast<std::size_t>(last[b - 1]); };
  const std::size_t tasks = slabs == 1 ? 1 : 64;
  parallel_for(tasks, threads, [&](std::size_t task) {
    const std::size_t first = buckets * task / tasks, end = buckets * (task + 1) / tasks;
    if (largest > kInsertion)
      for (std::size_t b = first; b < end; ++b)
        if (begin(b + 1) - begin(b) > kInsertion)
          spread_sort(scratch + begin(b), items + begin(b), begin(b + 1) - begin(b), 1, depth + 1);
    // Items are now at most a small bucket away from their position: one pass sorts all of them.
    insertion_sort(scratch + begin(first), begin(end) - begin(first));
    std::copy(scratch + begin(first), scratch + begin(end), items + begin(first));
  });
  return true;
}

// A range of scores that holds all but the outermost of a sample. NaN is ignored: it has no order.
template <class Item>
[[gnu::noinline]] auto inner_range(const Item* items, std::size_t n) {
  using T = decltype(score_of(items[0]));
  std::vector<T> sample;
  const std::size_t taken = std::min<std::size_t>(n, 1024);
  sample.reserve(taken);
  for (std::size_t i = 0; i < taken; ++i) {
    const T score = score_of(items[i * (n / taken)]);
    if (!is_nan(score)) sample.push_back(score);
  }
  if (sample.empty()) return std::pair(T(0), T(0));
  std::sort(sample.begin(), sample.end());
  const std::size_t outer = sample.size() / 256 + 1;
  return std::pair(sample[outer - 1], sample[sample.size() - outer]);
}

template <class Item>
void spread_sort(Item* items, Item* scratch, std::size_t n, int threads, int depth) {
  if (n <= kInsertion) return insertion_sort(items, n);
  if (n > kMostPlaces) {
    const std::size_t half = n / 2;
    spread_sort(items, scratch, half, threads, depth);
    spread_sort(items + half, scratch + half, n - half, threads, depth);
    std::merge(items, items + half, items + half, items + n, scratch);
    std::copy(scratch, scratch + n, items);
    return;
  }
  bool sorted = true;
  auto low = score_of(items[0]), high = low;
  for (std::size_t i = 1; i < n; ++i) {
    const auto score = score_of(items[i]);
    sorted &= !(items[i] < items[i - 1]);
    low = score < low ? score : low;
    high = score > high ? score : high;
  }
  if (sorted) return;
  if (depth < kDepth && low < high) {
    const std::uint32_t buckets = bucket_count(n);
    const LinearMap linear(low, high, buckets);
    if (linear.usable() && spread(items, scratch, n, linear, buckets, threads, depth)) return;
    if (spread(items, scratch, n, KeyMap(low, high, buckets), buckets, threads, depth)) return;
    // Outliers may be the cause: try again with a range without them.
    const auto [inner_low, inner_high] = inner_range(items, n);
    const LinearMap inner(inner_low, inner_high, buckets);
    if (inner.usable() && spread(items, scratch, n, inner, buckets, threads, depth)) return;
  }
  std::sort(items, items + n);
}

}  // namespace detail

// Ascending. No score may be NaN.
template <class Items>
[[gnu::noinline]] void sort_scores(Items& items, int threads) {
  Array<typename Items::value_type> scratch(items.size());
  detail::spread_sort(items.data(), scratch.data(), items.size(), threads, 0);
}

}  // namespace roclab
