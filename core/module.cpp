// The Python module. Its files convert arguments and results, and compute nothing. Passes over rows release the GIL; windows over a
// stream hold it. The files of modules.hpp bind what takes long to compile, this one binds the rest.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_errors.hpp"
#include "roclab/binary_labels.hpp"
#include "roclab/mover.hpp"
#include "roclab/pair_counts.hpp"
#include "roclab/parallel.hpp"
#include "roclab/pooling.hpp"
#include "roclab/range_summary.hpp"
#include "roclab/score_interval.hpp"
#include "roclab/scored_pairs.hpp"
#include "roclab/segment_pairs.hpp"
#include "roclab/target.hpp"
#include "roclab/weight_limits.hpp"
#include "roclab/whole_products.hpp"
#include "roclab/wilson_interval.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

nb::int_ to_python(Wide value) {
  const nb::int_ high(static_cast<std::uint64_t>(value >> 64)), low(static_cast<std::uint64_t>(value));
  return nb::int_((high << nb::int_(64)) | low);
}

Wide from_python(const nb::int_& value) {
  const nb::int_ mask(~std::uint64_t{0});
  return (Wide(nb::cast<std::uint64_t>(value >> nb::int_(64))) << 64) | nb::cast<std::uint64_t>(value & mask);
}

// Whether a signal, such as that of Ctrl-C, has raised an exception; only Python's main thread receives signals.
bool interrupted() {
  nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

template <class T>
void define_for_labels(nb::module_& m) {
  m.def(
      "binary_labels",
      [](Input<T> values) {
        Array<std::uint8_t> labels(values.size());
        LabelValues seen;
        {
          nb::gil_scoped_release nogil;
          seen = binary_labels(values.data(), values.size(), labels.data());
        }
        return nb::make_tuple(to_numpy(std::move(labels)), seen.zero, seen.minus_one, seen.other);
      },
      nb::arg("values").noconvert());
}

// The floating-point state of a summary, in the order in which it is stored.
constexpr std::size_t kReals = 32;
using Reals = std::array<double, kReals>;

template <class Summary, class Visit>
void visit_reals(Summary& s, Visit&& visit) {
  for (auto* field : {&s.losses.pos,
                      &s.losses.neg,
                      &s.losses.pos_sq,
                      &s.losses.neg_sq,
                      &s.losses.pos_cross,
                      &s.losses.neg_cross,
                      &s.losses.losses,
                      &s.losses.pos_loss,
                      &s.losses.neg_loss,
                      &s.losses.pos_loss_sq,
                      &s.losses.neg_loss_sq,
                      &s.scored.origin,
                      &s.scored.pos,
                      &s.scored.neg,
                      &s.scored.pos_sq,
                      &s.scored.neg_sq,
                      &s.scored.pos_score,
                      &s.scored.neg_score,
                      &s.scored.gain,
                      &s.scored.pos_y,
                      &s.scored.pos_yy,
                      &s.scored.pos_a,
                      &s.scored.pos_ay,
                      &s.scored.pos_aa,
                      &s.scored.neg_x,
                      &s.scored.neg_xx,
                      &s.scored.neg_b,
                      &s.scored.neg_bx,
                      &s.scored.neg_bb,
                      &s.lowest,
                      &s.highest,
                      &s.tied})
    visit(*field);
}

template <class Block, class T>
void define_pooling(nb::module_& m) {
  m.def(
      "pool",
      [](Input<T> x, Input<T> y) {
        std::vector<Block> blocks;
        {
          nb::gil_scoped_release nogil;
          blocks = pooled<Block>(x.data(), y.data(), x.size());
        }
        auto plain = [](const auto& value) -> T {
          if constexpr (std::is_same_v<T, double>) return value.value;
          else return value;
        };
        Array<std::int64_t> end(blocks.size());
        Array<T> across(blocks.size()), up(blocks.size()), excess(blocks.size());
        for (std::size_t i = 0; i < blocks.size(); ++i) {
          end[i] = blocks[i].end;
          across[i] = plain(blocks[i].x);
          up[i] = plain(blocks[i].y);
          excess[i] = plain(blocks[i].excess);
        }
        return nb::make_tuple(to_numpy(std::move(end)), to_numpy(std::move(across)), to_numpy(std::move(up)),
                              to_numpy(std::move(excess)));
      },
      nb::arg("x").noconvert(), nb::arg("y").noconvert());
}

template <class Row>
void define_segments(nb::module_& m) {
  auto rows = [](const Input<Row>& order, const Input<std::int64_t>& starts, const Input<std::uint8_t>& labels,
                 const Input<std::uint32_t>& segments, std::size_t count) {
    return SegmentedRows<Row>{order.data(), starts.data(), starts.size(), order.size(), labels.data(), segments.data(), count};
  };
  m.def(
      "segment_wins",
      [=](Input<Row> order, Input<std::int64_t> starts, Input<std::uint8_t> labels, Input<std::uint32_t> segments,
          std::size_t count) {
        std::vector<std::int64_t> wins(count * count);
        {
          nb::gil_scoped_release nogil;
          segment_wins(rows(order, starts, labels, segments, count), wins.data());
        }
        return to_numpy(std::move(wins));
      },
      nb::arg("order").noconvert(), nb::arg("starts").noconvert(), nb::arg("labels").noconvert(), nb::arg("segments").noconvert(),
      "count"_a);
  m.def(
      "segment_sums",
      [=](Input<Row> order, Input<std::int64_t> starts, Input<std::uint8_t> labels, Input<std::uint32_t> segments,
          std::size_t count, Input<double> of_pos, Input<double> of_neg) {
        Array<double> sums(order.size());
        {
          nb::gil_scoped_release nogil;
          segment_sums(rows(order, starts, labels, segments, count), of_pos.data(), of_neg.data(), sums.data());
        }
        return to_numpy(std::move(sums));
      },
      nb::arg("order").noconvert(), nb::arg("starts").noconvert(), nb::arg("labels").noconvert(), nb::arg("segments").noconvert(),
      "count"_a, nb::arg("of_pos").noconvert(), nb::arg("of_neg").noconvert());
}

}  // namespace

