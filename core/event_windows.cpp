// Python bindings for windows over a stream of events.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "event_methods.hpp"
#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_bytes.hpp"
#include "roclab/array.hpp"
#include "roclab/cumulative_scores.hpp"
#include "roclab/decayed_window.hpp"
#include "roclab/sliding_window.hpp"
#include "roclab/time_window.hpp"
#include "roclab/wilson_interval.hpp"
#include "stream_events.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

// One thread may write while others read: each value is read in one call, which holds the GIL throughout.

// Scale of the stored weights of each class; 1 if they are stored as given.
struct Units {
  double pos = 1, neg = 1;
};
Units units_of(const EventScores&) { return {}; }
Units units_of(const DecayedWindow& window) { return {window.unit(true), window.unit(false)}; }

// Number of events of each class, distinct scores, mass of each class at each score and, with weights, sums of squared weights.
nb::tuple groups_of(const ScoreCounts& contents, Units) {
  Array<double> scores;
  Array<std::int64_t> pos, neg;
  contents.visit([&](double score, std::uint32_t p, std::uint32_t n) {
    scores.push_back(score);
    pos.push_back(p);
    neg.push_back(n);
  });
  return nb::make_tuple(contents.n_pos(), contents.n_neg(), to_numpy(std::move(scores)), to_numpy(std::move(pos)),
                        to_numpy(std::move(neg)));
}
nb::tuple groups_of(const ScoreWeights& contents, Units unit) {
  Array<double> columns[5];
  contents.visit([&](double score, std::uint32_t, std::uint32_t, double pos, double neg, double pos_sq, double neg_sq) {
    const double values[] = {score, pos * unit.pos, neg * unit.neg, pos_sq * (unit.pos * unit.pos), neg_sq * (unit.neg * unit.neg)};
    for (int i = 0; i < 5; ++i) columns[i].push_back(values[i]);
  });
  return nb::make_tuple(contents.n_pos(), contents.n_neg(), to_numpy(std::move(columns[0])), to_numpy(std::move(columns[1])),
                        to_numpy(std::move(columns[2])), to_numpy(std::move(columns[3])), to_numpy(std::move(columns[4])));
}

// True and false positives, true and false negatives, if scores at or above the threshold are predicted positive.
nb::tuple confusion_at(const ScoreCounts& contents, Units, double threshold) {
  const ScorePosition at = contents.position_of(threshold);
  return nb::make_tuple(static_cast<double>(contents.n_pos() - at.pos_below), static_cast<double>(contents.n_neg() - at.neg_below),
                        static_cast<double>(at.neg_below), static_cast<double>(at.pos_below));
}
nb::tuple confusion_at(const ScoreWeights& contents, Units unit, double threshold) {
  detail::RunningSum pos[2], neg[2];
  contents.visit([&](double score, std::uint32_t, std::uint32_t, double p, double n, double, double) {
    const bool called = score >= threshold;
    pos[called].add(p);
    neg[called].add(n);
  });
  return nb::make_tuple(pos[1].value() * unit.pos, neg[1].value() * unit.neg, neg[0].value() * unit.neg, pos[0].value() * unit.pos);
}

template <class Window>
nb::tuple groups_in(Window& self) {
  return self.on_contents([&](auto& contents) { return groups_of(contents, units_of(self)); });
}
template <class Window>
nb::tuple confusion_in(Window& self, double threshold) {
  return self.on_contents([&](auto& contents) { return confusion_at(contents, units_of(self), threshold); });
}

double score_at(EventScores& self, std::int64_t k) {
  const auto count = static_cast<std::int64_t>(self.events());
  if (k < -count || k >= count) refuse("position", nb::int_(k), nb::int_(count), nb::int_(count - 1));
  return self.on_contents([&](auto& contents) { return contents.score_at(static_cast<std::uint64_t>(k < 0 ? k + count : k)); });
}

