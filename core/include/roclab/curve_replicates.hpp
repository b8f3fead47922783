// Points of the ROC curve of a bootstrap replicate at given places along an axis of ROC space.
//
// A place w on the axis (across, up) is the point of the curve with across * fpr + up * tpr = w. The axis (1, 0) gives the
// TPR at given FPRs, (0, 1) for the FPR at given TPRs, and one that rises in both crosses the curve in one point everywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "roclab/array.hpp"
#include "roclab/random.hpp"

namespace roclab {

struct Axis {
  double across, up;  // not negative, and not both 0
};

// The rows of one class by ascending group, and where each group begins among them.
struct GroupedClass {
  Array<std::uint32_t> order;   // empty if the rows are numbered in this order
  Array<std::uint32_t> starts;  // one more than the number of groups

  GroupedClass(const std::uint32_t* groups, std::size_t n, std::size_t n_groups) : starts(n_groups + 1) {
    std::fill(starts.begin(), starts.end(), 0u);
    for (std::size_t i = 0; i < n; ++i) ++starts[groups[i] + 1];
    for (std::size_t group = 0; group < n_groups; ++group) starts[group + 1] += starts[group];
    if (std::is_sorted(groups, groups + n)) return;
    order.resize(n);
    std::vector<std::uint32_t> next(starts.begin(), starts.end());
    for (std::size_t i = 0; i < n; ++i) order[next[groups[i]]++] = static_cast<std::uint32_t>(i);
  }

  std::size_t size() const { return starts.back(); }
};

struct GroupedRows {
  GroupedClass pos, neg;

  GroupedRows(const std::uint32_t* groups, std::size_t n_pos, std::size_t n_neg, std::size_t n_groups)
      : pos(groups, n_pos, n_groups), neg(groups + n_pos, n_neg, n_groups) {}

  std::size_t groups() const { return pos.starts.size() - 1; }
};

template <class Mass>
struct CurveScratch {
  Array<Mass> pos, neg;  // drawn among the lowest k rows of a class
};

namespace detail {

template <class Mass>
void sum_up(const GroupedClass& rows, const DrawCount* counts, const double* weights, Array<Mass>& sums) {
  const std::size_t n = rows.size();
  sums.resize(n + 1);
  Mass* at = sums.data();
  Mass sum = at[0] = 0;
  if (!weights && rows.order.empty()) {
    for (std::size_t k = 0; k < n; ++k) at[k + 1] = sum += static_cast<Mass>(counts[k]);
    return;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t row = rows.order.empty() ? k : rows.order[k];
    at[k + 1] = sum += static_cast<Mass>(counts[row] * (weights ? weights[row] : 1.0));
  }
}

}  // namespace detail

// The replicate with these counts at ascending places: its TPR, or its FPR on the axis (0, 1). Where the curve is perpendicular
// to the axis, so that a place has many points, it is the highest TPR, or the lowest FPR. NaN if a class was not drawn.
template <class Mass>
void rates_along(const GroupedRows& rows, const DrawCount* counts, const double* weights, Axis axis, const double* places,
                 std::size_t n_places, CurveScratch<Mass>& scratch, double* rates) {
  const std::size_t n_pos = rows.pos.size();
  detail::sum_up(rows.pos, counts, weights, scratch.pos);
  detail::sum_up(rows.neg, counts + n_pos, weights ? weights + n_pos : nullptr, scratch.neg);
  const double all_pos = static_cast<double>(scratch.pos.back()), all_neg = static_cast<double>(scratch.neg.back());
  if (all_pos == 0 || all_neg == 0) {
    std::fill(rates, rates + n_places, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const std::size_t groups = rows.groups();
  // The curve after its `passed` highest groups.
  auto true_positives = [&](std::size_t passed) {
    return all_pos - static_cast<double>(scratch.pos[rows.pos.starts[groups - passed]]);
  };
  auto false_positives = [&](std::size_t passed) {
    return all_neg - static_cast<double>(scratch.neg[rows.neg.starts[groups - passed]]);
  };
  const double across = axis.across / all_neg, up = axis.up / all_pos;
  auto place = [&](std::size_t passed) {
    return (across > 0 ? across * false_positives(passed) : 0) + (up > 0 ? up * true_positives(passed) : 0);
  };
  // Rates are rounded: a place counts as reached within this tolerance.
  const double slack = 1e-12 * (axis.across + axis.up);
  const bool lowest = axis.across == 0;
  std::size_t passed = 0;
  for (std::size_t i = 0; i < n_places; ++i) {
    const double wanted = lowest ? places[i] - slack : places[i] + slack;
    auto short_of = [&](std::size_t at) { return lowest ? place(at) < wanted : place(at) <= wanted; };
    // The first point beyond the place, by galloping search from the last one.
    std::size_t step = 1, end = passed;
    while (end <= groups && short_of(end)) passed = end + 1, end += step, step *= 2;
    end = std::min(end, groups + 1);
    while (passed < end) {
      const std::size_t middle = passed + (end - passed) / 2;
      if (short_of(middle)) passed = middle + 1;
      else end = middle;
    }
    auto rate = [&](std::size_t at) { return lowest ? false_positives(at) / all_neg : true_positives(at) / all_pos; };
    if (passed == 0 || passed > groups) {
      rates[i] = rate(std::min(passed, groups));
    } else {
      const double before = place(passed - 1), after = place(passed);
      const double share = std::clamp((places[i] - before) / (after - before), 0.0, 1.0);
      rates[i] = rate(passed - 1) + share * (rate(passed) - rate(passed - 1));
    }
  }
}

}  // namespace roclab
