// One event from Python: the label, score, weight and time of any type that is a number.
//
// Each reader has one short path for valid values. What fails is judged again out of line.
#pragma once

#include <nanobind/nanobind.h>

#include <cmath>

#include "python_errors.hpp"

namespace roclab {

[[gnu::noinline]] inline double converted_or_nan(nanobind::handle value) {
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr())) return std::nan("");  // NumPy's texts convert themselves
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || !PyErr_Occurred()) return number;
  const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError);
  PyErr_Clear();
  return too_large ? HUGE_VAL : std::nan("");
}

// Infinite if it is too large, nan if it is not a number.
inline double number_or_nan(nanobind::handle value) {
  return PyFloat_CheckExact(value.ptr()) ? PyFloat_AS_DOUBLE(value.ptr()) : converted_or_nan(value);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_label(nanobind::handle y_true) {
  raise_input_error({.found = "{y_true} is {value}",
                     .needed = "a label of a stream must be a boolean, 0/1 or -1/1",
                     .fix = "Compare it with the positive class first: update(label == 'yes', score)."},
                    {{"value", shown(y_true)}});
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_score(nanobind::handle y_score) {
  const bool is_text = PyUnicode_Check(y_score.ptr()) || PyBytes_Check(y_score.ptr());
  if (std::isnan(number_or_nan(y_score)) && (is_text || !nanobind::hasattr(y_score, "__float__")))
    raise_input_error({.found = "{y_score} is {value}", .needed = "a real number is needed"}, {{"value", shown(y_score)}});
  raise_input_error({.found = "{y_score} is {value}",
                     .needed = "a stream needs finite scores",
                     .fix = "Clip infinite scores, drop missing ones."},
                    {{"value", shown(y_score)}});
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_weight(nanobind::handle sample_weight) {
  const double value = number_or_nan(sample_weight);
  if (!(std::isfinite(value) && value >= 0))
    raise_input_error({.found = "{sample_weight} is {value}",
                       .needed = "weights must be finite and not negative",
                       .fix = "A weight of 0 excludes an event."},
                      {{"value", shown(sample_weight)}});
  raise_input_error({.found = "{sample_weight} is {value}",
                     .needed = "weights must be 0 or between 1e-60 and 1e+60, since their fourth powers must be finite",
                     .fix = "Divide all by their mean: the scale of weights does not matter."},
                    {{"value", shown(sample_weight)}});
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_time(nanobind::handle time) {
  raise_input_error({.found = "{time} is {value}",
                     .needed = "a finite number is needed, since the duration of this window is a number"},
                    {{"value", shown(time)}});
}

inline bool read_label(nanobind::handle y_true) {
  if (y_true.ptr() == Py_True) return true;
  if (y_true.ptr() == Py_False) return false;
  const double number = number_or_nan(y_true);
  if (number == 1) return true;
  if (number == 0 || number == -1) return false;
  refuse_label(y_true);
}

inline double read_score(nanobind::handle y_score) {
  const double score = number_or_nan(y_score);
  if (std::isfinite(score)) return score;
  refuse_score(y_score);
}

// One for None. The limits are those of arrays of weights.
inline double read_weight(nanobind::handle sample_weight) {
  constexpr double slack = 1 + 1e-12, smallest = 1e-60 / slack, largest = 1e60 * slack;  // 10.0**-60 is not quite 1e-60
  if (sample_weight.is_none()) return 1;
  const double value = number_or_nan(sample_weight);
  if (value == 0 || (value >= smallest && value <= largest)) return value;
  refuse_weight(sample_weight);
}

inline double read_time(nanobind::handle time) {
  const double value = number_or_nan(time);
  if (std::isfinite(value)) return value;
  refuse_time(time);
}

}  // namespace roclab
