// Scores of many groups, divided by group and class as they arrive; then each group is counted separately.
//
// The scores of one group and class are a list of chunks, each twice as large as the one before, up to a limit: a score is
// written once, and a million small groups need little more memory than their scores. Chunks are cut from large blocks, which have
// huge pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "array.hpp"
#include "count_pairs.hpp"
#include "pair_counts.hpp"
#include "parallel.hpp"
#include "partition.hpp"
#include "portability.hpp"
#include "score.hpp"

namespace roclab {

// The groups that have rows, by ascending number, and for each of them the number of its rows or its pair counts.
struct GroupRows {
  std::vector<std::uint32_t> groups;
  std::vector<std::int64_t> rows;
};
struct GroupPairs {
  std::vector<std::uint32_t> groups;
  std::vector<PairCounts> pairs;
};

template <Score T>
class GroupedScores {
 public:
  // Groups are numbers below `n_groups`. False if a score is NaN, and then nothing may be counted.
  bool add(const std::uint32_t* groups, std::size_t n_groups, const std::uint8_t* labels, const T* scores, std::size_t n);

  // Memory of all scores and tables.
  std::size_t bytes() const {
    return block_bytes_ + first_segment_.capacity() * sizeof(std::uint32_t) + segments_.capacity() * sizeof(Segment);
  }

  GroupRows rows() const;

  GroupPairs pairs(int threads) const;

 private:
  struct Chunk {
    const Chunk* before;
    std::size_t capacity;

    T* scores() { return reinterpret_cast<T*>(this + 1); }
    const T* scores() const { return reinterpret_cast<const T*>(this + 1); }
  };

  // The scores of one group and class.
  struct Segment {
    T *next = nullptr, *end = nullptr;  // free places of the last chunk
    Chunk* last = nullptr;
    std::size_t before = 0;  // scores in other chunks

    std::size_t size() const { return last ? before + static_cast<std::size_t>(next - last->scores()) : 0; }

    // Calls visit(scores, n) for each chunk.
    template <class Visit>
    void visit_chunks(Visit&& visit) const {
      if (!last) return;
      visit(last->scores(), static_cast<std::size_t>(next - last->scores()));
      for (const Chunk* chunk = last->before; chunk; chunk = chunk->before) visit(chunk->scores(), chunk->capacity);
    }
  };

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kAhead = 16;      // rows
  static constexpr std::size_t kFirstChunk = 6;  // scores; with the head of a chunk, one line of cache for doubles
  // Not a power of two in bytes: then the ends of thousands of chunks would share a few cache sets.
  static constexpr std::size_t kLargestChunk = kFirstChunk << 7;
  static constexpr std::size_t kSmallestBlock = 1u << 16, kLargestBlock = 1u << 25;  // bytes
  static constexpr std::int64_t kLargeGroup = 1 << 22;                               // rows
  static constexpr std::size_t kGroupsPerTask = 16;                                  // which may be tiny

  [[gnu::noinline]] std::size_t open_group(std::uint32_t group);

  [[gnu::noinline]] void add_chunk(Segment& segment);

  PairCounts count_group(std::uint32_t group, int threads) const;

  std::vector<std::uint32_t> first_segment_;  // of each group: that of its negatives, followed by that of its positives
  std::vector<Segment> segments_;
  std::vector<Array<std::byte>> blocks_;
  std::size_t block_bytes_ = 0, free_bytes_ = 0;  // the last block has free bytes at its end
};

// Out of the class, so that files which declare an instance as extern do not compile them.

template <Score T>
bool GroupedScores<T>::add(const std::uint32_t* groups, std::size_t n_groups, const std::uint8_t* labels, const T* scores,
                           std::size_t n) {
  if (first_segment_.size() < n_groups) first_segment_.resize(n_groups, kNone);
  bool nan = false;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t at = first_segment_[groups[i]];
    if (at == kNone) [[unlikely]]
      at = open_group(groups[i]);
    // Writes alternate between thousands of chunks, more than the first cache has lines.
    if (i + kAhead < n) {
      const std::size_t later = first_segment_[groups[i + kAhead]];
      if (later != kNone) [[likely]]
        prefetch_to_write(segments_[later + (labels[i + kAhead] & 1)].next);
    }
    Segment& segment = segments_[at + (labels[i] & 1)];
    if (segment.next == segment.end) [[unlikely]]
      add_chunk(segment);
    const T score = scores[i];
    nan |= is_nan(score);
    *segment.next++ = score;
  }
  return !nan;
}

template <Score T>
GroupRows GroupedScores<T>::rows() const {
  GroupRows found;
  for (std::size_t group = 0; group < first_segment_.size(); ++group) {
    if (first_segment_[group] == kNone) continue;
    const Segment* both = &segments_[first_segment_[group]];
    found.groups.push_back(static_cast<std::uint32_t>(group));
    found.rows.push_back(static_cast<std::int64_t>(both[0].size() + both[1].size()));
  }
  return found;
}

template <Score T>
GroupPairs GroupedScores<T>::pairs(int threads) const {
  GroupRows all = rows();
  std::vector<PairCounts> found(all.groups.size());
  // A group that is as large as a table has all threads; of the others, each thread counts some.
  std::vector<std::size_t> small;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (all.rows[i] < kLargeGroup) small.push_back(i);
    else found[i] = count_group(all.groups[i], threads);
  }
  parallel_for((small.size() + kGroupsPerTask - 1) / kGroupsPerTask, threads, [&](std::size_t task) {
    for (std::size_t k = task * kGroupsPerTask; k < std::min(small.size(), (task + 1) * kGroupsPerTask); ++k)
      found[small[k]] = count_group(all.groups[small[k]], 1);
  });
  return {std::move(all.groups), std::move(found)};
}

template <Score T>
std::size_t GroupedScores<T>::open_group(std::uint32_t group) {
  const std::size_t first = segments_.size();
  if (first >= kNone - 1) throw std::length_error("more than 2^31 groups");
  segments_.resize(first + 2);
  first_segment_[group] = static_cast<std::uint32_t>(first);
  return first;
}

template <Score T>
void GroupedScores<T>::add_chunk(Segment& segment) {
  const std::size_t capacity = segment.last ? std::min(2 * segment.last->capacity, kLargestChunk) : kFirstChunk;
  const std::size_t bytes = sizeof(Chunk) + (capacity * sizeof(T) + alignof(Chunk) - 1) / alignof(Chunk) * alignof(Chunk);
  if (bytes > free_bytes_) {
    // A quarter of the memory so far: few blocks, and little unused memory.
    const std::size_t block = std::clamp(block_bytes_ / 4, kSmallestBlock, kLargestBlock);
    blocks_.emplace_back(block);
    block_bytes_ += block;
    free_bytes_ = block;
  }
  std::byte* place = blocks_.back().data() + blocks_.back().size() - free_bytes_;
  free_bytes_ -= bytes;
  segment.before = segment.size();
  segment.last = ::new (place) Chunk{segment.last, capacity};
  segment.next = segment.last->scores();
  segment.end = segment.next + capacity;
}

template <Score T>
PairCounts GroupedScores<T>::count_group(std::uint32_t group, int threads) const {
  const Segment* both = &segments_[first_segment_[group]];
  Partition<T> rows;
  rows.begin = {0, both[0].size(), both[0].size() + both[1].size()};
  rows.scores.resize(rows.begin.back());
  T* out = rows.scores.data();
  for (const int label : {0, 1})
    both[label].visit_chunks([&](const T* scores, std::size_t n) { out = std::copy_n(scores, n, out); });
  return detail::count_part(rows, 0, true, threads);
}

}  // namespace roclab
