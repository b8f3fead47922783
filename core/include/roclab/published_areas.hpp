// Areas under the granular ROC curves of Dong and others (2013), at many distances, without building the curves.
//
// Glossary, after the paper: at a score s, p and n are the positives and negatives at or above s + distance; the block is
// the scores from s to below that, with xi_p positives and xi_n negatives, b in total. P and N are the class sizes.
//   up  = (n / (N - xi_n), (p + b) / (P + xi_n))      low = ((n + b) / (N + xi_p), p / (P - xi_p))
// and both the ordinary ROC point if the block holds one distinct score only; 0/0 is 0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "array.hpp"
#include "ordered_places.hpp"
#include "parallel.hpp"
#include "range_summary.hpp"
#include "score.hpp"
#include "target.hpp"

namespace roclab {

struct GranularAreas {
  double low, up;
};

namespace detail {

constexpr std::size_t kPoints = 512;  // points of a curve computed at once

// A segment of a curve, from (1, 1) to (0, 0); its first point is the last one of the previous segment.
struct Stretch {
  double fpr[kPoints + 1], tpr[kPoints + 1];
};

[[gnu::always_inline]] inline double area_of(const Stretch& curve, std::size_t n) {
  constexpr std::size_t lanes = 8;
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t k = i + lane;
      sums[lane] += (curve.fpr[k] - curve.fpr[k + 1]) * (curve.tpr[k] + curve.tpr[k + 1]);
    }
  for (; i < n; ++i) sums[0] += (curve.fpr[i] - curve.fpr[i + 1]) * (curve.tpr[i] + curve.tpr[i + 1]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// The points of n scores from `first` on, whose s + distance are at the places. `pos` and `neg` are
// the masses at or above each score.
[[gnu::always_inline]] inline void find_points(const double* pos, const double* neg, std::size_t first, std::size_t n,
                                               const std::uint32_t* place, Stretch& low, Stretch& up) {
  double above_pos[kPoints], above_neg[kPoints];
  for (std::size_t i = 0; i < n; ++i) {
    // A single score in its block has the ordinary point, which is that of an empty block.
    const std::size_t at = place[i] <= first + i + 1 ? first + i : place[i];
    above_pos[i] = pos[at];
    above_neg[i] = neg[at];
  }
  const double all_pos = pos[0], all_neg = neg[0];
  constexpr double tiny = 1e-100;  // a denominator of 0 has the numerator 0; to any other this adds nothing
  for (std::size_t i = 0; i < n; ++i) {
    const double xi_p = pos[first + i] - above_pos[i], xi_n = neg[first + i] - above_neg[i], b = xi_p + xi_n;
    // One division for two quotients.
    const double low_neg = all_neg + xi_p, low_pos = all_pos - xi_p + tiny, low_part = 1 / (low_neg * low_pos);
    low.fpr[i + 1] = (above_neg[i] + b) * low_pos * low_part;
    low.tpr[i + 1] = above_pos[i] * low_neg * low_part;
    const double up_neg = all_neg - xi_n + tiny, up_pos = all_pos + xi_n, up_part = 1 / (up_neg * up_pos);
    up.fpr[i + 1] = above_neg[i] * up_pos * up_part;
    up.tpr[i + 1] = (above_pos[i] + b) * up_neg * up_part;
  }
}

[[gnu::always_inline]] inline void add_points(const double* pos, const double* neg, std::size_t first, std::size_t n,
                                              const std::uint32_t* place, Stretch& low, Stretch& up, double& low_area,
                                              double& up_area) {
  find_points(pos, neg, first, n, place, low, up);
  low_area = area_of(low, n);
  up_area = area_of(up, n);
}

#ifdef ROCLAB_AVX2_PATH
[[gnu::target("avx2")]] inline void add_points_avx2(const double* pos, const double* neg, std::size_t first, std::size_t n,
                                                    const std::uint32_t* place, Stretch& low, Stretch& up, double& low_area,
                                                    double& up_area) {
  add_points(pos, neg, first, n, place, low, up, low_area, up_area);
}
#endif

template <Score T>
GranularAreas published_areas_at(const OrderedValues<T>& scores, const double* pos, const double* neg, T distance) {
  const std::size_t size = scores.size();
  Stretch low, up;
  low.fpr[0] = low.tpr[0] = up.fpr[0] = up.tpr[0] = 1;
  RunningSum low_area, up_area;
  auto walk = [&](std::size_t first, std::size_t last) {
    std::uint32_t place[kPoints];
    for (; first < last; first += kPoints) {
      const std::size_t n = std::min(kPoints, last - first);
      scores.find(size, first, n, [](auto s) { return s; }, [&](std::size_t i) { return scores[i] + distance; }, place);
      double of_low, of_up;
#ifdef ROCLAB_AVX2_PATH
      if (has_avx2()) add_points_avx2(pos, neg, first, n, place, low, up, of_low, of_up);
      else
#endif
        add_points(pos, neg, first, n, place, low, up, of_low, of_up);
      low_area.add(of_low);
      up_area.add(of_up);
      for (Stretch* curve : {&low, &up}) curve->fpr[0] = curve->fpr[n], curve->tpr[0] = curve->tpr[n];
    }
  };
  // Where nothing is above s + distance the lower curve follows the bottom and the upper one the side, which adds no area; the
  // first of these points, and the last two, represent all.
  std::size_t reached = 0;
  for (std::size_t step = std::bit_ceil(size); step > 0; step /= 2)
    if (reached + step <= size && !(scores[size - 1] < scores[reached + step - 1] + distance)) reached += step;
  const std::size_t stop = std::min(reached + 1, size);
  walk(0, stop);
  walk(std::max(stop, size < 2 ? 0 : size - 2), size);
  low_area.add(low.fpr[0] * low.tpr[0]);
  up_area.add(up.fpr[0] * up.tpr[0]);
  return {low_area.value() / 2, up_area.value() / 2};
}

}  // namespace detail

// `scores` ascend without repetition, with the positives and negatives at each; both classes are present.
template <Score T>
std::vector<GranularAreas> published_areas(const T* scores, const std::int64_t* pos, const std::int64_t* neg, std::size_t size,
                                           const T* distances, std::size_t n, int threads) {
  const OrderedValues<T> ordered(scores, size);
  Array<double> pos_above(size + 1), neg_above(size + 1);
  pos_above[size] = neg_above[size] = 0;
  for (std::size_t i = size; i-- > 0;) {
    pos_above[i] = pos_above[i + 1] + static_cast<double>(pos[i]);
    neg_above[i] = neg_above[i + 1] + static_cast<double>(neg[i]);
  }
  std::vector<GranularAreas> result(n);
  parallel_for(n, size * n < kMergeKeys ? 1 : threads, [&](std::size_t k) {
    result[k] = detail::published_areas_at(ordered, pos_above.data(), neg_above.data(), distances[k]);
  });
  return result;
}

}  // namespace roclab