// A function of a type, by the number of its slot.
template <class Function>
Function slot_of(nb::handle type, int slot) {
  return reinterpret_cast<Function>(PyType_GetSlot(reinterpret_cast<PyTypeObject*>(type.ptr()), slot));
}

// A field of a Python class with __slots__, set through its descriptor: as object.__setattr__ does it, without the search by name.
class Slot {
 public:
  Slot(nb::handle type, nb::handle name)
      : descriptor_(nb::getattr(type, name)), set_(slot_of<descrsetfunc>(descriptor_.type(), Py_tp_descr_set)) {
    if (!set_) throw nb::type_error("a field of this class is not in a slot");
  }

  void set(nb::handle object, nb::handle value) const {
    if (!value.is_valid() || set_(descriptor_.ptr(), object.ptr(), value.ptr()) != 0) nb::raise_python_error();
  }

 private:
  nb::object descriptor_;
  descrsetfunc set_;
};

// The default interval at a level: its quantile, and the values of the fields that do not depend on the data.
struct Pattern {
  double level = -1, z = 0;
  nb::tuple constants;
};

// Creates default intervals. A window may compute one at every event, and the __init__ of a frozen class with eleven fields
// takes five times as long. Python provides, for each level, the quantile and an interval with the constant fields.
class IntervalMaker {
 public:
  IntervalMaker(nb::object pattern_at, nb::object type)
      : pattern_at_(std::move(pattern_at)), type_(std::move(type)), create_(slot_of<allocfunc>(type_, Py_tp_alloc)) {
    const nb::object varying = nb::make_tuple("value", "low", "high", "standard_error", "n_pos", "n_neg");
    for (nb::handle name : varying) varying_.emplace_back(type_, name);
    for (nb::handle name : nb::object(type_.attr("__slots__")))
      if (!PySequence_Contains(varying.ptr(), name.ptr())) {
        constant_.emplace_back(type_, name);
        constant_names_.append(name);
      }
  }

  nb::object operator()(EventScores& self, nb::handle confidence_level) {
    // A separate reference: creating an object may run the garbage collector, and with it other threads with other levels.
    const Pattern pattern = at(confidence_level);
    auto* type = reinterpret_cast<PyTypeObject*>(type_.ptr());
    nb::object made = nb::steal(create_(type, 0));
    if (!made.is_valid()) nb::raise_python_error();
    for (std::size_t i = 0; i < constant_.size(); ++i) constant_[i].set(made, pattern.constants[i]);
    self.on_contents([&](auto& contents) {
      const double auc = contents.auc(), variance = contents.auc_variance();
      double pos = static_cast<double>(contents.n_pos()), neg = static_cast<double>(contents.n_neg());
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(contents)>, ScoreWeights>) {
        pos = contents.summary().effective_pos();
        neg = contents.summary().effective_neg();
      }
      const auto [low, high] = wilson_interval(auc, variance, pos, neg, pattern.z);
      const double numbers[] = {auc, low, high, std::sqrt(variance)};
      const std::uint64_t counts[] = {contents.n_pos(), contents.n_neg()};
      for (int i = 0; i < 4; ++i) varying_[i].set(made, nb::steal(PyFloat_FromDouble(numbers[i])));
      for (int i = 0; i < 2; ++i) varying_[4 + i].set(made, nb::steal(PyLong_FromUnsignedLongLong(counts[i])));
    });
    return made;
  }

 private:
  Pattern at(nb::handle confidence_level) {
    const double level = PyFloat_CheckExact(confidence_level.ptr()) ? float_value(confidence_level) : -1;
    if (level >= 0 && level == last_.level) return last_;
    const nb::object found = pattern_at_(confidence_level);
    nb::list constants;
    for (nb::handle name : constant_names_) constants.append(nb::getattr(found[1], name));
    const Pattern made{level, nb::cast<double>(found[0]), nb::tuple(constants)};
    const Pattern before = std::exchange(last_, made);  // freed after the new one is in place
    return made;
  }

  nb::object pattern_at_, type_;
  allocfunc create_;
  std::vector<Slot> varying_, constant_;
  nb::list constant_names_;
  Pattern last_;
};

