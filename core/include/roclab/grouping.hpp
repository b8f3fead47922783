// Sort-and-group: labelled scores into distinct scores, ascending, each with its positive and negative mass.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "array.hpp"
#include "count_pairs.hpp"
#include "parallel.hpp"
#include "score.hpp"
#include "sort.hpp"

namespace roclab {

// Counts of examples per distinct score.
template <Score T>
struct Groups {
  Array<T> scores;
  Array<std::int64_t> pos, neg;
};

// Weight sums per distinct score, and sums of squared weights, which the variance needs.
template <Score T>
struct WeightedGroups {
  Array<T> scores;
  Array<double> pos, neg, pos_squared, neg_squared;
};

namespace detail {

constexpr std::size_t kSortedPart = 1u << 14;  // rows of a part that is sorted in cache

// Writes the groups of two sorted ranges from `at` on, which has room for one a row; returns their number.
template <Score T>
std::size_t merge_classes(const T* pos, const T* pos_end, const T* neg, const T* neg_end, Groups<T>& groups, std::size_t at) {
  const std::size_t first = at;
  auto run = [](const T*& rows, const T* end, T score) {
    const T* const begin = rows;
    while (rows != end && *rows == score) ++rows;
    return static_cast<std::int64_t>(rows - begin);
  };
  while (pos != pos_end || neg != neg_end) {
    const T score = neg == neg_end || (pos != pos_end && *pos < *neg) ? *pos : *neg;
    groups.scores[at] = score;
    groups.pos[at] = run(pos, pos_end, score);
    groups.neg[at] = run(neg, neg_end, score);
    ++at;
  }
  return at - first;
}

// Moves the groups of all parts together. Part i begins at `begin[2 * i]` and has `sizes[i]` groups.
template <Score T>
void close_gaps(Groups<T>& groups, const std::vector<std::size_t>& begin, const std::vector<std::size_t>& sizes) {
  std::size_t end = 0;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    const std::size_t from = begin[2 * part];
    if (from != end) {
      std::copy_n(groups.scores.begin() + from, sizes[part], groups.scores.begin() + end);
      std::copy_n(groups.pos.begin() + from, sizes[part], groups.pos.begin() + end);
      std::copy_n(groups.neg.begin() + from, sizes[part], groups.neg.begin() + end);
    }
    end += sizes[part];
  }
  if (end == groups.scores.size()) return;
  groups.scores.resize(end);
  groups.pos.resize(end);
  groups.neg.resize(end);
  groups.scores.shrink_to_fit();
  groups.pos.shrink_to_fit();
  groups.neg.shrink_to_fit();
}

}  // namespace detail

// Nothing if a score is NaN.
template <Score T>
std::optional<Groups<T>> group_scores(const std::uint8_t* labels, const T* scores, std::size_t n, int threads) {
  using namespace detail;
  if (n < kThreadRows) threads = 1;
  auto rows = partition_rows(labels, scores, n, n / kSortedPart, threads);
  if (!rows) return std::nullopt;
  Groups<T> groups{Array<T>(n), Array<std::int64_t>(n), Array<std::int64_t>(n)};
  std::vector<std::size_t> sizes(rows->parts());
  parallel_for(rows->parts(), threads, [&](std::size_t part) {
    T *neg = rows->segment(part, 0), *pos = rows->segment(part, 1);
    const std::size_t n_neg = rows->size(part, 0), n_pos = rows->size(part, 1);
    Array<T> scratch(std::max(n_neg, n_pos));
    spread_sort(neg, scratch.data(), n_neg, 1, 0);
    spread_sort(pos, scratch.data(), n_pos, 1, 0);
    sizes[part] = merge_classes<T>(pos, pos + n_pos, neg, neg + n_neg, groups, rows->begin[2 * part]);
  });
  close_gaps(groups, rows->begin, sizes);
  return groups;
}

namespace detail {

// Rows with their scores, by ascending score; a stable sort. Nothing if a score is NaN.
template <Score T>
std::optional<Array<RowItem<T>>> order_scored_rows(const T* scores, std::size_t n, int threads) {
  if (n < kThreadRows) threads = 1;
  Array<RowItem<T>> items(n);
  std::atomic<bool> any_nan{false};
  parallel_for(chunks_of(n), threads, [&](std::size_t chunk) {
    bool nan = false;
    for (std::size_t i = chunk * kChunk; i < std::min(n, (chunk + 1) * kChunk); ++i) {
      const T score = scores[i];
      nan |= is_nan(score);
      items[i] = {score, static_cast<decltype(items[i].row)>(i)};
    }
    if (nan) any_nan = true;
  });
  if (any_nan) return std::nullopt;
  sort_scores(items, threads);
  return items;
}

}  // namespace detail

// Rows by ascending score; a stable sort. Nothing if a score is NaN.
template <class Row, Score T>
std::optional<Array<Row>> order_rows(const T* scores, std::size_t n, int threads) {
  if constexpr (std::same_as<T, float>)  // whose items cannot number more rows
    if (n > detail::kMostPlaces) return order_rows<Row>(Array<double>(scores, scores + n).data(), n, threads);
  const auto items = detail::order_scored_rows(scores, n, threads);
  if (!items) return std::nullopt;
  Array<Row> rows(n);
  for (std::size_t i = 0; i < n; ++i) rows[i] = static_cast<Row>((*items)[i].row);
  return rows;
}

// Weights are finite and positive. Sums run in row order within a score, so they are the same for any thread count.
template <Score T>
std::optional<WeightedGroups<T>> group_weighted(const std::uint8_t* labels, const T* scores, const double* weights, std::size_t n,
                                                int threads) {
  if constexpr (std::same_as<T, float>)
    if (n > detail::kMostPlaces) {
      auto wide = group_weighted(labels, Array<double>(scores, scores + n).data(), weights, n, threads);
      if (!wide) return std::nullopt;
      return WeightedGroups<T>{Array<T>(wide->scores.begin(), wide->scores.end()), std::move(wide->pos), std::move(wide->neg),
                               std::move(wide->pos_squared), std::move(wide->neg_squared)};
    }
  const auto items = detail::order_scored_rows(scores, n, threads);
  if (!items) return std::nullopt;
  WeightedGroups<T> groups;
  std::size_t distinct = n > 0;
  for (std::size_t i = 1; i < n; ++i) distinct += (*items)[i - 1].score < (*items)[i].score;
  groups.scores.reserve(distinct);
  for (auto* sums : {&groups.pos, &groups.neg, &groups.pos_squared, &groups.neg_squared}) sums->reserve(distinct);
  for (const auto& [score, row] : *items) {
    if (groups.scores.empty() || groups.scores.back() < score) {
      groups.scores.push_back(score);
      for (auto* sums : {&groups.pos, &groups.neg, &groups.pos_squared, &groups.neg_squared}) sums->push_back(0);
    }
    const double weight = weights[row];
    (labels[row] ? groups.pos : groups.neg).back() += weight;
    (labels[row] ? groups.pos_squared : groups.neg_squared).back() += weight * weight;
  }
  return groups;
}

}  // namespace roclab
