// The kernels over scores, which take most of the time of compilation: compiled once for each type of scores, in
// float64_kernels.cpp, float32_kernels.cpp and int64_kernels.cpp, and only declared elsewhere.
#pragma once

#include <cstdint>
#include <optional>

#include "roclab/count_pairs.hpp"
#include "roclab/grouped_scores.hpp"
#include "roclab/grouping.hpp"
#include "roclab/missing_labels.hpp"
#include "roclab/score_slots.hpp"
#include "roclab/scored_pairs.hpp"
#include "sort_kernels.hpp"

#define ROCLAB_SCORE_KERNELS(DECLARE, T)                                                                                      \
  DECLARE template class RankTable<T>;                                                                                        \
  DECLARE template PairCounts detail::count_part(Partition<T>&, std::size_t, bool, int);                                      \
  DECLARE template std::optional<PairCounts> count_pairs(const std::uint8_t*, const T*, std::size_t, bool, int);              \
  DECLARE template std::optional<ScoredPairs> scored_pairs(const std::uint8_t*, const T*, std::size_t, int);                  \
  DECLARE template std::optional<Groups<T>> group_scores(const std::uint8_t*, const T*, std::size_t, int);                    \
  DECLARE template std::optional<WeightedGroups<T>> group_weighted(const std::uint8_t*, const T*, const double*, std::size_t, \
                                                                   int);                                                      \
  DECLARE template std::optional<Array<std::uint32_t>> order_rows(const T*, std::size_t, int);                                \
  DECLARE template std::optional<Array<std::uint64_t>> order_rows(const T*, std::size_t, int);                                \
  DECLARE template AucBounds auc_bounds(const T*, const std::int64_t*, const std::int64_t*, std::size_t, const T*,            \
                                        const std::int64_t*, std::size_t, std::int64_t, std::int64_t);                        \
  DECLARE template class SlotCounter<T>;                                                                                      \
  DECLARE template class GroupedScores<T>;

namespace roclab {

// A definition may follow a declaration; in between nothing is compiled.
ROCLAB_SCORE_KERNELS(extern, double)
ROCLAB_SCORE_KERNELS(extern, float)
ROCLAB_SCORE_KERNELS(extern, std::int64_t)
#ifdef ROCLAB_KERNELS_HERE
ROCLAB_SORT_KERNELS(, ROCLAB_KERNELS_HERE)
ROCLAB_SCORE_KERNELS(, ROCLAB_KERNELS_HERE)
#endif

}  // namespace roclab