IntervalMaker* make_interval = nullptr;  // set by register_interval; never freed, since Python ends first

PyObject* default_interval(PyObject* self, PyObject* confidence_level) noexcept {
  EventScores* events = detail::window_of<EventScores>(self);
  if (!events) return nullptr;
  return detail::guarded([&] { return (*make_interval)(*events, confidence_level).release().ptr(); });
}

// A plain CPython method, as `update` and `auc` are, for the same reason.
void define_default_interval(nb::handle type) {
  static PyMethodDef method = {"_default_interval", &default_interval, METH_O, nullptr};
  type.attr(method.ml_name) = nb::steal(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &method));
}

// update(i) adds the i-th event.
template <class Update>
auto updated(EventScores& self, std::size_t count, bool aucs, Update&& update) {
  Array<double> values(aucs ? count : 0);
  for (std::size_t i = 0; i < count; ++i) {
    update(i);
    if (aucs) values[i] = self.on_contents([](auto& contents) { return contents.auc(); });
  }
  return to_numpy(std::move(values));
}

using Weights = std::optional<Input<double>>;
double weight_at(const Weights& weights, std::size_t i) { return weights ? weights->data()[i] : 1.0; }

template <class Window>
auto update_many(Window& self, Input<std::uint8_t> labels, Input<double> scores, Weights weights, bool aucs) {
  return updated(self, scores.size(), aucs,
                 [&](std::size_t i) { self.update(labels.data()[i], scores.data()[i], weight_at(weights, i)); });
}

template <class Window>
auto define_window(nb::module_& m, const char* name) {
  auto type = nb::class_<Window, EventScores>(m, name);
  define_update<Window>(type);
  return type
      .def(
          "_revert",
          [](Window& self, nb::handle y_true, nb::handle y_score, nb::handle, nb::handle sample_weight) {
            return self.revert(read_label(y_true), read_score(y_score), read_weight(sample_weight));
          },
          nb::arg("y_true").none(), nb::arg("y_score").none(), nb::arg("time").none(), nb::arg("sample_weight").none())
      .def("_update_many", &update_many<Window>, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(),
           nb::arg("weights").noconvert().none(), "aucs"_a)
      .def("reset", &Window::clear, "Remove all events.")
      .def("_save", &saved<Window>)
      .def("_load", &load<Window>, "data"_a);
}

}  // namespace

