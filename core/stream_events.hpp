// One event as Python hands it over: a label and a score of any type that stands for one.
#pragma once

#include <nanobind/nanobind.h>

#include <cmath>
#include <string>

#include "python_errors.hpp"

namespace roclab {

inline std::string shown(nanobind::handle value) {
  const std::string text = nanobind::repr(value).c_str();
  return text.size() <= 80 ? text : text.substr(0, 80) + "...";
}

// nan for what is not a number at all.
inline double number_or_nan(nanobind::handle value) {
  if (PyFloat_CheckExact(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || !PyErr_Occurred()) return number;
  PyErr_Clear();
  return std::nan("");
}

inline bool read_label(nanobind::handle y_true) {
  if (y_true.ptr() == Py_True) return true;
  if (y_true.ptr() == Py_False) return false;
  const double number = number_or_nan(y_true);
  if (number == 1) return true;
  if (number == 0 || number == -1) return false;
  raise_input_error("y_true is " + shown(y_true) +
                    "; which class that is is not known (only for 0/1, -1/1 and booleans it is). Pass True for the positive class.");
}

inline double read_finite_score(nanobind::handle y_score) {
  const double score = number_or_nan(y_score);
  if (std::isfinite(score)) return score;
  if (std::isinf(score))
    raise_input_error("y_score is " + shown(y_score) +
                      "; the scores of this window must be finite. Clip it to the largest finite score.");
  raise_input_error("y_score is " + shown(y_score) +
                    "; a number is needed, and a NaN has no place in a ranking. Leave the event out, or give it a score that says "
                    "where it belongs.");
}

// None is one. The limits are those of arrays of weights: fourth powers must stay finite.
inline double weight_of(nanobind::handle weight) {
  constexpr double slack = 1 + 1e-12, smallest = 1e-60 / slack, largest = 1e60 * slack;  // 10.0**-60 is not quite 1e-60
  if (weight.is_none()) return 1;
  const double value = number_or_nan(weight);
  if (!(std::isfinite(value) && value >= 0))
    raise_input_error("sample_weight is " + shown(weight) + "; a finite number that is not negative is needed.");
  if (value > largest || (value > 0 && value < smallest))
    raise_input_error("sample_weight is " + shown(weight) +
                      "; weights must lie between 1e-60 and 1e+60, or be 0. Divide all by their mean: the scale of weights does not matter.");
  return value;
}

inline double read_time(nanobind::handle time) {
  const double value = number_or_nan(time);
  if (std::isfinite(value)) return value;
  raise_input_error("time is " + shown(time) + "; a finite number is needed: seconds, or whatever unit the duration of the window has.");
}

}  // namespace roclab
