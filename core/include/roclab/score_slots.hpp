// Labelled rows counted by slot: cut values divide all scores into the values themselves and the gaps between them.
//
// A histogram whose cuts are quantiles bounds the AUC, since only pairs within one gap are unknown. One whose cuts are all
// scores of a class is exact: no gap holds both classes. So a table that is larger than memory needs no other kernel: rows at
// a cut are counted, and rows in a gap with both classes can be kept apart by gap.
//
// Glossary
//   slot      2 * #{cuts < score} + [the score is a cut]: gaps are even, cuts are odd
//   segment   2 * gap + label, for rows in gaps
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "array.hpp"
#include "parallel.hpp"
#include "rank_table.hpp"
#include "score.hpp"

namespace roclab {

// Rows in gaps, by segment: those of segment s are order[begin[s]] to order[begin[s + 1] - 1], in the order of the input.
struct RowsByGap {
  Array<std::uint32_t> order;
  std::vector<std::int64_t> begin;
};

// Sums of weights and of squared weights by slot.
struct SlotWeights {
  std::vector<double> pos, neg, pos_sq, neg_sq;
};

// For the rows of one class in each gap, their distances d to the cut next to it on one side: sums of w d, w^2 d and w^2 d^2. Rows
// beyond the last cut on that side add nothing.
struct GapDistances {
  std::vector<double> linear, sq_linear, sq_square;
};

template <Score T>
class SlotCounter {
 public:
  // `cuts` ascend without repetition and without NaN.
  SlotCounter(const T* cuts, std::size_t n, int threads);

  std::size_t slots() const { return 2 * table_.size() + 1; }

  // Counts fewer than 2^32 rows. False if a score is NaN: the counts are of no use then.
  bool add(const std::uint8_t* labels, const T* scores, std::size_t n);

  // The same, and writes the slot of each row into `found`; there must be fewer than 2^31 cuts.
  bool locate(const std::uint8_t* labels, const T* scores, std::size_t n, std::uint32_t* found);

  // Adds weights instead of counting; the sums run in the order of the rows. False if a score is NaN.
  bool add_weights(const std::uint8_t* labels, const T* scores, const double* weights, std::size_t n);

  // The sums of all rows so far; zeros if there were none.
  SlotWeights& weights() {
    for (auto* sums : {&weights_.pos, &weights_.neg, &weights_.pos_sq, &weights_.neg_sq}) sums->resize(slots(), 0);
    return weights_;
  }

  // Adds the distances of negatives to the next cut above, or of positives to the next cut below. `weights` may be null. False if
  // a score is NaN.
  bool add_distances(const std::uint8_t* labels, const T* scores, const double* weights, std::size_t n, bool of_negatives);

  // The distances of all rows so far; zeros if there were none.
  GapDistances& distances() {
    for (auto* sums : {&distances_.linear, &distances_.sq_linear, &distances_.sq_square}) sums->resize(table_.size() + 1, 0);
    return distances_;
  }

  // Divides rows by gap and class; at most 2^32 - 1 of them. Rows at a cut are counted instead. False if a
  // score is NaN.
  bool divide(const std::uint8_t* labels, const T* scores, std::size_t n, RowsByGap& found);

  // The number of rows of a class in each slot.
  std::vector<std::int64_t> counts(int label);

 private:
  static constexpr std::size_t kRowsForThreads = 1u << 16;

  struct Partial {
    std::vector<std::uint32_t> counts;
    std::uint64_t rows = 0;
  };

  // Counts rows, and calls seen(row, slot) for each of them, from several threads.
  template <class Seen>
  bool count(const std::uint8_t* labels, const T* scores, std::size_t n, Seen seen) {
    const std::size_t tasks = n < kRowsForThreads ? 1 : threads_;
    if (partial_.size() < tasks) partial_.resize(tasks);
    for (auto& partial : partial_)
      if (partial.rows + n > std::numeric_limits<std::uint32_t>::max()) flush(partial);
    std::vector<std::uint8_t> nan(tasks, 0);
    parallel_for(tasks, static_cast<int>(tasks), [&](std::size_t task) {
      const std::size_t first = n * task / tasks, last = n * (task + 1) / tasks;
      Partial& partial = partial_[task];
      if (partial.counts.empty()) partial.counts.resize(2 * slots(), 0);
      partial.rows += last - first;
      std::uint32_t* const counts = partial.counts.data();
      std::size_t row = first;
      auto visit = [this, counts, labels, &row, &seen](T score, std::size_t at) {
        const std::size_t slot = slot_of(score, at);
        ++counts[2 * slot + (labels[row] & 1)];
        seen(row++, slot);
      };
      nan[task] = table_.template visit_places<false>(scores + first, last - first, {counts, 4 * sizeof *counts}, visit);
    });
    return std::find(nan.begin(), nan.end(), 1) == nan.end();
  }

