// PairCounts of labelled scores without sorting them all: the smaller class is sorted, the larger one looked up in it.
//
// A smaller class that fits into cache is used as a whole; the rows are then read once, in order. A larger one is first
// divided by score, so that each part fits, and the parts are joined.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "array.hpp"
#include "pair_counts.hpp"
#include "parallel.hpp"
#include "partition.hpp"
#include "rank_table.hpp"
#include "score.hpp"
#include "sort.hpp"

namespace roclab {

namespace detail {

constexpr std::size_t kChunk = 1u << 16;         // rows of one task
constexpr std::size_t kThreadRows = 3u << 16;    // fewer rows are not worth a second thread
constexpr std::size_t kSlab = 1u << 31;          // rows counted in 32 bits before they are added in 64
constexpr std::size_t kWhole = 1u << 18;         // a smaller class up to this size is used as a whole
constexpr std::size_t kWholeMoments = 1u << 17;  // smaller with moments, which need three times the cache
constexpr std::size_t kPart = 1u << 14;          // of a larger one, a part holds about this many

inline std::size_t chunks_of(std::size_t n) { return (n + kChunk - 1) / kChunk; }

// Where the positives of each chunk begin among all positives; the last entry is their number.
inline std::vector<std::size_t> positives_before(const std::uint8_t* labels, std::size_t n, int threads) {
  std::vector<std::size_t> before(chunks_of(n) + 1, 0);
  parallel_for(chunks_of(n), threads, [&](std::size_t chunk) {
    std::size_t ones = 0;
    for (std::size_t i = chunk * kChunk; i < std::min(n, (chunk + 1) * kChunk); ++i) ones += labels[i];
    before[chunk + 1] = ones;
  });
  for (std::size_t chunk = 0; chunk + 1 < before.size(); ++chunk) before[chunk + 1] += before[chunk];
  return before;
}

// Copies the scores whose label is `label` to `out`, in order.
template <Score T>
void gather_rows(const std::uint8_t* labels, const T* scores, std::size_t n, std::uint8_t label, T* out) {
  const std::uint64_t flip = label ? 0 : 0x0101010101010101u;
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, labels + i, 8);
    // One bit a row: the bytes are 0 or 1, so the multiplication collects their lowest bits in the top byte.
    for (std::uint64_t rows = ((eight ^ flip) * 0x0102040810204080u) >> 56; rows; rows &= rows - 1)
      *out++ = scores[i + static_cast<std::size_t>(std::countr_zero(rows))];
  }
  for (; i < n; ++i)
    if (labels[i] == label) *out++ = scores[i];
}

template <Score T>
Array<T> gather_class(const std::uint8_t* labels, const T* scores, std::size_t n, std::uint8_t label,
                      const std::vector<std::size_t>& positives_before, int threads) {
  const std::size_t positives = positives_before.back();
  Array<T> found(label ? positives : n - positives);
  parallel_for(chunks_of(n), threads, [&](std::size_t chunk) {
    const std::size_t first = chunk * kChunk;
    const std::size_t place = label ? positives_before[chunk] : first - positives_before[chunk];
    gather_rows(labels + first, scores + first, std::min(kChunk, n - first), label, found.data() + place);
  });
  return found;
}

// Whether most scores in a sample of a class occur more than once. NaN is ignored: it has no order.
template <Score T>
bool mostly_tied(const std::uint8_t* labels, const T* scores, std::size_t n, std::uint8_t label) {
  std::vector<T> sample;
  const std::size_t step = std::max<std::size_t>(1, n / 16384);
  for (std::size_t i = 0; i < n && sample.size() < 2048; i += step) {
    const T score = scores[i];
    if (labels[i] == label && !is_nan(score)) sample.push_back(score);
  }
  std::sort(sample.begin(), sample.end());
  return static_cast<std::size_t>(std::unique(sample.begin(), sample.end()) - sample.begin()) < sample.size() / 2;
}

