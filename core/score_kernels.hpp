// Python bindings for the kernels over labelled scores, for one type of score. They take most of the time of compilation, so the
// types are divided between floating_scores.cpp and integer_scores.cpp.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "python_arrays.hpp"
#include "python_errors.hpp"
#include "roclab/count_pairs.hpp"
#include "roclab/grouping.hpp"
#include "roclab/missing_labels.hpp"
#include "roclab/range_summary.hpp"
#include "roclab/scored_pairs.hpp"

namespace roclab {

template <class Result>
Result unless_nan(std::optional<Result>&& result) {
  if (!result) throw NanScore();
  return std::move(*result);
}

inline bool fits_32_bits(std::size_t rows) { return rows <= std::numeric_limits<std::uint32_t>::max(); }

template <class T>
void define_for_scores(nanobind::module_& m) {
  namespace nb = nanobind;
  using namespace nb::literals;
  m.def(
      "count_pairs",
      [](Input<std::uint8_t> labels, Input<T> scores, bool moments, int threads) {
        nb::gil_scoped_release nogil;
        return unless_nan(count_pairs(labels.data(), scores.data(), scores.size(), moments, threads));
      },
      nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "moments"_a, "threads"_a);

  m.def(
      "scored_pairs",
      [](Input<std::uint8_t> labels, Input<T> scores, int threads) {
        nb::gil_scoped_release nogil;
        return unless_nan(scored_pairs(labels.data(), scores.data(), scores.size(), threads));
      },
      nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "threads"_a);

  m.def(
      "group_scores",
      [](Input<std::uint8_t> labels, Input<T> scores, int threads) {
        Groups<T> groups;
        {
          nb::gil_scoped_release nogil;
          groups = unless_nan(group_scores(labels.data(), scores.data(), scores.size(), threads));
        }
        return nb::make_tuple(to_numpy(std::move(groups.scores)), to_numpy(std::move(groups.pos)), to_numpy(std::move(groups.neg)));
      },
      nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "threads"_a);

  m.def(
      "group_weighted",
      [](Input<std::uint8_t> labels, Input<T> scores, Input<double> weights, int threads) {
        WeightedGroups<T> groups;
        {
          nb::gil_scoped_release nogil;
          const std::size_t n = scores.size();
          groups =
              unless_nan(fits_32_bits(n) ? group_weighted<std::uint32_t>(labels.data(), scores.data(), weights.data(), n, threads)
                                         : group_weighted<std::uint64_t>(labels.data(), scores.data(), weights.data(), n, threads));
        }
        return nb::make_tuple(to_numpy(std::move(groups.scores)), to_numpy(std::move(groups.pos)), to_numpy(std::move(groups.neg)),
                              to_numpy(std::move(groups.pos_squared)), to_numpy(std::move(groups.neg_squared)));
      },
      nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").noconvert(), "threads"_a);

  m.def(
      "order_rows",
      [](Input<T> scores, int threads) {
        auto run = [&]<class Row>(Row) -> nb::object {
          Array<Row> rows;
          {
            nb::gil_scoped_release nogil;
            rows = unless_nan(order_rows<Row>(scores.data(), scores.size(), threads));
          }
          return nb::cast(to_numpy(std::move(rows)));
        };
        return fits_32_bits(scores.size()) ? run(std::uint32_t{}) : run(std::uint64_t{});
      },
      nb::arg("scores").noconvert(), "threads"_a);

  m.def(
      "auc_bounds",
      [](Input<T> scores, Input<std::int64_t> pos, Input<std::int64_t> neg, Input<T> unlabelled, Input<std::int64_t> counts,
         std::int64_t least, std::int64_t most) {
        AucBounds found;
        {
          nb::gil_scoped_release nogil;
          found = auc_bounds(scores.data(), pos.data(), neg.data(), scores.size(), unlabelled.data(), counts.data(),
                             unlabelled.size(), least, most);
        }
        return nb::make_tuple(found.low.auc, found.low.positives, found.high.auc, found.high.positives);
      },
      nb::arg("scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("unlabelled").noconvert(),
      nb::arg("counts").noconvert(), "least"_a, "most"_a);

  m.def(
      "summarize",
      [](Input<T> scores, Input<std::int64_t> pos, Input<std::int64_t> neg, int threads) {
        nb::gil_scoped_release nogil;
        return summarize(GroupView<T, std::int64_t>{scores.data(), pos.data(), neg.data(), nullptr, nullptr}, scores.size(),
                         threads);
      },
      nb::arg("scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), "threads"_a);

  m.def(
      "summarize_weighted",
      [](Input<T> scores, Input<double> pos, Input<double> neg, Input<double> pos_squared, Input<double> neg_squared,
         std::uint64_t n_pos, std::uint64_t n_neg, int threads) {
        nb::gil_scoped_release nogil;
        const GroupView<T, double> groups{scores.data(), pos.data(), neg.data(), pos_squared.data(), neg_squared.data()};
        RangeSummary summary = summarize(groups, scores.size(), threads);
        summary.counts.pos = n_pos;
        summary.counts.neg = n_neg;
        return summary;
      },
      nb::arg("scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("pos_squared").noconvert(),
      nb::arg("neg_squared").noconvert(), "n_pos"_a, "n_neg"_a, "threads"_a);
}

}  // namespace roclab