  std::size_t slot_of(T score, std::size_t at) const {
    return 2 * at + (static_cast<std::size_t>(table_.values()[at] == score) & static_cast<std::size_t>(at < table_.size()));
  }

  void flush(Partial& partial) {
    if (partial.rows == 0) return;
    for (std::size_t i = 0; i < partial.counts.size(); ++i) totals_[i] += partial.counts[i];
    std::fill(partial.counts.begin(), partial.counts.end(), 0);
    partial.rows = 0;
  }

  RankTable<T> table_;
  std::size_t threads_;
  std::vector<Partial> partial_;
  std::vector<std::int64_t> totals_;  // by 2 * slot + label
  SlotWeights weights_;
  GapDistances distances_;
};

// Out of the class, so that files which declare an instance as extern do not compile them.

template <Score T>
SlotCounter<T>::SlotCounter(const T* cuts, std::size_t n, int threads)
    : table_(Array<T>(cuts, cuts + n)), threads_(static_cast<std::size_t>(std::max(threads, 1))), totals_(2 * slots(), 0) {}

template <Score T>
bool SlotCounter<T>::add_weights(const std::uint8_t* labels, const T* scores, const double* weights, std::size_t n) {
  SlotWeights& sums = this->weights();
  std::size_t row = 0;
  auto weigh = [&](T score, std::size_t at) {
    const std::size_t slot = slot_of(score, at);
    const double weight = weights[row];
    const bool positive = labels[row++] & 1;
    (positive ? sums.pos : sums.neg)[slot] += weight;
    (positive ? sums.pos_sq : sums.neg_sq)[slot] += weight * weight;
  };
  return !table_.template visit_places<false>(scores, n, {nullptr, 0}, weigh);
}

template <Score T>
bool SlotCounter<T>::add_distances(const std::uint8_t* labels, const T* scores, const double* weights, std::size_t n,
                                   bool of_negatives) {
  GapDistances& sums = distances();
  std::size_t row = 0;
  auto measure = [&](T score, std::size_t at) {
    const std::size_t i = row++;
    if ((labels[i] & 1) == of_negatives || slot_of(score, at) % 2 == 1) return;
    if (of_negatives ? at == table_.size() : at == 0) return;
    const T cut = table_.values()[of_negatives ? at : at - 1];
    const double distance = of_negatives ? step_between(score, cut) : step_between(cut, score), w = weights ? weights[i] : 1;
    sums.linear[at] += w * distance;
    sums.sq_linear[at] += w * w * distance;
    sums.sq_square[at] += w * w * distance * distance;
  };
  return !table_.template visit_places<false>(scores, n, {nullptr, 0}, measure);
}

template <Score T>
bool SlotCounter<T>::divide(const std::uint8_t* labels, const T* scores, std::size_t n, RowsByGap& found) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const std::size_t segments = 2 * (table_.size() + 1);
  found.begin.assign(segments + 1, 0);
  Array<std::uint32_t> segment_of(n);
  std::size_t row = 0;
  auto place = [&](T score, std::size_t at) {
    const std::size_t slot = slot_of(score, at), label = labels[row] & 1;
    if (slot % 2 == 0) ++found.begin[slot + label + 1];
    else ++totals_[2 * slot + label];
    segment_of[row++] = slot % 2 == 0 ? static_cast<std::uint32_t>(slot + label) : none;
  };
  if (table_.template visit_places<false>(scores, n, {nullptr, 0}, place)) return false;
  for (std::size_t s = 0; s < segments; ++s) found.begin[s + 1] += found.begin[s];
  std::vector<std::int64_t> next(found.begin.begin(), found.begin.end() - 1);
  found.order.resize(static_cast<std::size_t>(found.begin[segments]));
  for (std::size_t i = 0; i < n; ++i)
    if (segment_of[i] != none) found.order[static_cast<std::size_t>(next[segment_of[i]]++)] = static_cast<std::uint32_t>(i);
  return true;
}

template <Score T>
std::vector<std::int64_t> SlotCounter<T>::counts(int label) {
  for (auto& partial : partial_) flush(partial);
  std::vector<std::int64_t> found(slots());
  for (std::size_t slot = 0; slot < found.size(); ++slot) found[slot] = totals_[2 * slot + static_cast<std::size_t>(label)];
  return found;
}

template <Score T>
bool SlotCounter<T>::add(const std::uint8_t* labels, const T* scores, std::size_t n) {
  return count(labels, scores, n, [](std::size_t, std::size_t) {});
}

template <Score T>
bool SlotCounter<T>::locate(const std::uint8_t* labels, const T* scores, std::size_t n, std::uint32_t* found) {
  return count(labels, scores, n, [found](std::size_t row, std::size_t slot) { found[row] = static_cast<std::uint32_t>(slot); });
}

}  // namespace roclab