// Counts the pairs between a class, whose sorted scores are `small`, and the rows of the other class.
template <Score T>
class PairCounter {
 public:
  // `rows_with_small`: the rows to come hold the smaller class too, so that labels need not be read.
  [[gnu::noinline]] PairCounter(Array<T> small, bool small_is_pos, bool rows_with_small, bool moments)
      : small_is_pos_(small_is_pos), rows_with_small_(rows_with_small), moments_(moments), size_(small.size()) {
    std::size_t different = size_ > 0;
    for (std::size_t i = 1; i < size_; ++i) different += small[i - 1] < small[i];
    const bool tied = different < size_ / 4;
    by_slot_ = moments || tied;
    if (!by_slot_) {
      table_.emplace(std::move(small));
      return;
    }
    Array<T> values;
    values.reserve(different);
    repeats_.reserve(different);
    for (const T x : small) {
      if (values.empty() || values.back() < x) {
        values.push_back(x);
        repeats_.push_back(0);
      }
      ++repeats_.back();
    }
    table_.emplace(std::move(values), tied ? 16 : 1);
  }

  // False if a score is NaN.
  [[gnu::noinline]] bool count(const T* rows, std::size_t n, int threads, PairCounts& result) const {
    return by_slot_ ? count_by_slot(rows, n, threads, result) : count_by_rank(rows, n, threads, result);
  }

 private:
  bool count_by_rank(const T* rows, std::size_t n, int threads, PairCounts& result) const {
    Wide twice_ranks = 0;
    bool nan = false;
    std::mutex adding;
    parallel_for(chunks_of(n), threads, [&](std::size_t chunk) {
      std::uint64_t sum = 0;
      const bool seen = table_->sum_twice_ranks(rows + chunk * kChunk, std::min(kChunk, n - chunk * kChunk), sum);
      const std::lock_guard lock(adding);
      twice_ranks += sum;
      nan |= seen;
    });
    // A class looked up in itself gives its size squared, with or without ties.
    if (rows_with_small_) twice_ranks -= Wide(size_) * size_;
    set(n, twice_ranks, 0, 0, result);
    return !nan;
  }

  bool count_by_slot(const T* rows, std::size_t n, int threads, PairCounts& result) const {
    const std::size_t slots = 2 * table_->size() + 1;
    // Each slab has separate counts, together no larger than the rows.
    const std::size_t affordable = std::max<std::size_t>(1, n / slots);
    const std::size_t wanted = std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), affordable);
    const std::size_t slabs = std::max(wanted, n / kSlab + 1);
    std::vector<std::uint64_t> rows_in(slabs == 1 ? 0 : slots, 0);
    bool nan = false;
    std::mutex adding;
    parallel_for(slabs, threads, [&](std::size_t slab) {
      const std::size_t first = n * slab / slabs, last = n * (slab + 1) / slabs;
      std::vector<std::uint32_t> counts(slots, 0);
      const bool seen = table_->count_slots(rows + first, last - first, counts.data());
      const std::lock_guard lock(adding);
      nan |= seen;
      if (slabs == 1 && !nan) sum_slots(counts.data(), n, result);
      else
        for (std::size_t slot = 0; slot < rows_in.size(); ++slot) rows_in[slot] += counts[slot];
    });
    if (slabs > 1 && !nan) sum_slots(rows_in.data(), n, result);
    return !nan;
  }

  template <class Count>
  void sum_slots(const Count* rows_in, std::size_t n, PairCounts& result) const {
    const Wide others = n - (rows_with_small_ ? size_ : 0);
    // No sum is larger than four times one class and the other squared. Most are small, and 64 bits are faster.
    if (std::max<Wide>(others, size_) < 1u << 20) sum_slots_in<std::uint64_t>(rows_in, n, result);
    else sum_slots_in<Wide>(rows_in, n, result);
  }

  template <class Sum, class Count>
  [[gnu::noinline]] void sum_slots_in(const Count* rows_in, std::size_t n, PairCounts& result) const {
    const std::uint64_t others = n - (rows_with_small_ ? size_ : 0);
    Sum twice_ranks = 0, small_moment = 0, large_moment = 0;
    std::uint64_t small_below = 0, large_below = 0;
    auto add_slot = [&](std::uint64_t repeats, std::uint64_t large) {
      const Sum twice_small = 2 * small_below + repeats, twice_large = 2 * large_below + large;
      twice_ranks += large * twice_small;
      if (moments_) {
        // A positive counts the negatives below it, a negative the positives above.
        const Sum by_small = small_is_pos_ ? twice_large : 2 * others - twice_large;
        const Sum by_large = small_is_pos_ ? 2 * size_ - twice_small : twice_small;
        small_moment += repeats * by_small * by_small;
        large_moment += large * by_large * by_large;
      }
      small_below += repeats;
      large_below += large;
    };
    add_slot(0, rows_in[0]);
    for (std::size_t value = 0; value < table_->size(); ++value) {
      const std::uint64_t repeats = repeats_[value];
      add_slot(repeats, rows_in[2 * value + 1] - (rows_with_small_ ? repeats : 0));
      add_slot(0, rows_in[2 * value + 2]);
    }
    set(n, twice_ranks, small_moment, large_moment, result);
  }

  void set(std::size_t n, Wide twice_ranks, Wide small_moment, Wide large_moment, PairCounts& result) const {
    const std::uint64_t others = n - (rows_with_small_ ? size_ : 0);
    result.pos = small_is_pos_ ? size_ : others;
    result.neg = small_is_pos_ ? others : size_;
    result.twice_wins = small_is_pos_ ? 2 * Wide(size_) * others - twice_ranks : twice_ranks;
    result.pos_moment = small_is_pos_ ? small_moment : large_moment;
    result.neg_moment = small_is_pos_ ? large_moment : small_moment;
  }

  bool small_is_pos_, rows_with_small_, moments_, by_slot_ = false;
  std::uint64_t size_;
  std::vector<std::uint64_t> repeats_;  // of each distinct value, when counting by slot
  std::optional<RankTable<T>> table_;
};

