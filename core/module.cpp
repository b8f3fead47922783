// The Python face of the kernels: arrays in, arrays out. It converts and releases the GIL; it computes nothing.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstdint>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_errors.hpp"
#include "roclab/binary_labels.hpp"
#include "roclab/count_pairs.hpp"
#include "roclab/grouping.hpp"
#include "roclab/permutation.hpp"
#include "roclab/pooling.hpp"
#include "roclab/published_areas.hpp"
#include "roclab/range_summary.hpp"
#include "roclab/resampling.hpp"
#include "roclab/score_interval.hpp"
#include "roclab/scored_pairs.hpp"
#include "roclab/shifted_pairs.hpp"
#include "roclab/target.hpp"
#include "roclab/whole_products.hpp"
#include "roclab/wilson_interval.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

struct NanScore : std::exception {
  const char* what() const noexcept override { return "a score is NaN"; }
};

nb::int_ to_python(Wide value) {
  const nb::int_ high(static_cast<std::uint64_t>(value >> 64)), low(static_cast<std::uint64_t>(value));
  return nb::int_((high << nb::int_(64)) | low);
}

Wide from_python(const nb::int_& value) {
  const nb::int_ mask(~std::uint64_t{0});
  return (Wide(nb::cast<std::uint64_t>(value >> nb::int_(64))) << 64) | nb::cast<std::uint64_t>(value & mask);
}

template <class Result>
Result unless_nan(std::optional<Result>&& result) {
  if (!result) throw NanScore();
  return std::move(*result);
}

