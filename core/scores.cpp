// Python bindings for the kernels over labelled scores.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <utility>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_scores.hpp"
#include "roclab/range_summary.hpp"
#include "score_kernels.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

using Labels = Input<std::uint8_t>;
using Counts = Input<std::int64_t>;

template <class Row>
nb::object ordered_rows(const AnyScores& scores, int threads) {
  return with_kernel_scores(scores, threads, [&](const auto& s) {
    Array<Row> rows;
    {
      nb::gil_scoped_release nogil;
      rows = unless_nan(order_rows<Row>(s.data(), s.size(), threads));
    }
    return nb::object(nb::cast(to_numpy(std::move(rows))));
  });
}

template <class Mass>
RangeSummary summary_of(const AnyScores& scores, const GroupView<void, Mass>& masses, int threads) {
  return with_scores(scores, [&]<class T>(const T* first) {
    nb::gil_scoped_release nogil;
    return summarize(GroupView<T, Mass>{first, masses.pos, masses.neg, masses.pos_sq, masses.neg_sq}, scores.size(), threads);
  });
}

}  // namespace

void define_scores(nb::module_& m) {
  m.def(
      "count_pairs",
      [](Labels labels, AnyScores scores, bool moments, int threads) {
        return with_kernel_scores(scores, threads, [&](const auto& s) {
          nb::gil_scoped_release nogil;
          return unless_nan(count_pairs(labels.data(), s.data(), s.size(), moments, threads));
        });
      },
      nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "moments"_a, "threads"_a);

  m.def(
      "scored_pairs",
      [](Labels labels, AnyScores scores, int threads) {
        return with_kernel_scores(scores, threads, [&](const auto& s) {
          nb::gil_scoped_release nogil;
          return unless_nan(scored_pairs(labels.data(), s.data(), s.size(), threads));
        });
      },
      nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "threads"_a);

  m.def(
      "group_scores",
      [](Labels labels, AnyScores scores, int threads) {
        return with_kernel_scores(scores, threads, [&](const auto& s) {
          auto groups = [&] {
            nb::gil_scoped_release nogil;
            return unless_nan(group_scores(labels.data(), s.data(), s.size(), threads));
          }();
          return nb::make_tuple(to_numpy(s.restored(std::move(groups.scores))), to_numpy(std::move(groups.pos)),
                                to_numpy(std::move(groups.neg)));
        });
      },
      nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "threads"_a);

  m.def(
      "group_weighted",
      [](Labels labels, AnyScores scores, Input<double> weights, int threads) {
        return with_kernel_scores(scores, threads, [&](const auto& s) {
          auto groups = [&] {
            nb::gil_scoped_release nogil;
            return unless_nan(group_weighted(labels.data(), s.data(), weights.data(), s.size(), threads));
          }();
          return nb::make_tuple(to_numpy(s.restored(std::move(groups.scores))), to_numpy(std::move(groups.pos)),
                                to_numpy(std::move(groups.neg)), to_numpy(std::move(groups.pos_squared)),
                                to_numpy(std::move(groups.neg_squared)));
        });
      },
      nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").noconvert(), "threads"_a);

  m.def(
      "order_rows",
      [](AnyScores scores, int threads) {
        const bool few = scores.size() <= std::numeric_limits<std::uint32_t>::max();
        return few ? ordered_rows<std::uint32_t>(scores, threads) : ordered_rows<std::uint64_t>(scores, threads);
      },
      nb::arg("scores").noconvert(), "threads"_a);

  m.def(
      "auc_bounds",
      [](AnyScores scores, Counts pos, Counts neg, AnyScores unlabelled, Counts counts, std::int64_t least, std::int64_t most) {
        const AucBounds found = with_kernel_scores(scores, 1, true, [&]<class T>(const KernelScores<T>& s) {
          if (unlabelled.dtype() != nb::dtype<T>()) throw nb::type_error("labelled and unlabelled scores are of two types");
          const KernelScores<T> others(static_cast<const T*>(unlabelled.data()), unlabelled.size(), 1, true);
          nb::gil_scoped_release nogil;
          return auc_bounds(s.data(), pos.data(), neg.data(), s.size(), others.data(), counts.data(), others.size(), least, most);
        });
        return nb::make_tuple(found.low.auc, found.low.positives, found.high.auc, found.high.positives);
      },
      nb::arg("scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("unlabelled").noconvert(),
      nb::arg("counts").noconvert(), "least"_a, "most"_a);

  m.def(
      "summarize",
      [](AnyScores scores, Counts pos, Counts neg, int threads) {
        return summary_of(scores, GroupView<void, std::int64_t>{nullptr, pos.data(), neg.data(), nullptr, nullptr}, threads);
      },
      nb::arg("scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), "threads"_a);

  m.def(
      "summarize_weighted",
      [](AnyScores scores, Input<double> pos, Input<double> neg, Input<double> pos_squared, Input<double> neg_squared,
         std::uint64_t n_pos, std::uint64_t n_neg, int threads) {
        const GroupView<void, double> masses{nullptr, pos.data(), neg.data(), pos_squared.data(), neg_squared.data()};
        RangeSummary summary = summary_of(scores, masses, threads);
        summary.counts.pos = n_pos;
        summary.counts.neg = n_neg;
        return summary;
      },
      nb::arg("scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("pos_squared").noconvert(),
      nb::arg("neg_squared").noconvert(), "n_pos"_a, "n_neg"_a, "threads"_a);
}
