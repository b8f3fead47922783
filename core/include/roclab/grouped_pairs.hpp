// PairCounts of many groups of rows: the rows are divided by group and class, then each group is counted by itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "count_pairs.hpp"
#include "pair_counts.hpp"
#include "parallel.hpp"
#include "partition.hpp"
#include "score.hpp"

namespace roclab {

namespace detail {

// Nothing if a score is NaN. `groups` are below `n_groups`.
template <Score T>
std::optional<Partition<T>> divide_by_group(const std::uint32_t* groups, std::size_t n_groups, const std::uint8_t* labels,
                                            const T* scores, std::size_t n, int threads) {
  const std::size_t segments = 2 * n_groups;
  // Each slab counts in a table of its own, together no larger than the rows.
  const std::size_t most = std::min(n / kRowsPerSlab, n / std::max<std::size_t>(segments, 1));
  const std::size_t slabs = std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<std::size_t> place(slabs * segments, 0);
  auto slab_start = [&](std::size_t slab) { return n * slab / slabs; };
  auto segment_of = [&](std::size_t i) { return 2 * std::size_t{groups[i]} + (labels[i] & 1); };
  parallel_for(slabs, threads, [&](std::size_t slab) {
    std::size_t* counts = &place[slab * segments];
    for (std::size_t i = slab_start(slab); i < slab_start(slab + 1); ++i) ++counts[segment_of(i)];
  });
  Partition<T> result;
  result.scores.resize(n);
  result.begin.resize(segments + 1);
  std::size_t total = 0;
  for (std::size_t segment = 0; segment < segments; ++segment) {
    result.begin[segment] = total;
    for (std::size_t slab = 0; slab < slabs; ++slab) {
      const std::size_t count = place[slab * segments + segment];
      place[slab * segments + segment] = total;
      total += count;
    }
  }
  result.begin[segments] = total;
  std::atomic<bool> any_nan{false};
  parallel_for(slabs, threads, [&](std::size_t slab) {
    std::size_t* next = &place[slab * segments];
    bool nan = false;
    for (std::size_t i = slab_start(slab); i < slab_start(slab + 1); ++i) {
      nan |= is_nan(scores[i]);
      result.scores[next[segment_of(i)]++] = scores[i];
    }
    if (nan) any_nan = true;
  });
  if (any_nan) return std::nullopt;
  return result;
}

}  // namespace detail

// Nothing if a score is NaN. Rows must not change meanwhile.
template <Score T>
std::optional<std::vector<PairCounts>> count_pairs_by_group(const std::uint32_t* groups, std::size_t n_groups, const std::uint8_t* labels,
                                                            const T* scores, std::size_t n, int threads) {
  using namespace detail;
  auto rows = divide_by_group(groups, n_groups, labels, scores, n, threads);
  if (!rows) return std::nullopt;
  std::vector<PairCounts> found(n_groups);
  constexpr std::size_t step = 16;  // groups of one task, which may be tiny
  parallel_for((n_groups + step - 1) / step, threads, [&](std::size_t task) {
    for (std::size_t group = task * step; group < std::min(n_groups, (task + 1) * step); ++group)
      found[group] = count_part(*rows, group, true);
  });
  return found;
}

}  // namespace roclab
