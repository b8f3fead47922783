// The Python face of the kernels: arrays in, arrays out. It converts and releases the GIL; it computes nothing.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstdint>
#include <cmath>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "roclab/archive.hpp"
#include "roclab/binary_labels.hpp"
#include "roclab/compressed_ranking.hpp"
#include "roclab/compressed_window.hpp"
#include "roclab/count_pairs.hpp"
#include "roclab/grouping.hpp"
#include "roclab/hinge_loss.hpp"
#include "roclab/logistic_loss.hpp"
#include "roclab/permutation.hpp"
#include "roclab/published_areas.hpp"
#include "roclab/range_summary.hpp"
#include "roclab/resampling.hpp"
#include "roclab/score_interval.hpp"
#include "roclab/scored_pairs.hpp"
#include "roclab/shifted_pairs.hpp"
#include "roclab/sliding_window.hpp"
#include "roclab/wilson_interval.hpp"
#include "stream_events.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Output = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

struct NanScore : std::exception {
  const char* what() const noexcept override { return "a score is NaN"; }
};

template <class Values>
auto to_numpy(Values&& values) {
  using Kept = std::remove_cvref_t<Values>;
  auto* kept = new Kept(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Kept*>(p); });
  return Output<typename Kept::value_type>(kept->data(), {kept->size()}, owner);
}

nb::int_ to_python(Wide value) {
  const nb::int_ high(static_cast<std::uint64_t>(value >> 64)), low(static_cast<std::uint64_t>(value));
  return nb::int_((high << nb::int_(64)) | low);
}

Wide from_python(const nb::int_& value) {
  const nb::int_ mask(~std::uint64_t{0});
  return (Wide(nb::cast<std::uint64_t>(value >> nb::int_(64))) << 64) | nb::cast<std::uint64_t>(value & mask);
}

template <class T>
const T* data_or_null(const std::optional<Input<T>>& values) {
  return values ? values->data() : nullptr;
}

