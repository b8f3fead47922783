// Positions of scores in a sorted reference: the rows of the larger class looked up in the smaller one.
//
// A monotone map assigns a score to a bucket; `start` holds the number of reference values in lower buckets; the few values
// of the bucket itself are compared without branches. Scores beyond those few, which are rare in a well spread table, are
// found by binary search, so that the worst case is logarithmic and the result is always exact.
//
// Glossary
//   twice_rank(x)   #{v < x} + #{v <= x} over all reference values v: ties count one, lower values two
//   slot(x)         2 * #{distinct v < x} + [x is one of them]: numbers the gaps (even) and the values (odd)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "array.hpp"
#include "bucket_map.hpp"
#include "portability.hpp"
#include "score.hpp"
#include "target.hpp"

#ifdef ROCLAB_AVX2_PATH
#include <immintrin.h>
#endif

namespace roclab {

namespace detail {

constexpr std::size_t kBlock = 256;           // rows whose buckets are computed at once
constexpr std::size_t kNearCache = 1u << 15;  // bytes that need not be prefetched
constexpr std::size_t kWindow = 8;            // reference values compared without branches

// Copies one block of rows and finds their buckets. True if one of them is NaN. All later steps read the copy: the caller may
// change the rows concurrently, and a score must be the same in every step of its search.
template <Score T, class Map>
[[gnu::always_inline]] inline bool find_buckets(const T* x, std::size_t n, const Map& map, T* row, std::uint32_t* bucket) {
  bool nan = false;
  for (std::size_t i = 0; i < n; ++i) row[i] = x[i];
  for (std::size_t i = 0; i < n; ++i) nan |= is_nan(row[i]);
  for (std::size_t i = 0; i < n; ++i) bucket[i] = map(row[i]);
  return nan;
}

// The start of the bucket of each row among the values; may overwrite the bucket. The values are prefetched, so that a table larger
// than the cache is waited for once a block and not once a row.
template <Score T>
[[gnu::always_inline]] inline void find_starts(std::size_t n, const std::uint32_t* start, const T* values,
                                               const std::uint32_t* bucket, std::uint32_t* place) {
  for (std::size_t i = 0; i < n; ++i) {
    place[i] = start[bucket[i]];
    prefetch(values + place[i]);
  }
}

template <int Bytes, Score T, class Map>
[[gnu::always_inline]] inline bool sum_twice_ranks(const T* x, std::size_t n, const Map map, const std::uint32_t* start,
                                                   const T* values, std::uint64_t& sum) {
  using L = Lanes<T, Bytes>;
  constexpr std::size_t parts = kWindow / L::count > 0 ? kWindow / L::count : 1, window = parts * L::count;
  T row[kBlock];
  std::uint32_t bucket[kBlock];
  bool nan = false;
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t rows = std::min(kBlock, n - first);
    nan |= find_buckets(x + first, rows, map, row, bucket);
    find_starts(rows, start, values, bucket, bucket);
    typename L::Masks negated[parts] = {};
    for (std::size_t i = 0; i < rows; ++i) {
      const T score = row[i];
      const std::size_t at = bucket[i];
      sum += 2 * at;
      const typename L::Values every = score - typename L::Values{};
      for (std::size_t part = 0; part < parts; ++part) {
        typename L::Values v;
        std::memcpy(&v, values + at + part * L::count, sizeof v);
        negated[part] += (typename L::Masks)(v < every) + (typename L::Masks)(v <= every);
      }
      if (values[at + window - 1] <= score) [[unlikely]] {
        const auto [lower, upper] = std::equal_range(values + at, values + start[map(score) + 1], score);
        sum += static_cast<std::uint64_t>((lower - values) + (upper - values)) - 2 * at;
        for (std::size_t k = 0; k < window; ++k) sum -= (values[at + k] < score) + (values[at + k] <= score);
      }
    }
    for (std::size_t part = 0; part < parts; ++part)
      for (std::size_t lane = 0; lane < L::count; ++lane) sum -= static_cast<std::uint64_t>(std::int64_t{negated[part][lane]});
  }
  return nan;
}

#ifdef ROCLAB_AVX2_PATH
template <Score T, class Map>
[[gnu::target("avx2")]] bool sum_twice_ranks_avx2(const T* x, std::size_t n, const Map map, const std::uint32_t* start,
                                                  const T* values, std::uint64_t& sum) {
  return sum_twice_ranks<32>(x, n, map, start, values, sum);
}
#endif

// At most kBlock rows, their buckets, and the number of values behind each.
template <Score T>
struct PlacedRows {
  T row[kBlock];
  std::uint32_t bucket[kBlock], place[kBlock];
};

#ifdef ROCLAB_AVX2_PATH
template <Score T, class Map>
[[gnu::target("avx2")]] bool find_buckets_avx2(const T* x, std::size_t n, const Map map, T* row, std::uint32_t* bucket) {
  return find_buckets(x, n, map, row, bucket);
}
#endif

// Entries of a table that are used at the places of rows: `bytes` for each place.
struct EntriesAtPlaces {
  const void* first;
  std::size_t bytes;
};

// Places rows with known buckets among the values: `place` is the number below a row, or with `Equal` not above it. `Window` is
// 1, 3 or 7: the number of values of a bucket in the branch-free search.
template <bool Equal, std::size_t Window, Score T>
void place_rows(std::size_t n, const std::uint32_t* start, const T* values, PlacedRows<T>& block) {
  auto left_behind = [](T value, T score) { return Equal ? value <= score : value < score; };
  for (std::size_t i = 0; i < n; ++i) {
    const T score = block.row[i];
    std::size_t at = block.place[i];
    if constexpr (Window >= 7) at += static_cast<std::size_t>(left_behind(values[at + 3], score)) << 2;
    if constexpr (Window >= 3) at += static_cast<std::size_t>(left_behind(values[at + 1], score)) << 1;
    at += left_behind(values[at], score);
    // Values after the end may equal a score, so the search is repeated.
    if (left_behind(values[at], score)) [[unlikely]] {
      const T *first = values + block.place[i], *end = values + start[block.bucket[i] + 1];
      at = (Equal ? std::upper_bound(first, end, score) : std::lower_bound(first, end, score)) - values;
    }
    block.place[i] = static_cast<std::uint32_t>(at);
  }
}

#ifdef ROCLAB_AVX2_PATH
// The same with kWindow values of a bucket, compared at once. Counting bits is faster than adding lanes.
template <bool Equal, Score T>
[[gnu::target("avx2,popcnt")]] void place_rows_avx2(std::size_t n, const std::uint32_t* start, const T* values,
                                                    PlacedRows<T>& block) {
  using L = Lanes<T, 32>;
  for (std::size_t i = 0; i < n; ++i) {
    const T score = block.row[i];
    const T* first = values + block.place[i];
    const typename L::Values every = score - typename L::Values{};
    std::ptrdiff_t behind = 0;
    for (std::size_t part = 0; part < kWindow / L::count; ++part) {
      typename L::Values v;
      std::memcpy(&v, first + part * L::count, sizeof v);
      const auto mask = Equal ? (typename L::Masks)(v <= every) : (typename L::Masks)(v < every);
      if constexpr (sizeof(T) == 8) behind += __builtin_popcount(static_cast<unsigned>(_mm256_movemask_pd((__m256d)mask)));
      else behind += __builtin_popcount(static_cast<unsigned>(_mm256_movemask_ps((__m256)mask)));
    }
    // There may be more of them, or fewer: values after the end may equal a score.
    if (behind == kWindow) [[unlikely]] {
      const T* end = values + start[block.bucket[i] + 1];
      behind = (Equal ? std::upper_bound(first, end, score) : std::lower_bound(first, end, score)) - first;
    }
    block.place[i] += static_cast<std::uint32_t>(behind);
  }
}
#endif

}  // namespace detail

