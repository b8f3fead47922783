// Sort-and-group: labelled scores into distinct scores, ascending, each with its positive and negative mass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "count_pairs.hpp"
#include "parallel.hpp"
#include "score.hpp"
#include "sort.hpp"

namespace roclab {

// Counts of examples per distinct score.
template <Score T>
struct Groups {
  std::vector<T> scores;
  std::vector<std::int64_t> pos, neg;
};

// Weight sums per distinct score, and sums of squared weights, which the variance needs.
template <Score T>
struct WeightedGroups {
  std::vector<T> scores;
  std::vector<double> pos, neg, pos_squared, neg_squared;
};

namespace detail {

constexpr std::size_t kSortedPart = 1u << 13;  // rows of a part that is sorted in cache

// Calls visit(score, positives, negatives) for each distinct score of two sorted ranges.
template <Score T, class Visit>
void merge_classes(const T* pos, const T* pos_end, const T* neg, const T* neg_end, Visit&& visit) {
  while (pos != pos_end || neg != neg_end) {
    const T score = neg == neg_end || (pos != pos_end && *pos < *neg) ? *pos : *neg;
    const T* const first_pos = pos;
    const T* const first_neg = neg;
    while (pos != pos_end && *pos == score) ++pos;
    while (neg != neg_end && *neg == score) ++neg;
    visit(score, pos - first_pos, neg - first_neg);
  }
}

template <Score T>
bool any_nan(const T* scores, std::size_t n, int threads) {
  if constexpr (std::integral<T>) return false;
  std::atomic<bool> found{false};
  parallel_for((n + kChunk - 1) / kChunk, threads, [&](std::size_t chunk) {
    bool nan = false;
    for (std::size_t i = chunk * kChunk; i < std::min(n, (chunk + 1) * kChunk); ++i) nan |= is_nan(scores[i]);
    if (nan) found = true;
  });
  return found;
}

}  // namespace detail

// Nothing if a score is NaN.
template <Score T>
std::optional<Groups<T>> group_scores(const std::uint8_t* labels, const T* scores, std::size_t n, int threads) {
  using namespace detail;
  if (n < kThreadRows) threads = 1;
  auto rows = partition_rows(labels, scores, n, n / kSortedPart, threads);
  if (!rows) return std::nullopt;
  auto merge = [&](std::size_t part, auto&& visit) {
    const T* neg = rows->segment(part, 0);
    const T* pos = rows->segment(part, 1);
    merge_classes(pos, pos + rows->size(part, 1), neg, neg + rows->size(part, 0), visit);
  };
  std::vector<std::size_t> first_group(rows->parts() + 1, 0);
  parallel_for(rows->parts(), threads, [&](std::size_t part) {
    std::vector<T> scratch(std::max(rows->size(part, 0), rows->size(part, 1)));
    for (int label : {0, 1}) spread_sort(rows->segment(part, label), scratch.data(), rows->size(part, label), 1, 0);
    merge(part, [&](T, std::int64_t, std::int64_t) { ++first_group[part + 1]; });
  });
  for (std::size_t part = 0; part < rows->parts(); ++part) first_group[part + 1] += first_group[part];
  Groups<T> groups;
  groups.scores.resize(first_group.back());
  groups.pos.resize(first_group.back());
  groups.neg.resize(first_group.back());
  parallel_for(rows->parts(), threads, [&](std::size_t part) {
    std::size_t at = first_group[part];
    merge(part, [&](T score, std::int64_t pos, std::int64_t neg) {
      groups.scores[at] = score;
      groups.pos[at] = pos;
      groups.neg[at++] = neg;
    });
  });
  return groups;
}

// Rows by ascending score; rows of equal scores in their own order. Nothing if a score is NaN.
template <class Row, Score T>
std::optional<std::vector<Row>> order_rows(const T* scores, std::size_t n, int threads) {
  if (n < detail::kThreadRows) threads = 1;
  if (detail::any_nan(scores, n, threads)) return std::nullopt;
  std::vector<ScoredRow<T, Row>> items(n);
  for (std::size_t i = 0; i < n; ++i) items[i] = {scores[i], static_cast<Row>(i)};
  sort_scores(items, threads);
  std::vector<Row> rows(n);
  for (std::size_t i = 0; i < n; ++i) rows[i] = items[i].row;
  return rows;
}

// Weights are finite and positive. Sums run in row order within a score, so they are the same for any thread count.
template <class Row, Score T>
std::optional<WeightedGroups<T>> group_weighted(const std::uint8_t* labels, const T* scores, const double* weights,
                                                std::size_t n, int threads) {
  const auto rows = order_rows<Row>(scores, n, threads);
  if (!rows) return std::nullopt;
  WeightedGroups<T> groups;
  for (const Row row : *rows) {
    if (groups.scores.empty() || groups.scores.back() < scores[row]) {
      groups.scores.push_back(scores[row]);
      for (auto* sums : {&groups.pos, &groups.neg, &groups.pos_squared, &groups.neg_squared}) sums->push_back(0);
    }
    const double weight = weights[row];
    (labels[row] ? groups.pos : groups.neg).back() += weight;
    (labels[row] ? groups.pos_squared : groups.neg_squared).back() += weight * weight;
  }
  return groups;
}

}  // namespace roclab