template <class Result>
Result unless_nan(std::optional<Result>&& result) {
  if (!result) throw NanScore();
  return std::move(*result);
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

// None is one.
double weight_of(nb::handle weight) {
  if (weight.is_none()) return 1;
  const double value = PyFloat_AsDouble(weight.ptr());
  if (PyErr_Occurred() || !(std::isfinite(value) && value >= 0)) {
    PyErr_Clear();
    raise_input_error("sample_weight is " + shown(weight) + "; a finite number that is not negative is needed.");
  }
  return value;
}

template <class Contents>
nb::tuple groups_of(const Contents& contents) {
  Array<double> scores;
  Array<std::int64_t> pos, neg;
  contents.visit([&](double score, std::uint32_t p, std::uint32_t n) {
    scores.push_back(score);
    pos.push_back(p);
    neg.push_back(n);
  });
  return nb::make_tuple(to_numpy(std::move(scores)), to_numpy(std::move(pos)), to_numpy(std::move(neg)));
}
inline nb::tuple groups_of(const ScoreWeights& contents) {
  Array<double> columns[5];
  contents.visit([&](double score, std::uint32_t, std::uint32_t, double pos, double neg, double pos_sq, double neg_sq) {
    const double values[] = {score, pos, neg, pos_sq, neg_sq};
    for (int i = 0; i < 5; ++i) columns[i].push_back(values[i]);
  });
  return nb::make_tuple(to_numpy(std::move(columns[0])), to_numpy(std::move(columns[1])), to_numpy(std::move(columns[2])),
                        to_numpy(std::move(columns[3])), to_numpy(std::move(columns[4])));
}

template <class Saved>
nb::bytes saved(const Saved& state) {
  Writer to;
  state.save(to);
  return nb::bytes(to.bytes.data(), to.bytes.size());
}

nb::tuple to_tuple(const Standing& at) { return nb::make_tuple(at.pos_below, at.neg_below, at.pos_at, at.neg_at); }

void define_streaming(nb::module_& m) {
  nb::exception<BadBytes>(m, "BadBytes", PyExc_ValueError);

  nb::class_<ScoreCounts>(m, "ScoreCounts")
      .def(nb::init<>())
      .def("add", [](ScoreCounts& self, nb::handle label, nb::handle score) { self.add(read_finite_score(score), read_label(label)); },
           nb::arg("label").none(), nb::arg("score").none())
      .def("remove", [](ScoreCounts& self, nb::handle label, nb::handle score) {
        const bool positive = read_label(label);
        const double value = read_finite_score(score);
        if (!self.has(value, positive)) return false;
        self.remove(value, positive);
        return true;
      }, nb::arg("label").none(), nb::arg("score").none())
      .def("merge", [](ScoreCounts& self, const ScoreCounts& other) { self.merge(other); }, "other"_a)
      .def("add_many", [](ScoreCounts& self, Input<std::uint8_t> labels, Input<double> scores) {
        for (std::size_t i = 0; i < scores.size(); ++i) self.add(scores.data()[i], labels.data()[i]);
      }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert())
      .def("clear", &ScoreCounts::clear)
      .def_prop_ro("n_pos", &ScoreCounts::n_pos)
      .def_prop_ro("n_neg", &ScoreCounts::n_neg)
      .def_prop_ro("auc", &ScoreCounts::auc)
      .def_prop_ro("auc_variance", &ScoreCounts::auc_variance)
      .def("summarize", &ScoreCounts::summary)
      .def("standing", [](const ScoreCounts& self, double score) { return to_tuple(self.standing(score)); }, "score"_a)
      .def("score_at", &ScoreCounts::score_at, "rank"_a)
      .def("groups", [](const ScoreCounts& self) { return groups_of(self); })
      .def("save", &saved<ScoreCounts>)
      .def("load", [](ScoreCounts& self, nb::bytes data) {
        Reader from(data.c_str(), data.size());
        self.load(from);
        from.finish();
      }, "data"_a);

  nb::class_<ScoreWeights>(m, "ScoreWeights")
      .def(nb::init<>())
      .def("add", [](ScoreWeights& self, nb::handle label, nb::handle score, double weight) {
        self.add(read_finite_score(score), read_label(label), weight);
      }, nb::arg("label").none(), nb::arg("score").none(), "weight"_a)
      .def("remove", [](ScoreWeights& self, nb::handle label, nb::handle score, double weight) {
        const bool positive = read_label(label);
        const double value = read_finite_score(score);
        if (!self.has(value, positive)) return false;
        self.remove(value, positive, weight);
        return true;
      }, nb::arg("label").none(), nb::arg("score").none(), "weight"_a)
      .def("merge", [](ScoreWeights& self, const ScoreWeights& other) { self.merge(other); }, "other"_a)
      .def("scale", &ScoreWeights::scale, "exponent"_a)
      .def("clear", &ScoreWeights::clear)
      .def_prop_ro("n_pos", &ScoreWeights::n_pos)
      .def_prop_ro("n_neg", &ScoreWeights::n_neg)
      .def_prop_ro("auc", &ScoreWeights::auc)
      .def_prop_ro("auc_variance", &ScoreWeights::auc_variance)
      .def("summarize", [](ScoreWeights& self) { return self.summary(); })
      .def("standing", [](const ScoreWeights& self, double score) { return to_tuple(self.standing(score)); }, "score"_a)
      .def("score_at", &ScoreWeights::score_at, "rank"_a)
      .def("groups", [](const ScoreWeights& self) { return groups_of(self); })
      .def("save", &saved<ScoreWeights>)
      .def("load", [](ScoreWeights& self, nb::bytes data) {
        Reader from(data.c_str(), data.size());
        self.load(from);
        from.finish();
      }, "data"_a);

  nb::class_<SlidingWindow>(m, "SlidingWindow")
      .def(nb::init<std::uint64_t>(), "size"_a)
      .def("update", [](SlidingWindow& self, nb::handle y_true, nb::handle y_score, nb::handle sample_weight) {
        self.update(read_label(y_true), read_finite_score(y_score), weight_of(sample_weight));
      }, nb::arg("y_true").none(), nb::arg("y_score").none(), nb::arg("sample_weight").none() = nb::none())
      .def("slide", [](SlidingWindow& self, Input<std::uint8_t> labels, Input<double> scores, std::optional<Input<double>> weights, bool aucs) {
        Array<double> values(aucs ? scores.size() : 0);
        for (std::size_t i = 0; i < scores.size(); ++i) {
          self.update(labels.data()[i], scores.data()[i], weights ? weights->data()[i] : 1.0);
          if (aucs) values[i] = self.on_contents([](auto& contents) { return contents.auc(); });
        }
        return to_numpy(std::move(values));
      }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").noconvert().none(), "aucs"_a)
      .def("take_out", [](SlidingWindow& self, nb::handle y_true, nb::handle y_score) { return self.revert(read_label(y_true), read_finite_score(y_score)); },
           nb::arg("y_true").none(), nb::arg("y_score").none())
      .def("reset", &SlidingWindow::clear)
      .def("__len__", &SlidingWindow::size)
      .def_prop_ro("size", &SlidingWindow::capacity)
      .def_prop_ro("weighted", &SlidingWindow::weighted)
      .def_prop_ro("n_pos", [](SlidingWindow& self) { return self.on_contents([](auto& contents) { return contents.n_pos(); }); })
      .def_prop_ro("n_neg", [](SlidingWindow& self) { return self.on_contents([](auto& contents) { return contents.n_neg(); }); })
      .def_prop_ro("auc", [](SlidingWindow& self) { return self.on_contents([](auto& contents) { return contents.auc(); }); })
      .def_prop_ro("auc_variance", [](SlidingWindow& self) { return self.on_contents([](auto& contents) { return contents.auc_variance(); }); })
      .def("summarize", [](SlidingWindow& self) { return self.on_contents([](auto& contents) { return RangeSummary(contents.summary()); }); })
      .def("standing", [](SlidingWindow& self, double score) {
        return self.on_contents([&](auto& contents) { return to_tuple(contents.standing(score)); });
      }, "score"_a)
      .def("score_at", [](SlidingWindow& self, std::uint64_t rank) {
        return self.on_contents([&](auto& contents) { return contents.score_at(rank); });
      }, "rank"_a)
      .def("groups", [](SlidingWindow& self) { return self.on_contents([](auto& contents) { return groups_of(contents); }); })
      // An object of `kind` with the fields of the default interval, beside those that are known. A window may be asked at every
      // event, and a frozen dataclass that sets its fields one by one would cost more than all else.
      .def("default_interval", [](SlidingWindow& self, double z, nb::dict known, nb::type_object kind) {
        static PyObject* const kNames[] = {PyUnicode_InternFromString("value"), PyUnicode_InternFromString("low"),
                                           PyUnicode_InternFromString("high"), PyUnicode_InternFromString("standard_error"),
                                           PyUnicode_InternFromString("n_pos"), PyUnicode_InternFromString("n_neg")};
        nb::object fields = nb::steal(PyDict_Copy(known.ptr()));
        self.on_contents([&](auto& contents) {
          const double auc = contents.auc(), variance = contents.auc_variance();
          double pos = static_cast<double>(contents.n_pos()), neg = static_cast<double>(contents.n_neg());
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(contents)>, ScoreWeights>) {
            pos = contents.summary().effective_pos();
            neg = contents.summary().effective_neg();
          }
          const auto [low, high] = wilson_interval(auc, variance, pos, neg, z);
          const double numbers[] = {auc, low, high, std::sqrt(variance)};
          for (int i = 0; i < 4; ++i) PyDict_SetItem(fields.ptr(), kNames[i], nb::float_(numbers[i]).ptr());
          PyDict_SetItem(fields.ptr(), kNames[4], nb::int_(contents.n_pos()).ptr());
          PyDict_SetItem(fields.ptr(), kNames[5], nb::int_(contents.n_neg()).ptr());
        });
        nb::object interval = nb::steal(PyBaseObject_Type.tp_new(reinterpret_cast<PyTypeObject*>(kind.ptr()), nb::tuple().ptr(), nullptr));
        if (!interval.is_valid() || PyObject_GenericSetDict(interval.ptr(), fields.ptr(), nullptr) < 0) nb::raise_python_error();
        return interval;
      }, "z"_a, "known"_a, "kind"_a)
      .def("save", &saved<SlidingWindow>)
      .def("load", [](SlidingWindow& self, nb::bytes data) {
        Reader from(data.c_str(), data.size());
        self.load(from);
      }, "data"_a);
}

void define_compressed_window(nb::module_& m) {
  constexpr std::size_t kAtOnce = 4096;  // events between two chances for other threads
  nb::class_<CompressedWindow>(m, "CompressedWindow")
      .def(nb::init<std::size_t, double, bool>(), "size"_a, "eps"_a, "flipped"_a)
      .def("update", [](CompressedWindow& self, nb::handle y_true, nb::handle y_score, nb::handle sample_weight) {
        if (!sample_weight.is_none())
          raise_input_error("This window counts events and takes no sample_weight. For weighted data see compressed_ranking.");
        const bool positive = read_label(y_true);
        self.update(positive, read_finite_score(y_score));
      }, nb::arg("y_true").none(), nb::arg("y_score").none(), "sample_weight"_a = nb::none(),
         "Let one event in. If the window is full, the oldest goes out first.\n\n"
         "O((log k) / eps) at worst. There are no weights here: `sample_weight` is refused.")
      .def("revert", [](CompressedWindow& self, nb::handle y_true, nb::handle y_score) {
        const bool positive = read_label(y_true);
        if (!self.revert(positive, read_finite_score(y_score)))
          raise_input_error("No event with label " + shown(y_true) + " and score " + shown(y_score) +
                            " is in the window. Revert what was passed to update and has not left since.");
      }, nb::arg("y_true").none(), nb::arg("y_score").none(),
         "Take out the oldest event with this label and score.\n\n"
         "Costs as much as an update, and a look through the events that are older than it.")
      .def("reset", &CompressedWindow::reset, "Forget all events.")
      .def_prop_ro("size", &CompressedWindow::size, "Events that the window holds.")
      .def_prop_ro("eps", &CompressedWindow::eps, "What the error bounds are made of.")
      .def_prop_ro("flipped", &CompressedWindow::flipped, "Whether the list of negatives is kept.")
      .def_prop_ro("n_pos", &CompressedWindow::n_pos, "Positive events in the window.")
      .def_prop_ro("n_neg", &CompressedWindow::n_neg, "Negative events in the window.")
      .def_prop_ro("auc", &CompressedWindow::auc,
                   "The paper's estimate: off by at most eps / 2 times the AUC; nan if a class is missing. O(compressed_size).")
      .def_prop_ro("auc_flipped", [](const CompressedWindow& self) {
        if (!self.flipped())
          raise_input_error("This window keeps no list of negatives, which this estimate is made of. Make it with flipped=True.");
        return self.auc_flipped();
      }, "The estimate with labels flipped: off by at most eps / 2 times 1 - AUC; nan if a class is missing.")
      .def_prop_ro("compressed_size", [](const CompressedWindow& self) { return self.list(true).size(); },
                   "Nodes in the compressed list, with its two sentinels.")
      .def("_bounds", [](const CompressedWindow& self) {
        const auto [low, high] = self.bounds();
        return std::pair(low, high);
      })
      .def("_extend", [](CompressedWindow& self, Input<std::uint8_t> labels, Input<double> scores, bool return_auc) -> nb::object {
        // With the GIL, so that one who reads meanwhile sees the window between two events.
        Array<double> values(return_auc ? scores.size() : 0);
        for (std::size_t i = 0; i < scores.size(); ++i) {
          self.update(labels.data()[i], scores.data()[i]);
          if (return_auc) values[i] = self.auc();
          if (i % kAtOnce == kAtOnce - 1) nb::gil_scoped_release others;
        }
        if (!return_auc) return nb::none();
        return nb::cast(to_numpy(std::move(values)));
      }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), "return_auc"_a)
      .def("__len__", &CompressedWindow::events)
      .def("_state", [](const CompressedWindow& self) {
        Array<std::uint8_t> labels;
        Array<double> scores, listed[2];
        self.each_event([&](bool positive, double score) {
          labels.push_back(positive);
          scores.push_back(score);
        });
        for (const bool c : {false, true})
          for (std::size_t i = 1; i + 1 < self.list(c).size(); ++i)
            listed[c].push_back(CompressedWindow::score_of(self.list(c).key(i)));
        return nb::make_tuple(to_numpy(std::move(labels)), to_numpy(std::move(scores)), to_numpy(std::move(listed[0])),
                              to_numpy(std::move(listed[1])));
      })
      .def("_groups", [](const CompressedWindow& self) {
        Array<double> scores;
        Array<std::int64_t> pos, neg;
        self.tree().each([&](Slot at) {
          const auto& node = self.tree()[at];
          scores.push_back(CompressedWindow::score_of(node.key));
          pos.push_back(node.count[1]);
          neg.push_back(node.count[0]);
        });
        return nb::make_tuple(to_numpy(std::move(scores)), to_numpy(std::move(pos)), to_numpy(std::move(neg)));
      })
      .def("_listed", [](const CompressedWindow& self, bool positive) {
        const CompressedList& list = self.list(positive);
        Array<double> scores;
        Array<std::int64_t> own, other;
        for (std::size_t i = 0; i < list.size(); ++i) {
          scores.push_back(CompressedWindow::score_of(list.key(i)));
          own.push_back(list.own_gap(i));
          other.push_back(list.other_gap(i));
        }
        return nb::make_tuple(to_numpy(std::move(scores)), to_numpy(std::move(own)), to_numpy(std::move(other)));
      }, "positive"_a)
      .def("_restore", [](CompressedWindow& self, Input<std::uint8_t> labels, Input<double> scores, Input<double> negatives,
                          Input<double> positives) {
        return self.restore(labels.data(), scores.data(), scores.size(),
                            {{{negatives.data(), negatives.size()}, {positives.data(), positives.size()}}});
      }, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("negatives").noconvert(),
         nb::arg("positives").noconvert())
      .def("_problem", [](const CompressedWindow& self) { return nb::str(self.problem().c_str()); });
  m.attr("MOST_EVENTS") = CompressedWindow::kMostEvents;

  m.def("compressed_places", [](Input<double> pos, double eps) {
    std::vector<std::int64_t> places;
    {
      nb::gil_scoped_release nogil;
      places = compressed_places(pos.data(), pos.size(), eps);
    }
    return to_numpy(std::move(places));
  }, nb::arg("pos").noconvert(), "eps"_a);
}

