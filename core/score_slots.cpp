// Python bindings for counting rows by slot, which evaluates tables larger than memory.
#include "roclab/score_slots.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_errors.hpp"
#include "roclab/range_summary.hpp"
#include "roclab/slot_summary.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

void refuse_nan(bool fine) {
  if (!fine) throw NanScore();
}

// Groups are slots, with their numbers as scores. The squared weights of unweighted rows sum up to their count.
template <class Mass>
void define_summary(nb::module_& m) {
  m.def(
      "summarize_slots",
      [](Input<Mass> pos, Input<Mass> neg, Input<Mass> pos_squared, Input<Mass> neg_squared, std::uint64_t n_pos,
         std::uint64_t n_neg, int threads) {
        nb::gil_scoped_release nogil;
        std::vector<std::int64_t> slots(pos.size());
        std::iota(slots.begin(), slots.end(), 0);
        const GroupView<std::int64_t, Mass> groups{slots.data(), pos.data(), neg.data(), pos_squared.data(), neg_squared.data()};
        RangeSummary summary = summarize(groups, slots.size(), threads, false);
        summary.counts.pos = n_pos;
        summary.counts.neg = n_neg;
        return summary;
      },
      nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("pos_squared").noconvert(),
      nb::arg("neg_squared").noconvert(), "n_pos"_a, "n_neg"_a, "threads"_a);
}

template <class T, class Mass>
void define_scored_summary(nb::module_& m) {
  m.def(
      "summarize_scored_slots",
      [](Input<T> cuts, Input<Mass> pos, Input<Mass> neg, Input<Mass> pos_squared, Input<Mass> neg_squared, Input<double> linear,
         Input<double> sq_linear, Input<double> sq_square, bool rare_is_pos, double lowest, double highest, RangeSummary summary) {
        nb::gil_scoped_release nogil;
        auto copied = [](const Input<double>& sums) { return std::vector<double>(sums.data(), sums.data() + sums.size()); };
        const GapDistances gaps{copied(linear), copied(sq_linear), copied(sq_square)};
        const SlotMasses<Mass> masses{pos.data(), neg.data(), pos_squared.data(), neg_squared.data()};
        summary.scored = slot_scored_sums(cuts.data(), cuts.size(), masses, gaps, rare_is_pos);
        summary.lowest = lowest;
        summary.highest = highest;
        return summary;
      },
      nb::arg("cuts").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("pos_squared").noconvert(),
      nb::arg("neg_squared").noconvert(), nb::arg("linear").noconvert(), nb::arg("sq_linear").noconvert(),
      nb::arg("sq_square").noconvert(), "rare_is_pos"_a, "lowest"_a, "highest"_a, "summary"_a);
}

template <class T>
void define_for(nb::module_& m, const char* name) {
  using Counter = SlotCounter<T>;
  nb::class_<Counter>(m, name)
      .def(
          "add",
          [](Counter& self, Input<std::uint8_t> labels, Input<T> scores) {
            nb::gil_scoped_release nogil;
            refuse_nan(self.add(labels.data(), scores.data(), scores.size()));
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert())
      .def(
          "locate",
          [](Counter& self, Input<std::uint8_t> labels, Input<T> scores) {
            Array<std::uint32_t> found(scores.size());
            {
              nb::gil_scoped_release nogil;
              refuse_nan(self.locate(labels.data(), scores.data(), scores.size(), found.data()));
            }
            return to_numpy(std::move(found));
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert())
      .def(
          "add_weights",
          [](Counter& self, Input<std::uint8_t> labels, Input<T> scores, Input<double> weights) {
            nb::gil_scoped_release nogil;
            refuse_nan(self.add_weights(labels.data(), scores.data(), weights.data(), scores.size()));
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").noconvert())
      .def(
          "divide",
          [](Counter& self, Input<std::uint8_t> labels, Input<T> scores) {
            RowsByGap found;
            {
              nb::gil_scoped_release nogil;
              refuse_nan(self.divide(labels.data(), scores.data(), scores.size(), found));
            }
            return nb::make_tuple(to_numpy(std::move(found.order)), to_numpy(std::move(found.begin)));
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert())
      .def(
          "counts", [](Counter& self, bool positive) { return to_numpy(self.counts(positive)); }, "positive"_a)
      .def(
          "add_distances",
          [](Counter& self, Input<std::uint8_t> labels, Input<T> scores, std::optional<Input<double>> weights, bool of_negatives) {
            nb::gil_scoped_release nogil;
            refuse_nan(self.add_distances(labels.data(), scores.data(), data_or_null(weights), scores.size(), of_negatives));
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").none(), "of_negatives"_a)
      .def("distances",
           [](Counter& self) {
             auto copied = [](std::vector<double> sums) { return to_numpy(std::move(sums)); };
             const GapDistances& sums = self.distances();
             return nb::make_tuple(copied(sums.linear), copied(sums.sq_linear), copied(sums.sq_square));
           })
      .def("weights", [](Counter& self) {
        auto copied = [](std::vector<double> sums) { return to_numpy(std::move(sums)); };
        const SlotWeights& sums = self.weights();
        return nb::make_tuple(copied(sums.pos), copied(sums.neg), copied(sums.pos_sq), copied(sums.neg_sq));
      });

  m.def(
      "slot_counter", [](Input<T> cuts, int threads) { return Counter(cuts.data(), cuts.size(), threads); },
      nb::arg("cuts").noconvert(), "threads"_a);

  define_scored_summary<T, std::int64_t>(m);
  define_scored_summary<T, double>(m);
}

}  // namespace

void define_score_slots(nb::module_& m) {
  define_summary<std::int64_t>(m);
  define_summary<double>(m);
  define_for<double>(m, "SlotCounterFloat64");
  define_for<float>(m, "SlotCounterFloat32");
  define_for<std::int32_t>(m, "SlotCounterInt32");
  define_for<std::int64_t>(m, "SlotCounterInt64");
  define_for<std::uint64_t>(m, "SlotCounterUInt64");
}