NB_MODULE(_native, m) {
  nb::exception<NanScore>(m, "NanScore", PyExc_ValueError);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Interrupted&) {
      // The handler of the signal has already set its exception.
    } catch (const TooManyEvents&) {
      set_refusal("too many events");
    } catch (const TooManyExamples&) {
      set_refusal("too many examples");
    }
  });
  ask_while_working(interrupted);
  m.def("register_refusal", [](nb::object make) { refusal = make.release().ptr(); }, "make"_a);

  nb::class_<PairCounts>(m, "PairCounts")
      .def_ro("pos", &PairCounts::pos)
      .def_ro("neg", &PairCounts::neg)
      .def_prop_ro("twice_wins", [](const PairCounts& c) { return to_python(c.twice_wins); })
      .def_prop_ro("pos_moment", [](const PairCounts& c) { return to_python(c.pos_moment); })
      .def_prop_ro("neg_moment", [](const PairCounts& c) { return to_python(c.neg_moment); })
      .def_prop_ro("auc", &PairCounts::auc)
      .def_prop_ro("auc_variance", &PairCounts::auc_variance);

  nb::class_<ScoredPairs>(m, "ScoredPairs")
      .def_ro("pos", &ScoredPairs::pos)
      .def_ro("neg", &ScoredPairs::neg)
      .def_prop_ro("scored_auc", &ScoredPairs::scored_auc)
      .def_prop_ro("scored_auc_variance", &ScoredPairs::scored_auc_variance);

  nb::class_<RangeSummary>(m, "RangeSummary")
      .def(nb::init<>())
      .def_ro("weighted", &RangeSummary::weighted)
      .def_ro("counts", &RangeSummary::counts)
      .def_ro("lowest", &RangeSummary::lowest)
      .def_ro("highest", &RangeSummary::highest)
      .def_prop_ro("auc", &RangeSummary::auc)
      .def_prop_ro("auc_variance", &RangeSummary::auc_variance)
      .def_prop_ro("scored_auc", &RangeSummary::scored_auc)
      .def_prop_ro("scored_auc_variance", &RangeSummary::scored_auc_variance)
      .def_prop_ro("tie_share", &RangeSummary::tie_share)
      .def_prop_ro("effective_pos", &RangeSummary::effective_pos)
      .def_prop_ro("effective_neg", &RangeSummary::effective_neg)
      .def(
          "join", [](const RangeSummary& low, const RangeSummary& high) { return join(low, high); }, "high"_a)
      .def("reals",
           [](const RangeSummary& summary) {
             Reals reals;
             std::size_t i = 0;
             visit_reals(summary, [&](double value) { reals[i++] = value; });
             return reals;
           })
      .def_static(
          "restore",
          [](bool weighted, std::uint64_t pos, std::uint64_t neg, nb::int_ twice_wins, nb::int_ pos_moment, nb::int_ neg_moment,
             const Reals& reals) {
            RangeSummary summary;
            summary.weighted = weighted;
            summary.counts = {pos, neg, from_python(twice_wins), from_python(pos_moment), from_python(neg_moment)};
            std::size_t i = 0;
            visit_reals(summary, [&](double& value) { value = reals[i++]; });
            return summary;
          },
          "weighted"_a, "pos"_a, "neg"_a, "twice_wins"_a, "pos_moment"_a, "neg_moment"_a, "reals"_a);
  m.attr("REALS") = kReals;
  m.attr("SMALLEST_WEIGHT") = kSmallestWeight;
  m.attr("LARGEST_WEIGHT") = kLargestWeight;
  m.attr("WEIGHT_SLACK") = kWeightSlack;

  define_scores(m);
  define_shifted_pairs(m);
  define_score_slots(m);
  define_grouped_scores(m);
  define_for_labels<std::uint8_t>(m);
  define_for_labels<std::int8_t>(m);
  define_for_labels<std::int32_t>(m);
  define_for_labels<std::int64_t>(m);
  define_for_labels<std::uint64_t>(m);
  define_for_labels<float>(m);
  define_for_labels<double>(m);
  m.attr("AVX2") = has_avx2();
  m.def(
      "whole_products",
      [](nb::ndarray<const double, nb::ndim<2>, nb::device::cpu> rows, int threads) {
        std::vector<SignedWide> products;
        {
          nb::gil_scoped_release release;
          products = whole_products({rows.data(), rows.shape(0), rows.shape(1), static_cast<std::size_t>(rows.stride(0))}, threads);
        }
        std::vector<std::int64_t> high(products.size());
        std::vector<std::uint64_t> low(products.size());
        for (std::size_t k = 0; k < products.size(); ++k) {
          high[k] = static_cast<std::int64_t>(products[k] >> 64);
          low[k] = static_cast<std::uint64_t>(products[k]);
        }
        return std::pair(to_numpy(std::move(high)), to_numpy(std::move(low)));
      },
      nb::arg("rows").noconvert(), "threads"_a);

  define_pooling<CountedBlock, std::int64_t>(m);
  define_pooling<WeighedBlock, double>(m);
  define_resampling(m);
  define_segments<std::uint32_t>(m);
  define_segments<std::uint64_t>(m);
  m.def("test_dispersion", &test_dispersion, "estimate"_a, "variance"_a, "pos"_a, "neg"_a, "pair_correlation"_a);
  m.def("auc_limits", &auc_limits, "value"_a, "spread"_a, "z"_a, "weight"_a);
  nb::class_<Mover>(m, "Mover")
      .def(
          "__init__",
          [](Mover* self, double first, double first_spread, double second, double second_spread, double weight, double ratio) {
            new (self) Mover{first, first_spread, second, second_spread, weight, ratio};
          },
          "first"_a, "first_spread"_a, "second"_a, "second_spread"_a, "weight"_a, "ratio"_a)
      .def("limits", &Mover::limits, "z"_a)
      .def("statistic", &Mover::statistic, "null"_a);
  m.def("wilson_interval", &wilson_interval, "estimate"_a, "variance"_a, "pos"_a, "neg"_a, "z"_a);
  m.def("score_interval", &score_interval, "estimate"_a, "pos"_a, "neg"_a, "z"_a);
  m.def("newcombe_interval", &newcombe_interval, "estimate"_a, "pos"_a, "neg"_a, "z"_a);
  define_auc_split(m);
  define_event_windows(m);
  define_compressed_window(m);
  define_learning(m);
}