// A loss and the lock that lets one thread at a time sort its rows.
template <class Loss>
struct Guarded {
  Loss loss;
  std::mutex lock;
  template <class... Arguments>
  explicit Guarded(Arguments... arguments) : loss(arguments...) {}
};

template <class Loss, class Class>
void define_pair_loss(Class& loss) {
  loss.def("evaluate", [](Guarded<Loss>& self, Input<double> scores, bool gradient, bool curvature, int threads) {
        Array<double> slopes(gradient ? scores.size() : 0), bends(curvature ? scores.size() : 0);
        double value;
        {
          nb::gil_scoped_release nogil;
          const std::lock_guard alone(self.lock);
          value = self.loss.evaluate(scores.data(), threads, {gradient ? slopes.data() : nullptr, curvature ? bends.data() : nullptr});
        }
        return nb::make_tuple(value, to_numpy(std::move(slopes)), to_numpy(std::move(bends)));
      }, nb::arg("scores").noconvert(), "gradient"_a, "curvature"_a, "threads"_a)
      .def("hessian_product", [](Guarded<Loss>& self, Input<double> vector, int threads) {
        Array<double> product(vector.size());
        {
          nb::gil_scoped_release nogil;
          const std::lock_guard alone(self.lock);
          self.loss.hessian_product(vector.data(), threads, product.data());
        }
        return to_numpy(std::move(product));
      }, nb::arg("vector").noconvert(), "threads"_a);
}

