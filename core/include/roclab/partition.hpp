// Rows divided by score and class: part 0 holds the lowest scores, and within a part negatives precede positives.
//
// Processing part by part stays in cache, and parts are independent, so threads can share them.
//
// The caller may change the scores concurrently. So the part of a row is decided once, in the pass that counts, and a score is
// checked for NaN as it is copied: whatever is written, every row has its position and later steps see no NaN.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "array.hpp"
#include "bucket_map.hpp"
#include "parallel.hpp"
#include "score.hpp"
#include "sort.hpp"

namespace roclab {

template <Score T>
struct Partition {
  Array<T> scores;
  std::vector<std::size_t> begin;  // of segment 2 * part + label; one more than there are segments

  std::size_t parts() const { return begin.size() / 2; }
  T* segment(std::size_t part, int label) { return scores.data() + begin[2 * part + label]; }
  std::size_t size(std::size_t part, int label) const { return begin[2 * part + label + 1] - begin[2 * part + label]; }
};

namespace detail {

constexpr std::size_t kRowsPerSlab = 1u << 18;  // minimum number of rows of a thread
constexpr std::size_t kFineBuckets = 1u << 14;  // buckets that are combined into parts of even size

// The part of each fine bucket, so that a sample is divided into parts of even size.
template <Score T, class Map>
std::vector<std::uint16_t> even_parts(const T* scores, std::size_t n, const Map& map, std::size_t parts, std::size_t& largest) {
  constexpr std::size_t sample = 1u << 14;
  std::vector<std::uint32_t> counts(kFineBuckets, 0);
  const std::size_t taken = std::min(n, sample);
  for (std::size_t i = 0; i < taken; ++i) ++counts[map(scores[i * (n / taken)])];
  std::vector<std::uint16_t> part_of(kFineBuckets);
  std::size_t below = 0;
  largest = 0;
  for (std::size_t b = 0; b < kFineBuckets; ++b) {
    part_of[b] = static_cast<std::uint16_t>(std::min(parts - 1, below * parts / taken));
    below += counts[b];
    largest = std::max<std::size_t>(largest, counts[b]);
  }
  return part_of;
}

// Nothing if a score is NaN.
template <Score T, class Map>
std::optional<Partition<T>> divide(const std::uint8_t* labels, const T* scores, std::size_t n, const Map& map,
                                   const std::vector<std::uint16_t>& part_of, std::size_t parts, int threads) {
  const std::size_t slabs = std::clamp<std::size_t>(n / kRowsPerSlab, 1, static_cast<std::size_t>(std::max(threads, 1)));
  const std::size_t segments = 2 * parts;
  std::vector<std::size_t> place(slabs * segments, 0);
  auto slab_start = [&](std::size_t slab) { return n * slab / slabs; };
  Array<std::uint16_t> segment_of(n);
  parallel_for(slabs, threads, [&](std::size_t slab) {
    std::size_t* counts = &place[slab * segments];
    for (std::size_t i = slab_start(slab); i < slab_start(slab + 1); ++i) {
      const auto segment = static_cast<std::uint16_t>(2 * part_of[map(scores[i])] + labels[i]);
      segment_of[i] = segment;
      ++counts[segment];
    }
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
      const T score = scores[i];
      nan |= is_nan(score);
      result.scores[next[segment_of[i]]++] = score;
    }
    if (nan) any_nan = true;
  });
  if (any_nan) return std::nullopt;
  return result;
}

}  // namespace detail

// Into about `parts` parts of even size, fewer if scores are tied. Nothing if a score is NaN.
template <Score T>
std::optional<Partition<T>> partition_rows(const std::uint8_t* labels, const T* scores, std::size_t n, std::size_t parts,
                                           int threads) {
  using namespace detail;
  parts = std::clamp<std::size_t>(parts, 1, 1024);
  if (n == 0) return Partition<T>{{}, {0, 0, 0}};
  if (parts == 1) {
    auto one = [](T) { return 0u; };
    return divide(labels, scores, n, one, std::vector<std::uint16_t>{0}, 1, threads);
  }
  // Maps over a range without outliers, which would put all other scores into few buckets.
  const auto [low, high] = inner_range(scores, n);
  const LinearMap<T> linear(low, high, kFineBuckets);
  const KeyMap<T> keyed(low, high, kFineBuckets);
  std::size_t linear_largest = n, keyed_largest = n;
  const auto by_key = even_parts(scores, n, keyed, parts, keyed_largest);
  if (linear.usable()) {
    const auto by_value = even_parts(scores, n, linear, parts, linear_largest);
    if (linear_largest <= keyed_largest) return divide(labels, scores, n, linear, by_value, parts, threads);
  }
  return divide(labels, scores, n, keyed, by_key, parts, threads);
}

}  // namespace roclab