template <Score T>
PairCounts count_part(Partition<T>& rows, std::size_t part, bool moments, int threads) {
  const bool small_is_pos = rows.size(part, 1) <= rows.size(part, 0);
  const T* small = rows.segment(part, small_is_pos);
  Array<T> sorted(small, small + rows.size(part, small_is_pos));
  sort_scores(sorted, threads);
  PairCounts result;
  PairCounter<T>(std::move(sorted), small_is_pos, false, moments)
      .count(rows.segment(part, !small_is_pos), rows.size(part, !small_is_pos), threads, result);
  return result;
}

}  // namespace detail

// Nothing if a score is NaN. Labels are 0 or 1. Without `moments` only the wins are counted, which is faster.
template <Score T>
std::optional<PairCounts> count_pairs(const std::uint8_t* labels, const T* scores, std::size_t n, bool moments, int threads) {
  using namespace detail;
  if (n < kThreadRows) threads = 1;
  const auto before = positives_before(labels, n, threads);
  const std::size_t positives = before.back(), small_size = std::min(positives, n - positives);
  const bool small_is_pos = positives <= n - positives;
  if (small_size > (moments ? kWholeMoments : kWhole) && !mostly_tied(labels, scores, n, small_is_pos)) {
    auto rows = partition_rows(labels, scores, n, small_size / kPart, threads);
    if (!rows) return std::nullopt;
    std::vector<PairCounts> parts(rows->parts());
    parallel_for(parts.size(), threads, [&](std::size_t part) { parts[part] = count_part(*rows, part, moments, 1); });
    PairCounts result;
    for (const auto& part : parts) result = join(result, part);
    return result;
  }
  Array<T> small = gather_class(labels, scores, n, small_is_pos, before, threads);
  for (const T x : small)
    if (is_nan(x)) return std::nullopt;
  sort_scores(small, threads);
  PairCounts result;
  const PairCounter<T> counter(std::move(small), small_is_pos, true, moments);
  if (!counter.count(scores, n, threads, result)) return std::nullopt;
  return result;
}

}  // namespace roclab