void define_pair_losses(nb::module_& m) {
  nb::class_<Guarded<HingeLoss>> hinge(m, "HingeLoss");
  hinge.def("__init__", [](Guarded<HingeLoss>* self, Input<std::uint8_t> labels, std::optional<Input<double>> weights, double gamma, int power) {
    new (self) Guarded<HingeLoss>(labels.data(), data_or_null(weights), labels.size(), gamma, power);
  }, nb::arg("labels").noconvert(), nb::arg("weights").noconvert().none(), "gamma"_a, "power"_a);
  define_pair_loss<HingeLoss>(hinge);

  nb::class_<Guarded<LogisticLoss>> logistic(m, "LogisticLoss");
  logistic.def("__init__", [](Guarded<LogisticLoss>* self, Input<std::uint8_t> labels, std::optional<Input<double>> weights, double gamma) {
    new (self) Guarded<LogisticLoss>(labels.data(), data_or_null(weights), labels.size(), gamma);
  }, nb::arg("labels").noconvert(), nb::arg("weights").noconvert().none(), "gamma"_a);
  define_pair_loss<LogisticLoss>(logistic);
}

}  // namespace

NB_MODULE(_native, m) {
  nb::exception<NanScore>(m, "NanScore", PyExc_ValueError);

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

  define_resampling(m);
  define_streaming(m);
  m.def("wilson_interval", &wilson_interval, "estimate"_a, "variance"_a, "pos"_a, "neg"_a, "z"_a);
  m.def("score_interval", &score_interval, "estimate"_a, "pos"_a, "neg"_a, "z"_a);
  m.def("newcombe_interval", &newcombe_interval, "estimate"_a, "pos"_a, "neg"_a, "z"_a);

  define_compressed_window(m);
  define_pair_losses(m);
}