void define_event_windows(nb::module_& m) {
  nb::exception<BadBytes>(m, "BadBytes", PyExc_ValueError);

  m.def(
      "checked_event",
      [](nb::handle y_true, nb::handle y_score) { return nb::make_tuple(read_label(y_true), read_score(y_score)); },
      nb::arg("y_true").none(), nb::arg("y_score").none());
  m.def("checked_score", &read_score, nb::arg("y_score").none());

  const auto events =
      nb::class_<EventScores>(m, "EventScores")
          .def("__len__", &EventScores::events)
          .def_prop_ro("weighted", &EventScores::weighted, "Whether there was a weight other than 1.")
          .def_prop_ro("n_pos", &EventScores::n_pos, "Number of positive events.")
          .def_prop_ro("n_neg", &EventScores::n_neg, "Number of negative events.")
          .def_prop_ro(
              "auc_variance",
              [](EventScores& self) { return self.on_contents([](auto& contents) { return contents.auc_variance(); }); },
              "DeLong variance of the AUC; nan with fewer than two events of a class.")
          .def("_summarize",
               [](EventScores& self) { return self.on_contents([](auto& contents) { return RangeSummary(contents.summary()); }); })
          .def("_reading",
               [](EventScores& self) {
                 return nb::make_tuple(self.on_contents([](auto& contents) { return contents.auc(); }), self.n_pos(), self.n_neg());
               })
          .def("_score_at", &score_at, "k"_a)
          .def("_confusion_at", &confusion_in<EventScores>, "threshold"_a)
          .def("_groups", &groups_in<EventScores>);
  define_auc(events);
  define_default_interval(events);
  m.def(
      "register_interval",
      [](nb::object pattern_at, nb::object type) { make_interval = new IntervalMaker(std::move(pattern_at), std::move(type)); },
      "pattern_at"_a, "type"_a);

  define_window<SlidingWindow>(m, "SlidingWindow")
      .def(nb::init<std::uint64_t>(), "size"_a)
      .def_prop_ro("size", &SlidingWindow::capacity, "Maximum number of events in the window.");

  define_window<DecayedWindow>(m, "DecayedWindow")
      .def(nb::init<double, double>(), "half_life"_a, "tolerance"_a)
      .def_prop_ro("half_life", &DecayedWindow::half_life, "Number of events after which the weight of an event has halved.")
      .def_prop_ro("tolerance", &DecayedWindow::tolerance, "Proportion of the weight of a class that may be dropped.")
      .def_prop_ro("n_seen", &DecayedWindow::n_seen, "Number of events since the beginning.")
      .def("_confusion_at", &confusion_in<DecayedWindow>, "threshold"_a)
      .def("_groups", &groups_in<DecayedWindow>)
      .def_prop_ro(
          "dropped", [](const DecayedWindow& self) { return nb::make_tuple(self.dropped(true), self.dropped(false)); },
          "Proportion of the weight of the positive and of the negative class that was dropped.");

  define_window<CumulativeScores>(m, "CumulativeScores")
      .def(nb::init<>())
      .def("_merge", [](CumulativeScores& self, CumulativeScores& other) { self.merge(other); }, "other"_a);

  nb::class_<TimeWindow, EventScores>(m, "TimeWindow")
      .def(nb::init<double, double>(), "duration"_a, "lateness"_a)
      .def(
          "_update",
          [](TimeWindow& self, nb::handle y_true, nb::handle y_score, nb::handle time, nb::handle sample_weight) {
            self.update(read_label(y_true), read_score(y_score), read_weight(sample_weight), read_time(time));
          },
          nb::arg("y_true").none(), nb::arg("y_score").none(), nb::arg("time").none(), nb::arg("sample_weight").none())
      .def(
          "_update_many",
          [](TimeWindow& self, Input<std::uint8_t> labels, Input<double> scores, Weights weights, Input<double> times, bool aucs) {
            return updated(self, scores.size(), aucs, [&](std::size_t i) {
              self.update(labels.data()[i], scores.data()[i], weight_at(weights, i), times.data()[i]);
            });
          },
          nb::arg("labels").noconvert(), nb::arg("scores").noconvert(), nb::arg("weights").noconvert().none(),
          nb::arg("times").noconvert(), "aucs"_a)
      .def(
          "_revert",
          [](TimeWindow& self, nb::handle y_true, nb::handle y_score, nb::handle time, nb::handle sample_weight) {
            return self.revert(read_label(y_true), read_score(y_score), read_weight(sample_weight), read_time(time));
          },
          nb::arg("y_true").none(), nb::arg("y_score").none(), nb::arg("time").none(), nb::arg("sample_weight").none())
      .def(
          "_advance", [](TimeWindow& self, nb::handle time) { self.advance(read_time(time)); }, nb::arg("time").none())
      .def("_merge", &TimeWindow::merge, "other"_a)
      .def("reset", &TimeWindow::clear, "Remove all events and the time.")
      .def_prop_ro("_duration", &TimeWindow::duration)
      .def_prop_ro("_lateness", &TimeWindow::lateness)
      .def_prop_ro("_now", &TimeWindow::now)
      .def_prop_ro("n_late", &TimeWindow::n_late, "Number of events that came too late and were ignored.")
      .def("_save", &saved<TimeWindow>)
      .def("_load", &load<TimeWindow>, "data"_a);
}