template <Score T>
class RankTable {
 public:
  // `sorted` ascends without NaN; repeated values are allowed for sum_twice_ranks, not for count_slots.
  [[gnu::noinline]] explicit RankTable(Array<T> sorted, double buckets_per_value = 1)
      : values_(std::move(sorted)), size_(values_.size()) {
    if (size_ > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("a rank table holds 2^32 - 1 values");
    const std::size_t wanted = static_cast<std::size_t>(buckets_per_value * static_cast<double>(size_));
    const auto buckets = static_cast<std::uint32_t>(std::clamp<std::size_t>(wanted, 64, 1u << 28));
    // A few values at the ends are left out of the range of the map, since one outlier would put all others into few
    // buckets; values beyond the range share the first and the last bucket.
    const std::size_t trimmed = size_ < 16 ? 0 : std::max<std::size_t>(1, size_ / 1024);
    const T low = size_ ? values_[trimmed] : T(0), high = size_ ? values_[size_ - 1 - trimmed] : T(0);
    const LinearMap<T> linear(low, high, buckets);
    const KeyMap<T> keyed(low, high, buckets);
    if (!linear.usable() || (crowded(linear) > size_ / (16 * detail::kWindow) && crowded(keyed) < crowded(linear))) {
      map_ = keyed;
    } else {
      map_ = linear;
    }
    values_.resize(size_ + detail::kWindow * 2, past_the_end<T>());
    std::visit([&](const auto& map) { fill_start(map, buckets); }, map_);
  }

  std::size_t size() const { return size_; }
  const T* values() const { return values_.data(); }

  // Adds the twice-ranks of x[0..n) to `sum`, which must not overflow: n * 2 * size() < 2^64. True if a NaN was seen.
  bool sum_twice_ranks(const T* x, std::size_t n, std::uint64_t& sum) const {
    return std::visit(
        [&](const auto& map) {
#ifdef ROCLAB_AVX2_PATH
          if (has_avx2()) return detail::sum_twice_ranks_avx2(x, n, map, start_.data(), values_.data(), sum);
#endif
          return detail::sum_twice_ranks<kBaselineBytes>(x, n, map, start_.data(), values_.data(), sum);
        },
        map_);
  }

  // Calls visit(score, place) for each row, `place` being the number of values below it, or with `Equal` not above it. Entries
  // that are `used` at places are prefetched. True if a NaN was seen.
  template <bool Equal, class Visit>
  bool visit_places(const T* x, std::size_t n, detail::EntriesAtPlaces used, Visit&& visit) const {
    detail::PlacedRows<T> block;
    bool nan = false;
    for (std::size_t first = 0; first < n; first += detail::kBlock) {
      const std::size_t rows = std::min(detail::kBlock, n - first);
      nan |= place_rows<Equal>(x + first, rows, used, block);
      // In a separate loop, so that visiting one row does not wait for the search for the next.
      for (std::size_t i = 0; i < rows; ++i) visit(block.row[i], std::size_t{block.place[i]});
    }
    return nan;
  }

  // Adds one to counts[slot(x)] for each row; `counts` has 2 * size() + 1 entries. True if a NaN was seen.
  bool count_slots(const T* x, std::size_t n, std::uint32_t* counts) const {
    auto count = [values = values_.data(), size = size_, counts](T score, std::size_t at) {
      // Without a branch, which a processor cannot predict where half of the rows are values themselves.
      ++counts[2 * at + (static_cast<std::size_t>(values[at] == score) & static_cast<std::size_t>(at < size))];
    };
    return visit_places<false>(x, n, {counts, 2 * sizeof *counts}, count);
  }

 private:
  // Whatever is done at the places, the search for them is compiled once.
  template <bool Equal>
  [[gnu::noinline]] bool place_rows(const T* x, std::size_t n, detail::EntriesAtPlaces used, detail::PlacedRows<T>& block) const {
    const bool nan = std::visit(
        [&](const auto& map) {
#ifdef ROCLAB_AVX2_PATH
          if (has_avx2()) return detail::find_buckets_avx2(x, n, map, block.row, block.bucket);
#endif
          return detail::find_buckets(x, n, map, block.row, block.bucket);
        },
        map_);
    detail::find_starts(n, start_.data(), values_.data(), block.bucket, block.place);
    if (size_ * used.bytes > detail::kNearCache)
      for (std::size_t i = 0; i < n; ++i) prefetch(static_cast<const char*>(used.first) + block.place[i] * used.bytes);
#ifdef ROCLAB_AVX2_PATH
    if (most_ > 1 && has_avx2()) {
      detail::place_rows_avx2<Equal>(n, start_.data(), values_.data(), block);
      return nan;
    }
#endif
    if (most_ <= 1) detail::place_rows<Equal, 1>(n, start_.data(), values_.data(), block);
    else if (most_ <= 3) detail::place_rows<Equal, 3>(n, start_.data(), values_.data(), block);
    else detail::place_rows<Equal, 7>(n, start_.data(), values_.data(), block);
    return nan;
  }

  // The number of every eighth value that shares a bucket with the eighth value before.
  template <class Map>
  std::size_t crowded(const Map& map) const {
    std::size_t count = 0;
    for (std::size_t i = detail::kWindow; i < size_; i += detail::kWindow)
      count += map(values_[i]) == map(values_[i - detail::kWindow]);
    return count;
  }

  // Without a branch on the values, which a processor cannot predict: a bucket first has where its own values end, or nothing.
  template <class Map>
  void fill_start(const Map& map, std::uint32_t buckets) {
    start_.assign(buckets + 1, 0);
    for (std::size_t i = 0; i < size_; ++i) start_[map(values_[i]) + 1] = static_cast<std::uint32_t>(i + 1);
    std::uint32_t last = 0;
    for (std::uint32_t bucket = 1; bucket <= buckets; ++bucket) {
      const std::uint32_t end = std::max(last, start_[bucket]);
      most_ = std::max(most_, end - last);
      start_[bucket] = last = end;
    }
  }

  Array<T> values_;
  std::size_t size_;
  Array<std::uint32_t> start_;
  std::uint32_t most_ = 0;  // values in the fullest bucket
  std::variant<LinearMap<T>, KeyMap<T>> map_{LinearMap<T>(T(0), T(0), 1)};
};

}  // namespace roclab
