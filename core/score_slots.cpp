// Python bindings for counting rows by slot, which evaluates tables larger than memory.
#include "roclab/score_slots.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_scores.hpp"
#include "roclab/range_summary.hpp"
#include "roclab/slot_summary.hpp"
#include "score_kernels.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

// Groups are slots, with their numbers as scores. The squared weights of unweighted rows sum up to their count.
template <class Mass>
void define_summary(nb::module_& m) {
  m.def(
      "summarize_slots",
      [](Input<Mass> pos, Input<Mass> neg, Input<Mass> pos_squared, Input<Mass> neg_squared, std::uint64_t n_pos,
         std::uint64_t n_neg, int threads) {
        nb::gil_scoped_release nogil;
        std::vector<double> slots(pos.size());
        std::iota(slots.begin(), slots.end(), 0);
        const GroupView<double, Mass> groups{slots.data(), pos.data(), neg.data(), pos_squared.data(), neg_squared.data()};
        RangeSummary summary = summarize_from(std::nullopt, groups, slots.size(), threads);
        summary.counts.pos = n_pos;
        summary.counts.neg = n_neg;
        return summary;
      },
      nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("pos_squared").noconvert(),
      nb::arg("neg_squared").noconvert(), "n_pos"_a, "n_neg"_a, "threads"_a);
}

template <class Mass>
void define_scored_summary(nb::module_& m) {
  m.def(
      "summarize_scored_slots",
      [](AnyScores cuts, Input<Mass> pos, Input<Mass> neg, Input<Mass> pos_squared, Input<Mass> neg_squared, Input<double> linear,
         Input<double> sq_linear, Input<double> sq_square, bool rare_is_pos, double lowest, double highest, RangeSummary summary) {
        const std::vector<double> steps =
            with_kernel_scores(cuts, 1, [](const auto& values) { return steps_of(values.data(), values.size()); });
        nb::gil_scoped_release nogil;
        auto copied = [](const Input<double>& sums) { return std::vector<double>(sums.data(), sums.data() + sums.size()); };
        const GapDistances gaps{copied(linear), copied(sq_linear), copied(sq_square)};
        const SlotMasses<Mass> masses{pos.data(), neg.data(), pos_squared.data(), neg_squared.data()};
        summary.scored = slot_scored_sums(steps, masses, gaps, rare_is_pos);
        summary.lowest = lowest;
        summary.highest = highest;
        return summary;
      },
      nb::arg("cuts").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("pos_squared").noconvert(),
      nb::arg("neg_squared").noconvert(), nb::arg("linear").noconvert(), nb::arg("sq_linear").noconvert(),
      nb::arg("sq_square").noconvert(), "rare_is_pos"_a, "lowest"_a, "highest"_a, "summary"_a);
}

// Counts scores of one type, that of the cuts.
class AnySlotCounter {
 public:
  AnySlotCounter(const AnyScores& cuts, int threads) : type_(cuts.dtype()), threads_(threads) {
    with_kernel_scores(cuts, threads, true, [&](const auto& values) {
      counter_.emplace<SlotCounter<std::remove_cvref_t<decltype(*values.data())>>>(values.data(), values.size(), threads);
    });
  }

  // Calls use(counter, scores, number of scores) without the GIL; it returns false if a score is NaN.
  template <class Use>
  void read(const AnyScores& scores, Use&& use) {
    if (scores.dtype() != type_) throw nb::type_error("the scores are of another type than the cuts");
    with_kernel_scores(scores, threads_, true, [&](const auto& values) {
      using Counter = SlotCounter<std::remove_cvref_t<decltype(*values.data())>>;
      nb::gil_scoped_release nogil;
      refuse_nan(use(std::get<Counter>(counter_), values.data(), values.size()));
    });
  }

  template <class Use>
  nb::object result(Use&& use) {
    return std::visit(
        [&](auto& counter) -> nb::object {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(counter)>, std::monostate>) throw std::logic_error("no cuts");
          else return use(counter);
        },
        counter_);
  }

 private:
  nb::dlpack::dtype type_;
  int threads_;
  std::variant<std::monostate, SlotCounter<double>, SlotCounter<float>, SlotCounter<std::int64_t>> counter_;
};

void define_counter(nb::module_& m) {
  using Labels = Input<std::uint8_t>;
  nb::class_<AnySlotCounter>(m, "SlotCounter")
      .def(nb::init<AnyScores, int>(), nb::arg("cuts").noconvert(), "threads"_a)
      .def(
          "add",
          [](AnySlotCounter& self, Labels labels, AnyScores scores) {
            self.read(scores, [&](auto& counter, auto* first, std::size_t n) { return counter.add(labels.data(), first, n); });
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert())
      .def(
          "locate",
          [](AnySlotCounter& self, Labels labels, AnyScores scores) {
            Array<std::uint32_t> found(scores.size());
            self.read(scores, [&](auto& counter, auto* first, std::size_t n) {
              return counter.locate(labels.data(), first, n, found.data());
            });
            return to_numpy(std::move(found));
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert())
      .def(
          "add_weights",
          [](AnySlotCounter& self, Labels labels, AnyScores scores, Input<double> weights) {
            self.read(scores, [&](auto& counter, auto* first, std::size_t n) {
              return counter.add_weights(labels.data(), first, weights.data(), n);
            });
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").noconvert())
      .def(
          "divide",
          [](AnySlotCounter& self, Labels labels, AnyScores scores) {
            RowsByGap found;
            self.read(scores,
                      [&](auto& counter, auto* first, std::size_t n) { return counter.divide(labels.data(), first, n, found); });
            return nb::make_tuple(to_numpy(std::move(found.order)), to_numpy(std::move(found.begin)));
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert())
      .def(
          "counts",
          [](AnySlotCounter& self, bool positive) {
            return self.result([&](auto& counter) { return nb::cast(to_numpy(counter.counts(positive))); });
          },
          "positive"_a)
      .def(
          "add_distances",
          [](AnySlotCounter& self, Labels labels, AnyScores scores, std::optional<Input<double>> weights, bool of_negatives) {
            self.read(scores, [&](auto& counter, auto* first, std::size_t n) {
              return counter.add_distances(labels.data(), first, data_or_null(weights), n, of_negatives);
            });
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").none(), "of_negatives"_a)
      .def("distances",
           [](AnySlotCounter& self) {
             auto copied = [](std::vector<double> sums) { return to_numpy(std::move(sums)); };
             return self.result([&](auto& counter) {
               const GapDistances& sums = counter.distances();
               return nb::make_tuple(copied(sums.linear), copied(sums.sq_linear), copied(sums.sq_square));
             });
           })
      .def("weights", [](AnySlotCounter& self) {
        auto copied = [](std::vector<double> sums) { return to_numpy(std::move(sums)); };
        return self.result([&](auto& counter) {
          const SlotWeights& sums = counter.weights();
          return nb::make_tuple(copied(sums.pos), copied(sums.neg), copied(sums.pos_sq), copied(sums.neg_sq));
        });
      });
}

}  // namespace

void define_score_slots(nb::module_& m) {
  define_summary<std::int64_t>(m);
  define_summary<double>(m);
  define_scored_summary<std::int64_t>(m);
  define_scored_summary<double>(m);
  define_counter(m);
}