// Whether a signal, such as that of Ctrl-C, has raised an exception; only Python's main thread hears signals.
bool asked_to_end() {
  nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

bool fits_32_bits(std::size_t rows) { return rows <= std::numeric_limits<std::uint32_t>::max(); }

template <class T>
void define_for_scores(nb::module_& m) {
  m.def("count_pairs", [](Input<std::uint8_t> labels, Input<T> scores, bool moments, int threads) {
    nb::gil_scoped_release nogil;
    return unless_nan(count_pairs(labels.data(), scores.data(), scores.size(), moments, threads));
  }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "moments"_a, "threads"_a);

  m.def("scored_pairs", [](Input<std::uint8_t> labels, Input<T> scores, int threads) {
    nb::gil_scoped_release nogil;
    return unless_nan(scored_pairs(labels.data(), scores.data(), scores.size(), threads));
  }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "threads"_a);

  m.def("group_scores", [](Input<std::uint8_t> labels, Input<T> scores, int threads) {
    Groups<T> groups;
    {
      nb::gil_scoped_release nogil;
      groups = unless_nan(group_scores(labels.data(), scores.data(), scores.size(), threads));
    }
    return nb::make_tuple(to_numpy(std::move(groups.scores)), to_numpy(std::move(groups.pos)), to_numpy(std::move(groups.neg)));
  }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "threads"_a);

  m.def("group_weighted", [](Input<std::uint8_t> labels, Input<T> scores, Input<double> weights, int threads) {
    WeightedGroups<T> groups;
    {
      nb::gil_scoped_release nogil;
      const std::size_t n = scores.size();
      groups = unless_nan(fits_32_bits(n)
                              ? group_weighted<std::uint32_t>(labels.data(), scores.data(), weights.data(), n, threads)
                              : group_weighted<std::uint64_t>(labels.data(), scores.data(), weights.data(), n, threads));
    }
    return nb::make_tuple(to_numpy(std::move(groups.scores)), to_numpy(std::move(groups.pos)), to_numpy(std::move(groups.neg)),
                          to_numpy(std::move(groups.pos_squared)), to_numpy(std::move(groups.neg_squared)));
  }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").noconvert(), "threads"_a);

  m.def("order_rows", [](Input<T> scores, int threads) {
    auto run = [&]<class Row>(Row) -> nb::object {
      Array<Row> rows;
      {
        nb::gil_scoped_release nogil;
        rows = unless_nan(order_rows<Row>(scores.data(), scores.size(), threads));
      }
      return nb::cast(to_numpy(std::move(rows)));
    };
    return fits_32_bits(scores.size()) ? run(std::uint32_t{}) : run(std::uint64_t{});
  }, nb::arg("scores").noconvert(), "threads"_a);

  m.def("summarize", [](Input<T> scores, Input<std::int64_t> pos, Input<std::int64_t> neg, int threads) {
    nb::gil_scoped_release nogil;
    return summarize(GroupView<T, std::int64_t>{scores.data(), pos.data(), neg.data(), nullptr, nullptr}, scores.size(), threads);
  }, nb::arg("scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), "threads"_a);

  m.def("summarize_weighted", [](Input<T> scores, Input<double> pos, Input<double> neg, Input<double> pos_squared,
                                 Input<double> neg_squared, std::uint64_t n_pos, std::uint64_t n_neg, int threads) {
    nb::gil_scoped_release nogil;
    const GroupView<T, double> groups{scores.data(), pos.data(), neg.data(), pos_squared.data(), neg_squared.data()};
    RangeSummary summary = summarize(groups, scores.size(), threads);
    summary.counts.pos = n_pos;
    summary.counts.neg = n_neg;
    return summary;
  }, nb::arg("scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("pos_squared").noconvert(),
     nb::arg("neg_squared").noconvert(), "n_pos"_a, "n_neg"_a, "threads"_a);
}

template <class T, class Mass>
void define_shifted_wins(nb::module_& m) {
  m.def("shifted_wins", [](Input<T> pos_scores, Input<Mass> pos, Input<T> neg_scores, Input<Mass> neg, Input<T> shifts, bool exact,
                           bool strict, int threads) {
    const TieRule rule = !exact ? TieRule::rounded : strict ? TieRule::exact_strict : TieRule::exact;
    std::vector<Mass> wins;
    {
      nb::gil_scoped_release nogil;
      wins = shifted_wins(ClassView<T, Mass>{pos_scores.data(), pos.data(), pos.size()},
                          ClassView<T, Mass>{neg_scores.data(), neg.data(), neg.size()}, shifts.data(), shifts.size(), rule, threads);
    }
    return to_numpy(std::move(wins));
  }, nb::arg("pos_scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg_scores").noconvert(), nb::arg("neg").noconvert(),
     nb::arg("shifts").noconvert(), "exact"_a, "strict"_a, "threads"_a);
}

template <class T>
void define_published_areas(nb::module_& m) {
  m.def("published_areas", [](Input<T> scores, Input<std::int64_t> pos, Input<std::int64_t> neg, Input<T> distances, int threads) {
    std::vector<double> low(distances.size()), up(distances.size());
    {
      nb::gil_scoped_release nogil;
      const auto areas = published_areas(scores.data(), pos.data(), neg.data(), scores.size(), distances.data(), distances.size(), threads);
      for (std::size_t i = 0; i < areas.size(); ++i) low[i] = areas[i].low, up[i] = areas[i].up;
    }
    return nb::make_tuple(to_numpy(std::move(low)), to_numpy(std::move(up)));
  }, nb::arg("scores").noconvert(), nb::arg("pos").noconvert(), nb::arg("neg").noconvert(), nb::arg("distances").noconvert(),
     "threads"_a);
}

template <class T>
void define_for_labels(nb::module_& m) {
  m.def("binary_labels", [](Input<T> values) {
    Array<std::uint8_t> labels(values.size());
    LabelValues seen;
    {
      nb::gil_scoped_release nogil;
      seen = binary_labels(values.data(), values.size(), labels.data());
    }
    return nb::make_tuple(to_numpy(std::move(labels)), seen.zero, seen.minus_one, seen.other);
  }, nb::arg("values").noconvert());
}

// The floating-point state of a summary, in the order in which it is stored.
constexpr std::size_t kReals = 31;
using Reals = std::array<double, kReals>;

template <class Summary, class Visit>
void visit_reals(Summary& s, Visit&& visit) {
  for (auto* field : {&s.losses.pos, &s.losses.neg, &s.losses.pos_sq, &s.losses.neg_sq, &s.losses.pos_cross,
                      &s.losses.neg_cross, &s.losses.losses, &s.losses.pos_loss,
                      &s.losses.neg_loss, &s.losses.pos_loss_sq, &s.losses.neg_loss_sq, &s.scored.origin, &s.scored.pos,
                      &s.scored.neg, &s.scored.pos_sq, &s.scored.neg_sq, &s.scored.pos_score, &s.scored.neg_score,
                      &s.scored.gain, &s.scored.pos_y, &s.scored.pos_yy, &s.scored.pos_a, &s.scored.pos_ay, &s.scored.pos_aa,
                      &s.scored.neg_x, &s.scored.neg_xx, &s.scored.neg_b, &s.scored.neg_bx, &s.scored.neg_bb, &s.lowest, &s.highest})
    visit(*field);
}

template <class Block, class T>
void define_pooling(nb::module_& m) {
  m.def("pool", [](Input<T> x, Input<T> y) {
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
    return nb::make_tuple(to_numpy(std::move(end)), to_numpy(std::move(across)), to_numpy(std::move(up)), to_numpy(std::move(excess)));
  }, nb::arg("x").noconvert(), nb::arg("y").noconvert());
}

void define_resampling(nb::module_& m) {
  using Groups = Input<std::uint32_t>;
  nb::class_<Resampler>(m, "Resampler")
      .def("__init__", [](Resampler* self, std::size_t n_pos, std::size_t n_neg, bool stratified, std::optional<Groups> clusters,
                          std::size_t n_clusters) {
        new (self) Resampler(n_pos, n_neg, stratified, data_or_null(clusters), n_clusters);
      }, "n_pos"_a, "n_neg"_a, "stratified"_a, nb::arg("clusters").noconvert().none(), "n_clusters"_a)
      .def("weigh", [](Resampler& self, Input<double> weights) { self.weigh(weights.data()); }, nb::arg("weights").noconvert())
      .def("add", [](Resampler& self, Groups groups, std::size_t n_groups, std::optional<Input<double>> scores) {
        nb::gil_scoped_release nogil;
        self.add(groups.data(), n_groups, data_or_null(scores));
      }, nb::arg("groups").noconvert(), "n_groups"_a, nb::arg("scores").noconvert().none())
      .def("add_curve", [](Resampler& self, Groups groups, std::size_t n_groups) {
        nb::gil_scoped_release nogil;
        self.add_curve(groups.data(), n_groups);
      }, nb::arg("groups").noconvert(), "n_groups"_a)
      .def("rates", [](const Resampler& self, std::uint64_t seed, std::uint64_t first, std::size_t count, int threads, double across,
                       double up, Input<double> places) {
        Array<double> rates(count * self.curves() * places.size());
        {
          nb::gil_scoped_release nogil;
          self.rates(seed, first, count, threads, Axis{across, up}, places.data(), places.size(), rates.data());
        }
        return to_numpy(std::move(rates));
      }, "seed"_a, "first"_a, "count"_a, "threads"_a, "across"_a, "up"_a, nb::arg("places").noconvert())
      .def("draw", [](const Resampler& self, std::uint64_t seed, std::uint64_t replicate) {
        Array<DrawCount> counts(self.rows());
        {
          nb::gil_scoped_release nogil;
          self.draw(seed, replicate, counts.data());
        }
        return to_numpy(std::move(counts));
      }, "seed"_a, "replicate"_a)
      .def("aucs", [](const Resampler& self, std::uint64_t seed, std::uint64_t first, std::size_t count, int threads) {
        Array<double> values(count * self.models());
        {
          nb::gil_scoped_release nogil;
          self.aucs(seed, first, count, threads, values.data());
        }
        return to_numpy(std::move(values));
      }, "seed"_a, "first"_a, "count"_a, "threads"_a)
      .def("out_of_bag", [](const Resampler& self, std::uint64_t seed, std::uint64_t first, Groups chosen, int threads) {
        Array<double> values(chosen.size());
        {
          nb::gil_scoped_release nogil;
          self.out_of_bag(seed, first, chosen.size(), threads, chosen.data(), values.data());
        }
        return to_numpy(std::move(values));
      }, "seed"_a, "first"_a, nb::arg("chosen").noconvert(), "threads"_a)
      .def("moments", [](const Resampler& self, std::uint64_t seed, std::uint64_t first, std::size_t count, int threads) {
        std::vector<Replicate> replicates(count * self.models());
        Array<double> values(replicates.size()), variances(replicates.size());
        {
          nb::gil_scoped_release nogil;
          self.moments(seed, first, count, threads, replicates.data());
          for (std::size_t i = 0; i < replicates.size(); ++i) {
            values[i] = replicates[i].value;
            variances[i] = replicates[i].variance;
          }
        }
        return nb::make_tuple(to_numpy(std::move(values)), to_numpy(std::move(variances)));
      }, "seed"_a, "first"_a, "count"_a, "threads"_a);

  nb::enum_<Exchange>(m, "Exchange")
      .value("labels", Exchange::labels)
      .value("columns", Exchange::columns)
      .value("pairs", Exchange::pairs);
  nb::class_<Permuter>(m, "Permuter")
      .def("__init__", [](Permuter* self, Exchange exchange, Input<std::uint8_t> positive, Input<std::uint8_t> column,
                          std::optional<Groups> example, Input<std::uint8_t> ends, std::size_t n_examples) {
        new (self) Permuter(exchange, positive.data(), column.data(), data_or_null(example), ends.data(), ends.size(), n_examples);
      }, "exchange"_a, nb::arg("positive").noconvert(), nb::arg("column").noconvert(), nb::arg("example").noconvert().none(),
         nb::arg("ends").noconvert(), "n_examples"_a)
      .def("differences", [](const Permuter& self, std::uint64_t seed, std::uint64_t first, std::size_t count, int threads) {
        Array<double> values(count);
        {
          nb::gil_scoped_release nogil;
          self.differences(seed, first, count, threads, values.data());
        }
        return to_numpy(std::move(values));
      }, "seed"_a, "first"_a, "count"_a, "threads"_a);
}

}  // namespace

NB_MODULE(_native, m) {
  nb::exception<NanScore>(m, "NanScore", PyExc_ValueError);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Interrupted&) {
      // What the signal's handler has raised is set already.
    } catch (const TooManyExamples& error) {
      PyErr_SetString(input_error, error.what());
    }
  });
  ask_while_working(asked_to_end);
  m.def("register_input_error", [](nb::object type) { input_error = type.release().ptr(); }, "type"_a);

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
      .def_prop_ro("effective_pos", &RangeSummary::effective_pos)
      .def_prop_ro("effective_neg", &RangeSummary::effective_neg)
      .def("join", [](const RangeSummary& low, const RangeSummary& high) { return join(low, high); }, "high"_a)
      .def("reals", [](const RangeSummary& summary) {
        Reals reals;
        std::size_t i = 0;
        visit_reals(summary, [&](double value) { reals[i++] = value; });
        return reals;
      })
      .def_static("restore", [](bool weighted, std::uint64_t pos, std::uint64_t neg, nb::int_ twice_wins, nb::int_ pos_moment,
                                nb::int_ neg_moment, const Reals& reals) {
        RangeSummary summary;
        summary.weighted = weighted;
        summary.counts = {pos, neg, from_python(twice_wins), from_python(pos_moment), from_python(neg_moment)};
        std::size_t i = 0;
        visit_reals(summary, [&](double& value) { value = reals[i++]; });
        return summary;
      }, "weighted"_a, "pos"_a, "neg"_a, "twice_wins"_a, "pos_moment"_a, "neg_moment"_a, "reals"_a);
  m.attr("REALS") = kReals;

  define_for_scores<double>(m);
  define_for_scores<float>(m);
  define_for_scores<std::int32_t>(m);
  define_for_scores<std::int64_t>(m);
  define_for_scores<std::uint64_t>(m);
  define_shifted_wins<double, std::int64_t>(m);
  define_shifted_wins<double, double>(m);
  define_shifted_wins<std::int64_t, std::int64_t>(m);
  define_shifted_wins<std::int64_t, double>(m);
  define_published_areas<double>(m);
  define_published_areas<std::int64_t>(m);
  define_for_labels<std::uint8_t>(m);
  define_for_labels<std::int8_t>(m);
  define_for_labels<std::int32_t>(m);
  define_for_labels<std::int64_t>(m);
  define_for_labels<std::uint64_t>(m);
  define_for_labels<float>(m);
  define_for_labels<double>(m);
  m.attr("AVX2") = has_avx2();
  m.def("whole_products", [](nb::ndarray<const double, nb::ndim<2>, nb::device::cpu> rows, int threads) {
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
  }, nb::arg("rows").noconvert(), "threads"_a);

  define_pooling<CountedBlock, std::int64_t>(m);
  define_pooling<WeighedBlock, double>(m);
  define_resampling(m);
  m.def("wilson_interval", &wilson_interval, "estimate"_a, "variance"_a, "pos"_a, "neg"_a, "z"_a);
  m.def("score_interval", &score_interval, "estimate"_a, "pos"_a, "neg"_a, "z"_a);
  m.def("newcombe_interval", &newcombe_interval, "estimate"_a, "pos"_a, "neg"_a, "z"_a);
  define_auc_split(m);
  define_event_windows(m);
  define_compressed_window(m);
  define_learning(m);
}
